import SignedPayloads
import Testing
import WireFormats

/// The tokens inside JSON of any shape, and the paths to them.
@Suite struct JSONTokensTests {
    /// A document, and the paths to its tokens.
    private struct Document {
        private(set) var text = ""
        private(set) var paths: [String] = []

        private mutating func add(_ depth: Int, _ path: String, _ random: inout some RandomNumberGenerator) {
            switch depth == 0 ? 0 : Int.random(in: 0..<4, using: &random) {
            case 0:
                text += #""eyJ..""#
                paths.append(
                    String(path.unicodeScalars.prefix(256)) + (path.unicodeScalars.count > 256 ? "…" : ""))
            case 1: text += "1"
            case 2:
                text += "{"
                for place in 0..<Int.random(in: 0...3, using: &random) {
                    let kind = ["a", "data", "", "é", String(repeating: "n", count: 70)].randomElement(
                        using: &random)
                    let name = "\(kind ?? "")\(place)"
                    text += (place > 0 ? "," : "") + "\"\(name)\":"
                    let shown = name.count > 64 ? name.prefix(64) + "…" : name
                    add(depth - 1, path.isEmpty ? String(shown) : "\(path).\(shown)", &random)
                }
                text += "}"
            default:
                text += "["
                for place in 0..<Int.random(in: 0...3, using: &random) {
                    text += place > 0 ? "," : ""
                    add(depth - 1, "\(path)[\(place)]", &random)
                }
                text += "]"
            }
        }

        init(_ random: inout some RandomNumberGenerator) {
            text = #"{"a":"#
            add(12, "a", &random)
            text += "}"
        }
    }

    private func tokens(_ text: String) throws -> (members: [String?], steps: Int) {
        var (tokens, members) = (JSONTokens(Array(text.utf8)), [String?]())
        while let token = try tokens.next() { members.append(token.member) }
        return (members, tokens.writtenSteps)
    }

    @Test func `each token has the path that leads to it`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let document = Document(&random)
            guard !document.paths.isEmpty else { continue }
            #expect(try tokens(document.text).members == document.paths, "\(document.text)")
        }
        #expect(try tokens(#""eyJ..""#).members == [nil])
        #expect(
            try tokens(#"["eyJ..", {"x": [[], "eyJ.."]}] {"y":"eyJ.."}"#).members == ["[0]", "[1].x[1]", "y"])
    }

    /// Work for a token must not grow with anything else.
    @Test func `the steps of a path are written once, and not for each token below them`() throws {
        let array = "[" + Array(repeating: #""eyJ..""#, count: 5_000).joined(separator: ",") + "]"
        let (depth, name) = (126, String(repeating: "k", count: 64))
        let nested =
            String(repeating: "{\"\(name)\":", count: depth) + array + String(repeating: "}", count: depth)
        let (flat, deep) = try (tokens(array), tokens(nested))
        #expect(flat.members.count == 5_000 && deep.members.count == 5_000)
        #expect(flat.steps == 0 && deep.steps <= depth)
        // Each array is left and entered again, which takes as many bytes.
        let separate = "[" + Array(repeating: #"[[["eyJ.."]]]"#, count: 1_000).joined(separator: ",") + "]"
        #expect(try tokens(separate).steps == 3_000)
    }
}
