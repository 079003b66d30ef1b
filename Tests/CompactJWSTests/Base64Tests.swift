import CompactJWS
import Foundation
import SeededRandom
import Testing

/// Strict base64 and base64url (RFC 4648).
@Suite struct Base64Tests {
    @Test(
        "the vectors of RFC 4648, section 10, decode",
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ])
    func decodesVectors(encoded: String, data: String) throws {
        #expect(try decode(encoded, .standard) == Array(data.utf8))
        #expect(try decode(encoded.filter { $0 != "=" }, .url) == Array(data.utf8))
    }

    @Test func `every byte string decodes from its encoding, and from nothing else of that length`() throws {
        var generator = SplitMix64(seed: 4648)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(try decode(urlEncoded(bytes), .url) == bytes)
            #expect(try decode(Data(bytes).base64EncodedString(), .standard) == bytes)
        }
    }

    @Test func `the decoder by tables accepts the same texts, and gives the same bytes`() throws {
        let decoder = Base64Decoder(alphabet: .url)
        var generator = SplitMix64(seed: 6920)
        for number in 0..<60_000 {
            let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            var text = Array(urlEncoded(bytes).utf8)
            if number % 2 == 1, !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &generator)
                text[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            if number % 7 == 0 { text.append(UInt8(ascii: "A")) }
            let expected = try? Base64.decode(text.span, in: 0..<text.count, alphabet: .url)
            var output = [UInt8](repeating: 0xee, count: 220)
            let isRight = decoder.decode(text.span, into: &output, at: 3)
            #expect(isRight == (expected != nil))
            if let expected {
                #expect(Array(output[3..<3 + expected.count]) == expected)
                #expect(output[..<3] == [0xee, 0xee, 0xee] && output[3 + expected.count] == 0xee)
            }
        }
        var small = [UInt8](repeating: 0, count: 4)
        let text = Array("QUJDREVG".utf8)
        let isRight = decoder.decode(text.span, into: &small, at: 0)
        #expect(!isRight, "no room")
    }

    @Test func `every byte in every place of a long text is judged as by the other`() throws {
        let decoder = Base64Decoder(alphabet: .url)
        var generator = SplitMix64(seed: 32)
        for length in [24, 48, 72, 95, 96, 97, 130] {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let text = Array(urlEncoded(bytes).utf8)
            for place in text.indices {
                for byte in UInt8.min...UInt8.max {
                    var changed = text
                    changed[place] = byte
                    let expected = try? Base64.decode(changed.span, in: 0..<changed.count, alphabet: .url)
                    var output = [UInt8](repeating: 0xee, count: length + 2)
                    let isRight = decoder.decode(changed.span, into: &output, at: 1)
                    #expect(isRight == (expected != nil))
                    if let expected { #expect(output == [0xee] + expected + [0xee]) }
                }
            }
        }
    }

    @Test func `whatever decodes encodes to the same text again`() throws {
        var generator = SplitMix64(seed: 7515)
        let alphabet = Array("ABQRZaqz0189-_+/=".utf8)
        var decodedCount = 0
        for _ in 0..<20_000 {
            let text = String(
                decoding: (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? 0
                }, as: UTF8.self)
            if let bytes = try? decode(text, .url) {
                decodedCount += 1
                #expect(urlEncoded(bytes) == text)
            }
            if let bytes = try? decode(text, .standard) {
                decodedCount += 1
                #expect(Data(bytes).base64EncodedString() == text)
            }
        }
        #expect(decodedCount > 2_000, "the test's own texts must often decode")
    }

    @Test func `exactly the 64 characters of each alphabet are accepted`() throws {
        for byte in UInt8.min...UInt8.max {
            let text = [byte, UInt8(ascii: "A"), UInt8(ascii: "A"), UInt8(ascii: "A")]
            let character = Character(UnicodeScalar(byte))
            let isAlphanumeric = byte < 0x80 && (character.isLetter || character.isNumber)
            let isURL = (try? Base64.decode(text.span, in: 0..<4, alphabet: .url)) != nil
            let isStandard = (try? Base64.decode(text.span, in: 0..<4, alphabet: .standard)) != nil
            #expect(isURL == (isAlphanumeric || "-_".contains(character)))
            #expect(isStandard == (isAlphanumeric || "+/".contains(character)))
        }
    }

    private static let refused: [(String, Base64.Alphabet, Base64Error)] = [
        ("A", .url, .invalidLength(1)), ("AAAAA", .url, .invalidLength(5)),
        ("Zg==", .url, .invalidCharacter(0x3d, offset: 2)),
        ("Zm 9", .url, .invalidCharacter(0x20, offset: 2)),
        ("Zm9v\n", .url, .invalidCharacter(0x0a, offset: 4)),
        ("Zm+v", .url, .invalidCharacter(0x2b, offset: 2)),
        ("Zh", .url, .nonCanonicalTrailingBits(offset: 1)),
        ("Zm9", .url, .nonCanonicalTrailingBits(offset: 2)),
        ("Zg", .standard, .invalidLength(2)), ("Zg=", .standard, .invalidLength(3)),
        ("Zh==", .standard, .nonCanonicalTrailingBits(offset: 1)), ("Z===", .standard, .invalidLength(4)),
        ("Zm9v====", .standard, .invalidPadding(offset: 4)),
        ("Zg==Zg==", .standard, .invalidCharacter(0x3d, offset: 2)),
        ("Zm-v", .standard, .invalidCharacter(0x2d, offset: 2)),
        ("====", .standard, .invalidPadding(offset: 0)),
    ]

    @Test("what no encoder writes is refused, with its place", arguments: refused)
    func refusesOthers(text: String, alphabet: Base64.Alphabet, expected: Base64Error) throws {
        #expect(throws: expected) { try decode(text, alphabet) }
    }

    private func urlEncoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").filter {
            $0 != "="
        }
    }

    private func decode(_ text: String, _ alphabet: Base64.Alphabet) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try Base64.decode(bytes.span, in: 0..<bytes.count, alphabet: alphabet)
    }
}
