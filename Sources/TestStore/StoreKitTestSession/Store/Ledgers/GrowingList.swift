/// Records in the order in which they were added.
///
/// A list only grows, so that a place means the same record for ever.
struct GrowingList<Record: Sendable>: Sendable {
    private var records: [Record] = []

    /// The places of all records, oldest first.
    var places: some RandomAccessCollection<Place<Record>> {
        records.indices.lazy.map { Place<Record>(number: $0) }
    }

    /// The place that the next record gets.
    var end: Place<Record> { Place(number: records.count) }

    /// The place with a number; `nil` if there are fewer records.
    func place(_ number: some BinaryInteger) -> Place<Record>? {
        Int(exactly: number).flatMap { records.indices.contains($0) ? Place(number: $0) : nil }
    }

    mutating func append(_ record: Record) -> Place<Record> {
        defer { records.append(record) }
        return end
    }

    subscript(place: Place<Record>) -> Record {
        get { records[place.number] }
        // In place: a copy of a record would copy its lists, too.
        _modify { yield &records[place.number] }
    }
}

/// The place of a record in its list. Only a list makes one, and the compiler tells the places of different records apart.
package struct Place<Record>: Hashable, Comparable, Sendable {
    /// Counts the records from 0, oldest first.
    let number: Int

    fileprivate init(number: Int) { self.number = number }

    package static func < (left: Place, right: Place) -> Bool { left.number < right.number }
}

package typealias CustomerPlace = Place<CustomerRecord>
package typealias TransactionPlace = Place<TransactionRecord>
package typealias SubscriptionPlace = Place<SubscriptionRecord>
