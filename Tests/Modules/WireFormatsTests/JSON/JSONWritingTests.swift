import Testing
import WireFormats

/// Texts that are written as JSON strings.
@Suite struct JSONWritingTests {
    @Test func `a character is escaped wherever it stands, and all others are copied`() {
        let cases: [(Character, String)] = [
            ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\u000a"#), ("\0", #"\u0000"#), ("\u{7f}", #"\u007f"#),
            ("é", "é"), ("😀", "😀"), ("a", "a"),
        ]
        for length in 0..<40 {
            for place in 0...length {
                for (character, written) in cases {
                    let (before, after) = (
                        String(repeating: "x", count: place), String(repeating: "y", count: length - place)
                    )
                    var json: [UInt8] = []
                    appendJSON(before + String(character) + after, to: &json)
                    #expect(json == Array("\"\(before)\(written)\(after)\"".utf8))
                }
            }
        }
    }
}
