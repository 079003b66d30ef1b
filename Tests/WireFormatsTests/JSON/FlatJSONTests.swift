import SeededRandom
import Testing
import WireFormats

/// Plain objects, read quickly. The strict reader must accept all of them and find the same members.
@Suite struct FlatJSONTests {
    @Test func `a plain object gives its members`() throws {
        let text = Array(#"{"a":"b c","":12,"t":true,"f":false,"n":null,"z":0}"#.utf8)
        let members = members(of: text)
        #expect(members?.map(\.0) == ["a", "", "t", "f", "n", "z"])
        #expect(members?.map(\.1) == ["b c", "12", "true", "false", "null", "0"])
    }

    @Test(
        "what is not plain is left to the strict reader",
        arguments: [
            "", "{}", "[]", "{\"a\":1", "{\"a\":1,}", "{\"a\" :1}", "{\"a\":1} ", " {\"a\":1}", "{\"a\":01}",
            "{\"a\":1.5}",
            "{\"a\":-1}", "{\"a\":1e3}", "{\"a\":\"\\n\"}", "{\"a\":\"\u{1}\"}", "{\"a\":\"é\"}",
            "{\"a\":[]}", "{\"a\":{}}",
            "{\"a\":tru}", "{\"a\":nullx}", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,\"b\"}", "{\"a\":1}}",
            "{\"a\":\"b}",
        ])
    func leavesOthers(text: String) { #expect(members(of: Array(text.utf8)) == nil) }

    @Test func `objects of every length are read to their end`() throws {
        for length in 0..<300 {
            let value = String(repeating: "v", count: length)
            let text = Array(#"{"a":"\#(value)","bc":12}"#.utf8)
            #expect(members(of: text)?.map(\.1) == [value, "12"])
            for place in 6..<6 + length where place % 16 == length % 16 {
                for byte in [UInt8(0x1f), 0x80, 0xff, UInt8(ascii: "\\"), UInt8(ascii: "\"")] {
                    var changed = text
                    changed[place] = byte
                    #expect(members(of: changed) == nil)
                }
            }
        }
        let many = (0..<200).map { "\"\($0)\":0" }
        #expect(members(of: Array("{\(many[..<90].joined(separator: ","))}".utf8))?.count == 90)
        #expect(members(of: Array("{\(many.joined(separator: ","))}".utf8)) == nil)
        let long = #"{"a":"\#(String(repeating: "v", count: 1 << 16))"}"#
        #expect(members(of: Array(long.utf8)) == nil)
    }

    @Test func `whatever is read as plain is strict JSON, and reads the same`() throws {
        var generator = SplitMix64(seed: 1)
        func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
        let seed = Array(#"{"signedDate":1760000000000,"a":"b","c":true,"d":null,"e":"f g","h":0}"#.utf8)
        let alphabet = Array(#"{}[]",:\tfn0123456789-. eax"#.utf8) + [0x00, 0x1f, 0x7f, 0x80, 0xc3, 0xa9]
        var plain = 0
        for _ in 0..<200_000 {
            var text = seed
            for _ in 0..<random(3) {
                switch random(3) {
                case 0: text[random(text.count)] = alphabet[random(alphabet.count)]
                case 1: text.remove(at: random(text.count))
                default: text.insert(alphabet[random(alphabet.count)], at: random(text.count))
                }
            }
            guard let members = members(of: text) else { continue }
            plain += 1
            #expect(strictMembers(of: text) == members.count, "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(plain > 50_000)
    }

    /// The names and values as they are written; `nil` if the object is not plain.
    private func members(of text: [UInt8]) -> [(String, String)]? {
        // The object stands among others, as in a batch.
        let framed = Array("\"\\\"".utf8) + text + Array("\"}\"".utf8)
        let range = 3..<3 + text.count
        var marks = FlatJSON.QuotationMarks()
        var reader = FlatJSON(framed.span, in: range, marks: &marks)
        var members: [(String, String)] = []
        while let member = reader.next(in: framed.span, marks: marks) {
            members.append(
                (
                    String(decoding: framed[member.name], as: UTF8.self),
                    String(decoding: framed[member.value], as: UTF8.self)
                ))
        }
        return reader.isComplete ? members : nil
    }

    /// The number of members that the strict reader finds; -1 if it refuses the text.
    private func strictMembers(of text: [UInt8]) -> Int {
        var reader = JSONReader(0..<text.count)
        var count = 0
        do throws(JSONError) {
            while let event = try reader.next(in: text.span) {
                if case .name = event, reader.depth == 1 { count += 1 }
            }
        } catch {
            return -1
        }
        return count
    }
}
