internal import P256Verification
internal import Synchronization

/// Decides when a key gets a table of its multiples and how wide it is, and keeps that table.
final class EarnedTable: Sendable {
    /// The number of payloads from which a key may have a table of each width, the narrowest first. A table is made
    /// once verifying without it has cost about as much as making it (ski rental). A 10-bit table takes less than 1 ms
    /// to make with vector instructions, 2 ms without, and saves 40 µs and more a payload in comparison with libcrypto.
    /// A 12-bit table takes 2 ms, or 5, and saves 0.05 µs more a payload, or 0.4. A 7-bit table is for many keys: it
    /// saves hardly less, and takes a sixth of the memory.
    private static let widths: [(payloads: Int, bits: Int)] = [(16, 7), (16, 10), (16_384, 12)]

    /// The key; `nil` if its curve is not one that has tables.
    private let key: P256PublicKey?
    private let state = Mutex(State())

    private struct State {
        var payloads = 0
        var nextAttempt = EarnedTable.widths[0].payloads
        var table: P256KeyTable?
    }

    init(_ key: P256PublicKey?) { self.key = key }

    /// The widest table made so far, if any.
    var table: P256KeyTable? { state.withLock(\.table) }

    /// Counts payloads. Makes the table that this count pays for, if the budget has memory left.
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

    /// The widths to try now. Each width goes to one caller only, so that other callers do not wait while the
    /// table is made. A new attempt is due each time the count has doubled, because memory may have become
    /// free.
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
