import FormerJSON
import Foundation
import RepositoryFiles
import SeededRandom
import Testing
import WireFormats

/// Today's reader of JSON against the former one, which read byte by byte: the same pieces, the same errors at the same
/// bytes, the same members.
@Suite struct FormerReaderTests {
    private static let names = [
        "signedDate", "receiptCreationDate", "environment", "receiptType", "bundleId", "appAppleId", "data",
        "summary",
        "signedTransactionInfo", "signedRenewalInfo", "transactionId", "notificationType", "alg", "x5c",
        "crit", "a",
        "", "id", "\u{e9}\u{1f600}", "productId",
    ]
    private static let changedTexts = TestScale.size(small: 20_000, usual: 25_000, large: 1_000_000)

    private static let wanted = names.map { Array($0.utf8) }

    @Test func `both read every known text in the same way`() throws {
        let texts = try JSONTexts.all.get()
        #expect(texts.count > 400)
        var object = JSONObject(wanted: MemberNames(Self.names))
        for text in texts {
            let difference = Self.difference(on: text, &object, findsMembers: true)
            #expect(difference == nil, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func `both read strings of every length, with any byte at any place, in the same way`() {
        var object = JSONObject(wanted: MemberNames(Self.names))
        let specials: [[UInt8]] =
            [0x00, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xc3, 0xed, 0xf4, 0xff].map { [$0] }
            + [#"\n"#, #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\ud83d"#, "é", "😀"].map {
                Array($0.utf8)
            }
        var differences = 0
        for length in 0...200 {
            let plain = [UInt8](repeating: UInt8(ascii: "v"), count: length)
            for special in specials {
                for place in 0...length {
                    var string = plain
                    string.replaceSubrange(place..<min(place + special.count, length), with: special)
                    let text = [UInt8(ascii: "\"")] + string + [UInt8(ascii: "\"")]
                    if Self.difference(on: text, &object, findsMembers: false) != nil { differences += 1 }
                }
            }
            // As a name and a value among others, and without its end.
            for end in [#"":"#, #"":0,"a":""#, ""] {
                let text =
                    Array(#"{""#.utf8) + plain + Array(end.utf8)
                    + (end.isEmpty ? [] : plain + Array("\"}".utf8))
                if Self.difference(on: text, &object, findsMembers: true) != nil { differences += 1 }
            }
        }
        #expect(differences == 0)
    }

    @Test("both read a million changed texts in the same way", arguments: 0..<4 as Range<UInt64>)
    func agreeOnChangedTexts(seed: UInt64) throws {
        // Most of them are short, so that a change is met in many places.
        let texts = try JSONTexts.all.get()
        let short = texts.filter { (2..<1_200).contains($0.count) && $0[0] == UInt8(ascii: "{") }
        let long = texts.filter { (1_200..<20_000).contains($0.count) }
        try #require(!short.isEmpty && !long.isEmpty)
        var object = JSONObject(wanted: MemberNames(Self.names))
        var random = SplitMix64(seed: 15 + seed)
        var (differences, read): ([String], Int) = ([], 0)
        for number in 0..<Self.changedTexts / 4 {
            let seeds = number % 64 == 0 ? long : short
            var text = seeds[Int(random.next() % UInt64(seeds.count))]
            for _ in 0...random.next() % 3 { Self.change(&text, &random) }
            if number % 8 == 0, (try? object.read(text.span)) != nil { read += 1 }
            guard let difference = Self.difference(on: text, &object, findsMembers: number % 8 == 0) else {
                continue
            }
            differences.append("\(difference): \(String(decoding: text, as: UTF8.self))")
        }
        #expect(differences == [])
        #expect(read > Self.changedTexts / 400, "\(read) of the changed texts are objects")
    }

    // MARK: Changes

    private static let inserted: [[UInt8]] =
        [
            "\"", "\\", "\\\"", "\\\\", "é", "😀", "{", "}", "[", "]", ",", ":", " ", "\\u0061", "\\ud83d",
            "null", "1",
        ].map {
            Array($0.utf8)
        } + [
            [0x00], [0x0a], [0x1f], [0x7f], [0x80], [0xc2], [0xff], [0xed, 0xa0, 0x80],
            [0xf4, 0x90, 0x80, 0x80],
        ]

    private static func change(_ text: inout [UInt8], _ random: inout SplitMix64) {
        guard !text.isEmpty else { return }
        func place() -> Int { Int(random.next() % UInt64(text.count)) }
        let at = place()
        switch random.next() % 16 {
        case 0..<4: text[at] ^= 1 << UInt8(random.next() % 8)
        case 4..<8:
            text.insert(contentsOf: inserted[Int(random.next() % UInt64(inserted.count))], at: at)
        case 8: text[at] = UInt8(truncatingIfNeeded: random.next())
        case 9: text.remove(at: at)
        case 10..<13:
            // The next quotation mark, backslash or byte beyond ASCII goes.
            let found = text[at...].firstIndex {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 >= 0x80
            }
            if let found { text.remove(at: found) }
        case 13: text.removeSubrange(at...)
        case 14: text.swapAt(at, place())
        default:
            let (from, to) = (min(at, place()), text.count)
            text.append(contentsOf: text[from..<min(to, from + 40)])
        }
    }

    // MARK: Comparison

    /// What differs between the readers, if anything does. The text is read by itself and as a part of a larger one.
    private static func difference(
        on text: [UInt8], _ object: inout JSONObject, findsMembers: Bool
    ) -> String? {
        if eventsDiffer(text.span, 0..<text.count) { return "events" }
        // Behind the text, everything is at hand that could end it.
        let framed = Array("{\"a".utf8) + text + Array("\"}]\\".utf8)
        let range = 3..<3 + text.count
        if eventsDiffer(framed.span, range) { return "events of a part" }
        guard findsMembers else { return nil }
        if membersDiffer(text.span, 0..<text.count, &object) { return "members" }
        if membersDiffer(framed.span, range, &object) { return "members of a part" }
        let required = Result { () throws(JSONError) in
            try JSONObject(text.span, wanted: object.wanted, uniqueNames: .required)
        }
        let former = Result { () throws(JSONError) in
            try FormerJSONObject(text.span, wanted: Self.wanted, requiresUniqueNames: true)
        }
        return required.map(\.range) == former.map(\.range) ? nil : "unique names"
    }

    private static func eventsDiffer(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var today = JSONReader(range)
        var former = FormerJSONReader(range)
        while true {
            let (found, expected): (JSONEvent?, JSONEvent?)
            do throws(JSONError) {
                expected = try former.next(in: text)
            } catch {
                let expected = error
                do throws(JSONError) {
                    _ = try today.next(in: text)
                    return true
                } catch {
                    return error != expected
                }
            }
            do throws(JSONError) {
                found = try today.next(in: text)
            } catch {
                return true
            }
            if found != expected || today.position != former.position || today.depth != former.depth {
                return true
            }
            if found == nil { return false }
        }
    }

    private static func membersDiffer(_ text: Span<UInt8>, _ range: Range<Int>, _ object: inout JSONObject)
        -> Bool
    {
        var expected: FormerJSONObject?
        var refusal: JSONError?
        do throws(JSONError) {
            expected = try FormerJSONObject(text, in: range, wanted: Self.wanted)
        } catch {
            refusal = error
        }
        do throws(JSONError) {
            try object.read(text, in: range)
        } catch {
            return error != refusal
        }
        guard let expected else { return true }
        return expected.range != object.range || expected.duplicates != object.duplicates
            || expected.values.indices.contains { object[$0] != expected.values[$0] }
    }
}
