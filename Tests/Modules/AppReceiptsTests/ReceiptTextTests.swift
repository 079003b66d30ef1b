import AppReceipts
import Minting
import TestMinting
import Testing

/// The forms of receipts that people really send.
@Suite struct ReceiptTextTests {
    static func receipt() throws -> String {
        try ReceiptPKI.standard().minter().receipt(ReceiptContent(ReceiptContent.App()))
    }

    @Test func `mistakes are named`() throws {
        let mistakes: [(MistakenInput, (String) -> String)] = [
            (.empty, { _ in "" }),
            (.empty, { _ in " \r\n" }),
            (.compactJWS, { _ in "eyJhbGciOiJFUzI1NiJ9.e30.AAAA" }),
            (.encodedCompactJWS, { _ in "ZXlKaGJHY2lPaUpGVXpJMU5pSjkuZTMwLkFBQUE=" }),
            (.encodedTwice, { base64($0) }),
            (.percentEncoded, { $0.replacing("+", with: "%2B").replacing("=", with: "%3D") }),
            (.percentEncoded, { $0.replacing("/", with: "%2f") }),
            (.spacesForPlus, { $0.replacing("+", with: " ") }),
            (.base64URL, { $0.replacing("+", with: "-").replacing("/", with: "_") }),
            (.quoted, { "\"\($0)\"" }),
            (.pem, { "-----BEGIN PKCS7-----\n\($0)\n-----END PKCS7-----" }),
            (.json, { "{\"receipt-data\":\"\($0)\"}" }),
            (.json, { base64("{\"receipt-data\":\"\($0)\"}") }),
            (.hexadecimal, { _ in "3082010a0282" }),
            (.hexadecimal, { _ in "<30820a12 06092a86 4886>" }),
            (.whiteSpace, { $0.replacing("+", with: "\t") }),
            (.missingPadding, { String($0.prefix { $0 != "=" }) }),
            (.escaped, { $0.replacing("/", with: "\\/") }),
            (.formField, { "receipt-data=\($0)" }),
            (.byteOrderMark, { "\u{feff}\($0)" }),
            (.encodedTwice, { base64("\($0)\r\n") }),
            (.several, { "\($0)\n\n\($0)" }),
            (.several, { "\($0)\n\($0)" }),
            (.transactionReceipt, { _ in base64(TransactionReceiptTests.list()) }),
        ]
        for (expected, mistake) in mistakes {
            let error = #expect(throws: ReceiptError.self) {
                try ReceiptText.decode(file: Array(mistake(Self.receipt()).utf8))
            }
            #expect(error == .mistaken(expected))
            #expect(error?.detail == expected.rawValue)
            #expect((error?.description.count ?? 0) > 30)
        }
    }

    @Test func `a file may hold the bytes, or base64 in lines`() throws {
        let text = try Self.receipt()
        let bytes = try ReceiptText.decode(Array(text.utf8).span)
        #expect(bytes.prefix(2) == [0x30, 0x82])
        #expect(try ReceiptText.decode(file: bytes) == bytes)
        #expect(try ReceiptText.decode(bytes.span) == bytes)
        for (width, ending) in [(64, "\n"), (76, "\r\n"), (10_000, "\n")] {
            let characters = Array(text)
            let lines = stride(from: 0, to: characters.count, by: width).map { start in
                String(characters[start..<min(start + width, characters.count)])
            }
            let file = "\n" + lines.joined(separator: ending) + ending
            #expect(try ReceiptText.decode(file: Array(file.utf8)) == bytes)
            // Only a file's receipt may contain white space.
            if width < 100 {
                #expect(throws: ReceiptError.self) { try ReceiptText.decode(Array(file.utf8).span) }
            }
        }
    }

    private static func error(of file: [UInt8]) -> ReceiptError? {
        do throws(ReceiptError) {
            let bytes = try ReceiptText.decode(file: file)
            _ = try SignedData(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test func `base64 that breaks off is called truncated, wherever it breaks off`() throws {
        let text = try Self.receipt()
        let bytes = try ReceiptText.decode(Array(text.utf8).span)
        for count in 64..<text.utf8.count - 4 {
            let beginning = Array(text.utf8.prefix(count))
            let error = Self.error(of: beginning)
            #expect(error == .truncated(stated: bytes.count, found: count * 3 / 4))
        }
        let indented = "  " + text.prefix(100) + "\n\t" + text.dropFirst(100)
        #expect(try ReceiptText.decode(file: Array(indented.utf8)) == bytes)
    }

    @Test func `a receipt in the place of a compact JWS is named`() throws {
        let texts: [(String, MistakenInput?)] = [
            (try Self.receipt(), .receipt), (base64(TransactionReceiptTests.list()), .transactionReceipt),
            (base64(try Self.receipt()), .encodedTwice),
            (base64("eyJhbGciOiJFUzI1NiJ9.e30.AAAA"), .encodedCompactJWS),
            ("\(try Self.receipt()) ", .whiteSpace), (" \(try Self.receipt())", .whiteSpace),
            ("\"\(try Self.receipt())\"", .quoted), ("hello-world, all of you", nil),
            ("eyJhbGciOiJFUzI1NiJ9.e30.AAAA", nil), ("MII=", nil), (String(repeating: "MI?", count: 40), nil),
            (base64("{" + String(repeating: "e", count: 100)), nil),
        ]
        for (text, expected) in texts {
            #expect(MistakenInput(inPlaceOfJWS: Array(text.utf8).span) == expected)
        }
    }
}

/// Base64 of a text, by the minting tool's encoder.
func base64(_ text: String) -> String { Base64.encoded(Array(text.utf8)) }
