internal import P256Verification
internal import Synchronization

/// Decides when a key gets a table of its multiples, and which, and keeps that table.
final class EarnedTable: Sendable {
    /// From how many payloads on a key has a table of this width, the narrowest first. A table of 8 bits takes
    /// a millisecond to make and saves some 60 µs a payload in comparison with libcrypto: it is made once as
    /// much has been spent on doing without (ski rental). One of 12 bits takes fifteen and saves two
    /// microseconds more.
    private static let widths: [(payloads: Int, bits: Int)] = [(16, 8), (4_096, 12)]

    /// The key; `nil` if it is on no curve that tables are for.
    private let key: P256PublicKey?
    private let state = Mutex(State())

    private struct State {
        var payloads = 0
        var nextAttempt = EarnedTable.widths[0].payloads
        var table: P256KeyTable?
    }

    init(_ key: P256PublicKey?) { self.key = key }

    /// The widest table so far, if there is one.
    var table: P256KeyTable? { state.withLock(\.table) }

    /// Counts payloads, and makes the table that so many of them pay for, if the budget has memory left.
    func countPayloads(_ count: Int, budget: TableBudget) {
        guard let key else { return }
        for width in widthsDue(after: count).reversed() {
            guard let table = budget.table(for: key, windowBits: width) else { continue }
            state.withLock { state in
                if state.table.map({ $0.windowBits < width }) ?? true { state.table = table }
            }
            return
        }
    }

    /// The widths to try now. Each is handed to one caller, so that others need not wait while that caller makes the
    /// table. A new attempt is due each time the count has doubled: memory may have become free.
    private func widthsDue(after count: Int) -> [Int] {
        state.withLock { state in
            state.payloads += count
            guard state.payloads >= state.nextAttempt else { return [] }
            state.nextAttempt = state.payloads * 2
            let present = state.table?.windowBits ?? 0
            return Self.widths.filter { $0.payloads <= state.payloads && $0.bits > present }.map(\.bits)
        }
    }
}
