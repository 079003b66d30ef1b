/// The transactions of a purchase, by their identifiers.
///
/// Each is behind a reference: most purchases have one, and a dictionary has room for two.
struct TransactionTable: Hashable, Sendable {
    private var boxes: [UInt64: Boxed<Transaction>] = [:]

    subscript(id: UInt64) -> Transaction? {
        get { boxes[id]?.wrappedValue }
        set { boxes[id] = newValue.map(Boxed.init) }
    }

    var values: LazyMapSequence<Dictionary<UInt64, Boxed<Transaction>>.Values, Transaction> {
        boxes.values.lazy.map(\.wrappedValue)
    }

    var keys: Dictionary<UInt64, Boxed<Transaction>>.Keys { boxes.keys }
    var count: Int { boxes.count }
    var isEmpty: Bool { boxes.isEmpty }

    /// The transactions for which a condition holds.
    func filter(_ isIncluded: (Transaction) -> Bool) -> TransactionTable {
        var table = self
        table.boxes = boxes.filter { isIncluded($0.value.wrappedValue) }
        return table
    }
}
