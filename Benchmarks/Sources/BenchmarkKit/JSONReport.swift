#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Results with every figure of every round, for programs.
package struct JSONReport: Codable, Sendable {
    package var date: String
    package var machine: Machine
    package var groups: [Group]
    package var series: [Series]

    /// The circumstances of one group.
    package struct Group: Codable, Sendable {
        package var title: String
        package var rounds: Int
        package var othersShare: Double?
    }

    /// One series and its figures.
    package struct Series: Codable, Sendable {
        package var group: String
        package var identifier: String
        package var title: String
        package var unit: String
        package var count: Int?
        package var values: [Double]
        package var spread: Spread?
        package var peer: String?
        package var ratioToPeer: Spread?
        package var floor: Double?
        package var note: String?
    }

    package init(_ report: Report) {
        date = report.date
        machine = report.machine
        groups = report.groups.map {
            Group(title: $0.title, rounds: $0.rounds, othersShare: $0.othersShare)
        }
        series = report.groups.flatMap { group in
            group.outcomes.map { outcome in
                Series(
                    group: group.title, identifier: outcome.series.identifier, title: outcome.series.title,
                    unit: outcome.series.unit.rawValue, count: outcome.count, values: outcome.values,
                    spread: outcome.spread, peer: outcome.series.peer,
                    ratioToPeer: group.ratioToPeer(outcome), floor: outcome.series.floor, note: outcome.note)
            }
        }
    }

    /// The document. Its members are always in the same order.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
