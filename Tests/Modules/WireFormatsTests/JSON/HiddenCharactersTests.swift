import Testing
import WireFormats

/// Characters that a message must not print unescaped.
@Suite struct HiddenCharactersTests {
    @Test func `every character that hides or steers is escaped`() {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2060,
            0x2066...0x2069, 0xfeff...0xfeff,
        ]
        for code in ranges.joined() {
            let text = UnicodeScalar(code).map { String(Character($0)) } ?? ""
            let digits = String(code, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            #expect(HiddenCharacters.escaped(in: "a\(text)b") == "a\(escape)b")
            var json: [UInt8] = []
            appendJSON(message: "a\(text)b", to: &json)
            #expect(json == Array("\"a\(escape)b\"".utf8))
        }
    }

    @Test func `characters that are seen stay, and JSON escapes its own`() {
        let text = "a \"é\\ 你 😀 \u{301}"
        #expect(HiddenCharacters.escaped(in: text) == text)
        var json: [UInt8] = []
        appendJSON(message: text, to: &json)
        #expect(json == Array("\"a \\\"é\\\\ 你 😀 \u{301}\"".utf8))
    }

    @Test func `a character beyond the basic plane is escaped as two units`() {
        #expect(HiddenCharacters.escaped(in: "\u{e0001}") == "\\udb40\\udc01")
    }
}
