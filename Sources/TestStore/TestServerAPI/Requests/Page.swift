internal import StoreKitTestSession
internal import WireFormats

/// A page of a list that is in the order of dates, and the token of the next page.
///
/// The token names the last element of its page, so that elements may be added, or move, between two requests.
struct Page {
    /// The order of the list: a date in milliseconds, and the place of the transaction among all.
    struct Key: Hashable, Comparable {
        let date: Int
        let place: TransactionPlace

        static func < (left: Key, right: Key) -> Bool {
            left.date == right.date ? left.place < right.place : left.date < right.date
        }
    }

    /// Apple's size of a page.
    static let size = 20

    /// The places of the page's transactions, in its order.
    let places: [TransactionPlace]
    let hasMore: Bool
    let revision: String

    /// - Parameters:
    ///   - keys: the whole list, in any order.
    ///   - revision: the token of the page before; `nil` for the first page.
    ///   - isDescending: whether the last element comes first.
    init(
        of keys: [Key], after revision: String?, isDescending: Bool = false, in simulation: Simulation
    ) throws(ServerAPIError) {
        let start = try revision.flatMap { (text) throws(ServerAPIError) in try Self.key(text, simulation) }
        var sorted = keys.sorted()
        if isDescending { sorted.reverse() }
        // The list is sorted anew for each page. That is fast enough for the customers of tests.
        if let start { sorted.removeAll { isDescending ? $0 >= start : $0 <= start } }
        let page = sorted.prefix(Self.size)
        places = page.map(\.place)
        hasMore = sorted.count > page.count
        let last = page.last.map { "\($0.date)_\(simulation.purchases[$0.place].id)" }
        self.revision = last ?? revision ?? Self.beginning
    }

    /// The token of a list without elements.
    private static let beginning = "0"

    /// The token of a transaction that was removed is an error. A token of another list is not noticed.
    private static func key(_ revision: String, _ simulation: Simulation) throws(ServerAPIError) -> Key? {
        guard revision != beginning else { return nil }
        let parts = revision.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = Int(parts[0]), let identifier = UInt64(parts[1]),
            let place = try? simulation.purchases.place(of: identifier)
        else { throw .invalidRequestRevision }
        return Key(date: date, place: place)
    }

    /// Adds the members that say what page it is.
    func add(to object: inout ObjectText) {
        object.add("revision", revision)
        object.add("hasMore", hasMore)
    }
}
