import AppReceipts
import Minting
import TestMinting
import Testing

/// Splitting a receipt's signed data into its parts.
@Suite struct SignedDataTests {
    @Test func `every beginning of a receipt is refused with a reason, and in a sentence`() throws {
        let content = ReceiptContent(
            ReceiptContent.App(), purchases: [ReceiptContent(ReceiptContent.Purchase())])
        var minter = try ReceiptPKI.standard().minter()
        for isDefinite in [true, false] {
            minter.form = isDefinite ? .definite : .indefinite(pieceBytes: 100)
            let bytes = try minter.signedData(content.der).der
            #expect(throws: Never.self) { try SignedData(bytes.span) }
            for count in 0..<bytes.count {
                let error = #expect(throws: ReceiptError.self) {
                    try SignedData(Array(bytes[..<count]).span)
                }
                #expect((error?.description.count ?? 0) > 20)
                if count > 5, isDefinite {
                    #expect(error == .truncated(stated: bytes.count, found: count))
                }
            }
            #expect(throws: ReceiptError.self) { try SignedData((bytes + [0]).span) }
        }
    }

    @Test func `content in pieces of no byte or of one is the content that was signed`() throws {
        let content = [UInt8](repeating: 7, count: 20_000)
        var template = try ReceiptPKI.standard().minter().signedData(content)
        template.form = .indefinite(pieceBytes: 1)
        for empty in [0, 20_000] {
            let spoilt = template.spoiling(.octets) { octets in
                // Behind the tag and the length without end.
                Array(octets[..<2]) + [[UInt8]](repeating: [0x04, 0x00], count: empty).flatMap(\.self)
                    + octets[2...]
            }
            let data = try SignedData(spoilt.der.span)
            guard case .joined(let joined) = data.content else {
                return #expect(Bool(false), "content in pieces")
            }
            #expect(joined == content)
        }
    }

    @Test func `nesting without end costs no more than reading it`() {
        let opening: [UInt8] = [
            0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x80,
        ]
        let bombs = [
            [[UInt8]](repeating: [0x24, 0x80], count: 500_000).flatMap(\.self),
            [[UInt8]](repeating: [0x30, 0x80, 0x00, 0x00], count: 250_000).flatMap(\.self),
            [UInt8](repeating: 0xa0, count: 1_000_000),
        ]
        for bomb in bombs {
            let start = ContinuousClock.now
            #expect(throws: ReceiptError.self) { try SignedData((opening + bomb).span) }
            // A hang takes minutes. This limit does not measure the speed.
            #expect(start.duration(to: .now) < .seconds(30))
        }
    }
}
