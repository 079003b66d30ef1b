/// The transactions of a purchase, by their identifiers.
///
/// Each is behind a reference: most purchases have one, and a dictionary has room for two.
struct TransactionTable: Hashable, Sendable {
    private var boxes: [UInt64: Boxed<Transaction>] = [:]
    /// The transactions that signed payloads have, and receipts list.
    private var listed: [UInt64: ListedTransaction] = [:]

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
        table.listed = listed.filter { table.boxes[$0.key] != nil }
        return table
    }

    /// Adds a transaction of which a signed payload and a receipt are known.
    ///
    /// - Returns: whether it was not known, or not in a later signing; `nil` if it is not such a transaction.
    mutating func addListed(_ transaction: Transaction, _ known: Transaction) -> Bool? {
        let pair: ListedTransaction
        if var both = listed[transaction.id] {
            guard both.add(transaction) else { return false }
            pair = both
        } else if transaction.isFromReceipt != known.isFromReceipt {
            pair = ListedTransaction(
                signed: known.isFromReceipt ? transaction : known,
                receipt: known.isFromReceipt ? known : transaction)
        } else {
            return nil
        }
        listed[transaction.id] = pair
        self[transaction.id] = pair.counting
        return true
    }

    /// All signings that are known: of a transaction that a receipt lists too, both.
    var signings: [Transaction] {
        boxes.flatMap { id, box in listed[id].map { [$0.signed, $0.receipt] } ?? [box.wrappedValue] }
    }
}

/// A transaction that a signed payload has, and a receipt lists.
private struct ListedTransaction: Hashable {
    @Boxed private(set) var signed: Transaction
    @Boxed private(set) var receipt: Transaction

    init(signed: Transaction, receipt: Transaction) { (self.signed, self.receipt) = (signed, receipt) }

    /// - Returns: whether the transaction is a later signing.
    mutating func add(_ transaction: Transaction) -> Bool {
        guard transaction.isLater(than: transaction.isFromReceipt ? receipt : signed) else { return false }
        if transaction.isFromReceipt { receipt = transaction } else { signed = transaction }
        return true
    }

    /// The signed payload. A receipt that was made later may say that the purchase was taken back.
    var counting: Transaction {
        guard signed.revocationDate == nil, receipt.signedDate >= signed.signedDate else { return signed }
        var counting = signed
        counting.revocationDate = receipt.revocationDate
        return counting
    }
}
