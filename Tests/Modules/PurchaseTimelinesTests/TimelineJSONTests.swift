import Foundation
import PurchaseTimelines
import StoreKitTestSession
import StoreKitVerify
import Testing
import WireFormats

/// A timeline as JSON, read by another reader: the same spans and events as those of the picture.
@Suite struct TimelineJSONTests {
    private typealias Object = [String: Any]

    /// A date's text in whole milliseconds since 1970.
    private func milliseconds(_ value: Any?) throws -> Int {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try milliseconds(of: style.parse(#require(value as? String)))
    }

    private func milliseconds(of date: Date) -> Int { Int((date.timeIntervalSince1970 * 1_000).rounded()) }

    @Test(arguments: Scenario.builtIns.map(\.name).filter { $0 != "population" })
    func `every built-in life has in JSON what is drawn`(name: String) throws {
        let (history, end) = try Lives.history(ofScenario: name)
        let timeline = PurchaseTimeline(of: history, at: end)
        let text = timeline.object.json
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        #expect(try milliseconds(object["at"]) == milliseconds(of: end))
        #expect(object["omittedLanes"] as? Int == timeline.omittedLanes)
        let lanes = try #require(object["lanes"] as? [Object])
        try #require(lanes.count == timeline.lanes.count)
        for (json, lane) in zip(lanes, timeline.lanes) {
            #expect(json["productID"] as? String == lane.latest.productID)
            #expect(json["isEntitled"] as? Bool == (lane.status?.isEntitled ?? false))
            let spans = try #require(json["spans"] as? [Object])
            #expect(spans.map { $0["kind"] as? String } == lane.spans.map(\.kind.rawValue))
            #expect(
                try spans.map { try milliseconds($0["start"]) }
                    == lane.spans.map { milliseconds(of: $0.start) })
            #expect(
                try spans.map { try $0["end"].map(milliseconds) }
                    == lane.spans.map { $0.end.map(milliseconds(of:)) })
            let events = try #require(json["events"] as? [Object])
            #expect(
                try events.map { try milliseconds($0["date"]) }
                    == lane.events.map { milliseconds(of: $0.date) })
            #expect(
                events.map { $0["transactionID"] as? String }
                    == lane.events.map { "\($0.transaction.id)" })
            #expect(events.allSatisfy { ($0["text"] as? String)?.isEmpty == false })
        }
    }
}
