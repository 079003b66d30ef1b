/// Future events, earliest first. Events of the same time keep the order in which they were added.
///
/// An item is never removed before its time. A change of a subscription makes its version void instead.
struct Agenda: Sendable {
    /// A subscription's next event.
    struct Item: Sendable {
        let time: Int
        fileprivate let order: Int
        let subscription: SubscriptionPlace
        let version: Int

        fileprivate func precedes(_ other: Item) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    /// A heap: no item precedes the one at half its place.
    private var items: [Item] = []
    /// Counts all items that ever were on the agenda, for the order of equal times.
    private var added = 0

    /// The time of the earliest item; `nil` if there is none.
    var nextTime: Int? { items.first?.time }

    /// The item of each subscription that was added last, and is still on the agenda.
    var latest: [SubscriptionPlace: Item] {
        Dictionary(items.map { ($0.subscription, $0) }) { $0.version > $1.version ? $0 : $1 }
    }

    /// Adds an item, in a time that is logarithmic in their number.
    mutating func add(_ time: Int, subscription: SubscriptionPlace, version: Int) {
        items.append(Item(time: time, order: added, subscription: subscription, version: version))
        added += 1
        var index = items.count - 1
        while index > 0, items[index].precedes(items[(index - 1) / 2]) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the earliest item that is due at a time or before.
    mutating func next(until time: Int) -> Item? {
        guard let first = items.first, first.time <= time else { return nil }
        items.swapAt(0, items.count - 1)
        items.removeLast()
        var index = 0
        while true {
            var earliest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < items.count && items[child].precedes(items[earliest]) {
                earliest = child
            }
            guard earliest != index else { return first }
            items.swapAt(index, earliest)
            index = earliest
        }
    }
}
