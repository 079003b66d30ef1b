import CStoreKitVerify
import CertificateChain
import Minting
import SignedPayloads
import StoreKitVerifyC
import TestMinting

/// The functions of the C library. Offsets, views and options are any bytes. Those that are sound must give each token the
/// verdict of the verifier of single payloads, and all others a status.
///
/// An input is the number of tokens in a byte, one offset more in eight bytes each, and the data.
package final class CLibraryTarget: FuzzTarget {
    package static let name = "c-library"

    private static let maximumTokens = 8

    private let alone: SignedPayloadVerifier
    private let receipts: ReceiptVerifier
    private let mutator: TokenMutator
    private let verifier: CVerifier

    /// A verifier in C, which lives as long as the target.
    private final class CVerifier: Sendable {
        private let address: UInt

        var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

        init(_ roots: [[UInt8]]) throws {
            let lengths = roots.map(\.count)
            let bytes = roots.flatMap(\.self)
            var made: OpaquePointer?
            let status = unsafe bytes.withUnsafeBufferPointer { buffer in
                var start = 0
                var described: [skv_bytes] = unsafe []
                for length in lengths {
                    unsafe described.append(
                        skv_bytes(bytes: buffer.baseAddress?.advanced(by: start), length: length))
                    start += length
                }
                return unsafe skv_verifier_create(described, described.count, nil, 0, &made, nil, 0)
            }
            guard status == SKV_OK, let made = unsafe made else { throw Violation("no verifier: \(status)") }
            address = UInt(bitPattern: made)
        }
    }

    package init() throws {
        let roots = try [TestPKI.p256(), TestPKI.standard()].map { try $0.root.der() }
        let receiptRoot = try ReceiptPKI.standard().root.der()
        let anchors = (roots + [receiptRoot]).map { TrustAnchor(der: $0) }
        alone = try SignedPayloadVerifier(anchors: anchors)
        receipts = try ReceiptVerifier(anchors: anchors)
        mutator = try TokenMutator()
        verifier = try CVerifier(roots + [receiptRoot])
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        guard let first = input.first else { return }
        let count = Int(first) % (Self.maximumTokens + 1)
        let numbers = input.dropFirst().prefix((count + 1) * 8)
        guard numbers.count == (count + 1) * 8 else { return }
        let data = Array(input.dropFirst(1 + numbers.count))
        let wide = (0...count).map { index in
            numbers.dropFirst(index * 8).prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        try checkOffsets(wide, data, count)
        try checkLines(data)
        try checkOptions(data)
        try checkViews(Array(numbers), data)
    }

    // MARK: - Properties

    private func checkOffsets(_ wide: [Int64], _ data: [UInt8], _ count: Int) throws(Violation) {
        let narrow = wide.map { Int32(truncatingIfNeeded: $0) }
        let text = data.map { CChar(bitPattern: $0) }
        var results: OpaquePointer?
        var status = unsafe skv_verify64(verifier.pointer, text, text.count, wide, count, 0, &results)
        unsafe try checkRows(results, status, wide.map { Int($0) }, data, count)
        unsafe skv_results_free(results)
        status = unsafe skv_verify32(verifier.pointer, text, text.count, narrow, count, 0, &results)
        unsafe try checkRows(results, status, narrow.map { Int($0) }, data, count)
        unsafe skv_results_free(results)
    }

    private func checkRows(
        _ results: OpaquePointer?, _ status: Int32, _ offsets: [Int], _ data: [UInt8], _ count: Int
    ) throws(Violation) {
        let ascends = zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 }
        let isSound = count == 0 || ascends && offsets[0] >= 0 && offsets[count] <= data.count
        try expect(
            status == (isSound ? CInt(SKV_OK) : CInt(SKV_INVALID_OFFSETS)),
            "status \(status) of offsets \(offsets)")
        guard isSound else { return try expect(unsafe results == nil, "results beside a status") }
        try expect(unsafe skv_results_count(results) == count, "another number of rows")
        guard let codes = unsafe skv_results_codes(results), let kinds = unsafe skv_results_kinds(results)
        else {
            throw Violation("no codes")
        }
        for row in 0..<count {
            let token = Array(data[offsets[row]..<offsets[row + 1]])
            let found = unsafe (
                codes[row], kinds[row], try text(SKV_PAYLOAD, row, results),
                try text(SKV_MESSAGE, row, results)
            )
            do throws(PayloadError) {
                let payload = try alone.verify(line: token.span, receipts: receipts)
                let json = payload.json.filter { $0 != 0x0a && $0 != 0x0d }
                let name = unsafe skv_kind_name(CInt(found.1)).map { unsafe String(cString: $0) }
                guard found.0 == 0, name == payload.kind.rawValue, found.2 == json, found.3.isEmpty else {
                    throw PayloadError.tooLarge(bytes: -1, limit: -1)
                }
            } catch {
                let name = unsafe skv_code_name(CInt(found.0)).map { unsafe String(cString: $0) }
                try expect(
                    name == error.code.rawValue && found.1 == 0 && found.2.isEmpty
                        && found.3 == Array(error.message.utf8),
                    "row \(row): \(name ?? "no name"), alone \(error)")
            }
        }
    }

    private func text(_ column: Int, _ row: Int, _ results: OpaquePointer?) throws(Violation) -> [UInt8] {
        var offsets: UnsafePointer<Int64>?
        let base = unsafe skv_results_text(results, CInt(column), &offsets)
        guard let base = unsafe base, let offsets = unsafe offsets else { throw Violation("no text") }
        return unsafe (Int(offsets[row])..<Int(offsets[row + 1])).map { unsafe UInt8(bitPattern: base[$0]) }
    }

    /// Each line that is not empty has one line in each format.
    private func checkLines(_ data: [UInt8]) throws(Violation) {
        let lines = data.split(separator: UInt8(ascii: "\n")).count { $0 != [UInt8(ascii: "\r")] }
        let text = data.map { CChar(bitPattern: $0) }
        for format in [SKV_NDJSON, SKV_NDJSON_TYPED, SKV_NDJSON_ROWS] {
            var (output, length, failed): (UnsafeMutablePointer<CChar>?, Int, Int) = (nil, 0, 0)
            let status = unsafe skv_verify_lines(
                verifier.pointer, text, text.count, CInt(format), &output, &length, &failed)
            defer { unsafe skv_free(output) }
            try expect(status == CInt(SKV_OK), "status \(status) of lines")
            let breaks = (0..<length).count { unsafe output?[$0] == 10 }
            try expect(breaks == lines && failed <= lines, "\(breaks) lines for \(lines)")
        }
    }

    /// Options are either read or refused with a message.
    private func checkOptions(_ data: [UInt8]) throws(Violation) {
        let text = data.map { CChar(bitPattern: $0) }
        var made: OpaquePointer?
        var message = [CChar](repeating: 1, count: 64)
        let status = unsafe skv_verifier_create(nil, 0, text, text.count, &made, &message, message.count)
        defer { unsafe skv_verifier_free(made) }
        try expect(
            status == CInt(SKV_OK) || status == CInt(SKV_INVALID_OPTIONS), "status \(status) of options")
        try expect(unsafe (made != nil) == (status == CInt(SKV_OK)), "a verifier beside a status")
        try expect(status == CInt(SKV_OK) || message.contains(0), "a message without an end")
    }

    /// Views of Arrow's are either inside their buffer or refused.
    private func checkViews(_ views: [UInt8], _ data: [UInt8]) throws(Violation) {
        let count = views.count / 16
        let sizes = [Int64(data.count)]
        var (schema, array, outSchema, out) = unsafe (
            ArrowSchema(), ArrowArray(), ArrowSchema(), ArrowArray()
        )
        let status = unsafe "vz".withCString { format in
            unsafe views.withUnsafeBytes { views in
                unsafe data.withUnsafeBytes { data in
                    unsafe sizes.withUnsafeBytes { sizes in
                        var buffers: [UnsafeRawPointer?] = unsafe [
                            nil, views.baseAddress, data.baseAddress, sizes.baseAddress,
                        ]
                        return unsafe buffers.withUnsafeMutableBufferPointer { buffers in
                            unsafe schema.format = format
                            unsafe array.length = Int64(count)
                            unsafe array.n_buffers = 4
                            unsafe array.buffers = buffers.baseAddress
                            return unsafe skv_verify_arrow(
                                verifier.pointer, &schema, &array, CInt(SKV_ARROW_ROWS), &outSchema, &out,
                                nil, 0)
                        }
                    }
                }
            }
        }
        try expect(
            status == CInt(SKV_OK) || status == CInt(SKV_INVALID_ARROW), "status \(status) of views")
        try expect(unsafe (out.release != nil) == (status == CInt(SKV_OK)), "an array beside a status")
        guard status == CInt(SKV_OK) else { return }
        try expect(unsafe out.length == Int64(count), "another number of rows")
        unsafe out.release?(&out)
        unsafe outSchema.release?(&outSchema)
        try expect(unsafe out.release == nil && outSchema.release == nil, "still there after its release")
    }

    // MARK: - Inputs

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        [Self.input([line]), Self.input([line, [], line])]
    }

    private static func input(_ tokens: [[UInt8]]) -> [UInt8] {
        var (offsets, end): ([UInt8], Int64) = ([], 0)
        for length in [0] + tokens.map(\.count) {
            end += Int64(length)
            offsets += (0..<8).map { UInt8(truncatingIfNeeded: end >> ($0 * 8)) }
        }
        return [UInt8(tokens.count)] + offsets + tokens.joined()
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        let data = input.dropFirst(1 + (Int(input.first ?? 0) + 1) * 8)
        switch tools.below(4) {
        case 0: return tools.havoc(input)
        case 1:
            // Spoils an offset: a high byte makes it negative, or larger than a buffer can be.
            guard input.count > 9 else { return tools.havoc(input) }
            var spoilt = input
            spoilt[1 + tools.below(min(input.count - 1, 32))] ^= UInt8(1 << tools.below(8))
            return spoilt
        case 2: return Self.input([mutator.changed(Array(data), &tools)])
        default:
            let options = [
                #"{"jobs":2}"#, #"{"bundleIds":["a"]}"#, #"{"environments":["Xcode"]}"#,
                #"{"engine":"vector"}"#,
                #"{"effectiveDate":"2025-10-11"}"#, #"{"appAppleId":1,"deviceId":"x"}"#,
                #"{"maxTokenBytes":9}"#,
            ]
            return Self.input([JSONMutator.changed(Array((tools.pick(options) ?? "").utf8), &tools)])
        }
    }
}
