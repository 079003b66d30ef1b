import Foundation
import PurchaseTimelines
import SVGDrawing
import StoreKitTestSession
import StoreKitVerify
import Testing

/// The picture: its content, its cost, and hostile payloads in it.
@Suite struct DrawingTests {
    private func drawing(_ history: PurchaseHistory, at instant: Date) throws -> (text: String, ParsedDrawing)
    {
        let text = TimelineChart(PurchaseTimeline(of: history, at: instant)).text
        return (text, try ParsedDrawing(text))
    }

    @Test(arguments: Scenario.builtIns.map(\.name).filter { $0 != "population" })
    func `each scenario gives an accessible picture of its spans and events`(_ name: String) throws {
        let (history, end) = try Lives.history(ofScenario: name)
        let (text, drawing) = try drawing(history, at: end)
        let root = try #require(drawing.elements.first)
        #expect(root.name == "svg" && root.attributes["role"] == "img")
        #expect(drawing.elements[1].name == "title" && drawing.elements[2].name == "desc")
        #expect(
            Set(drawing.elements.map(\.name)).isSubset(of: [
                "svg", "title", "desc", "style", "rect", "line", "text",
            ]))
        for word in ["href", "url(", "http:", "@import"] {
            #expect(text.components(separatedBy: word).count == (word == "http:" ? 2 : 1), "\(word)")
        }
        let summary = drawing.elements[2].text
        for lane in PurchaseTimeline(of: history, at: end).lanes {
            #expect(summary.contains(lane.latest.productID))
            for span in lane.spans { #expect(drawing.bars.contains(span.kind.rawValue)) }
        }
        // Everything that the events say is there as text, and in the summary.
        for line in drawing.texts("text") where line.contains("  20") { #expect(summary.contains(line)) }
    }

    @Test func `text from payloads is only ever text`() throws {
        let product = #""a\"><script>alert(1)</script>]]>&\u202e\u0007\u0000<b onload=x""#
        let history = try Hostile.history([["productId": product, "bundleId": product, "type": product]])
        let (text, drawing) = try drawing(history, at: Lives.day(3))
        #expect(!text.contains("<script") && !text.contains("<b ") && !text.contains("]]>"))
        #expect(text.contains(#"&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&amp;\u202e\u0007\u0000"#))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(!drawing.elements.contains { $0.name == "script" || $0.name == "b" })
    }

    @Test func `a long name is cut`() throws {
        let name = String(repeating: "long", count: 100_000)
        let history = try Hostile.history([["productId": "\"\(name)\"", "bundleId": "\"\(name)\""]])
        #expect(try drawing(history, at: Lives.day(3)).text.utf8.count < 16_384)
    }

    @Test(arguments: [
        ["purchaseDate": "-62135596800000", "expiresDate": "253402300799999"],
        ["purchaseDate": "-1e300", "expiresDate": "1e300"],
        ["purchaseDate": "1e300", "expiresDate": "-1e300"],
        ["purchaseDate": "9223372036854775807"], ["expiresDate": "-9223372036854775808"],
        ["purchaseDate": "\(Hostile.ms(3))", "expiresDate": "\(Hostile.ms(3))"],
        ["purchaseDate": "\(Hostile.ms(9))", "expiresDate": "\(Hostile.ms(3))", "revocationDate": "0"],
        ["revocationDate": "1e308"], ["price": "1e400"], ["price": "-1"],
        ["quantity": "-9223372036854775808"],
        ["revocationPercentage": "1e99", "revocationDate": "\(Hostile.ms(2))"],
    ])
    func `numbers at the ends of their range are drawn within the picture`(_ members: [String: String]) throws
    {
        for type in ["Auto-Renewable Subscription", "Consumable", "Non-Consumable"] {
            let history = try Hostile.history([members.merging(["type": "\"\(type)\""]) { $1 }])
            for instant in [Lives.day(3), Date(timeIntervalSince1970: -62_135_596_800), .distantFuture] {
                let (text, drawing) = try drawing(history, at: instant)
                #expect(text.utf8.count < 32_768)
                for element in drawing.elements {
                    for name in ["x", "x1", "x2", "width"] {
                        guard let value = element.attributes[name] else { continue }
                        #expect((0...880).contains(try #require(Double(value))), "\(element)")
                    }
                    if let width = element.attributes["width"], element.name == "rect" {
                        #expect(try #require(Double(width)) > 0)
                    }
                }
            }
        }
    }

    @Test func `of many periods the latest are drawn, and the others are counted`() throws {
        let count = 1_200
        let history = try Hostile.history(
            (1...count).map { number in
                [
                    "transactionId": "\"\(number)\"", "purchaseDate": "\(Hostile.ms(number))",
                    "expiresDate": "\(Hostile.ms(number + 1))", "price": "\(number)", "currency": "\"EUR\"",
                    "revocationDate": "\(Hostile.ms(number) + 40_000_000)",
                ]
            })
        let (text, drawing) = try drawing(history, at: Lives.day(Double(count)))
        #expect(text.utf8.count < 524_288)
        // Each period is paid for at first, and then refunded. The legend has a bar of each kind.
        #expect(drawing.bars.count == 1_000 + 2)
        #expect(drawing.texts("text").contains("700 earlier transactions are left out"))
        #expect(drawing.texts("text").contains("1484 earlier events are not named"))
    }

    @Test func `of many purchases the latest are drawn, and the others are counted`() throws {
        let history = try Hostile.history(
            (1...100).map { number in
                [
                    "transactionId": "\"\(number)\"", "originalTransactionId": "\"\(number)\"",
                    "purchaseDate": "\(Hostile.ms(number))", "productId": "\"p\(number)\"",
                ]
            })
        let texts = try drawing(history, at: Lives.day(100)).1.texts("text")
        #expect(texts.contains { $0.hasPrefix("p100: ") } && texts.contains { $0.hasPrefix("p61: ") })
        #expect(!texts.contains { $0.hasPrefix("p60: ") })
        #expect(texts.contains("60 earlier purchases are left out."))
    }

    @Test func `no purchases are a picture too`() throws {
        #expect(
            try drawing(PurchaseHistory(), at: Lives.start).1.texts("text").contains(
                "There are no purchases."))
    }

    // MARK: - The scale

    @Test(
        arguments: [
            (600, "01-01 00:00"), (86_400, "01-01 00:00"), (20 * 86_400, "2026-01-01"),
            (100 * 86_400, "2026-01-01"), (365 * 86_400, "2026-01"), (4_000 * 86_400, "2026"),
        ] as [(Double, String)])
    func `a scale has marks in units of the calendar`(_ length: Double, _ label: String) {
        let start = Lives.start.timeIntervalSince1970
        let scale = CalendarScale(covering: start, through: start + length, from: 0, to: 100)
        let marks = scale.marks(atMost: 9)
        #expect(marks.count <= 10 && marks.count >= 2)
        #expect(marks.first?.label == label)
        #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.second < $1.second })
        #expect(scale.position(of: start + length / 2) == 50)
        #expect(scale.position(of: .infinity) == 100 && scale.position(of: -.infinity) == 0)
    }

    @Test(
        arguments: [
            (-Double.infinity, Double.infinity), (Double.nan, Double.nan), (1e300, -1e300), (0, 0),
            (-62_135_596_800, 253_402_300_799), (253_402_300_799, 253_402_300_799), (-1e12, -1e12),
        ] as [(Double, Double)])
    func `a scale of any ends has few marks`(_ first: Double, _ last: Double) {
        let scale = CalendarScale(covering: first, through: last, from: 0, to: 100)
        #expect((1...12).contains(scale.marks(atMost: 9).count))
        #expect((0...100).contains(scale.position(of: 0)))
    }

    @Test func `lengths are written alike in every locale, and limited`() {
        let lengths = [0.04, -0.5, 12.25, .nan, .infinity, -1e300].map { SVGLength($0).description }
        #expect(lengths == ["0.0", "-0.5", "12.3", "0.0", "1000000.0", "-1000000.0"])
    }
}
