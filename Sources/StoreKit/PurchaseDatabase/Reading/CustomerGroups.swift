#if SQLite
    internal import GRDB
    package import StoreKitVerify

    /// The purchases of a file, put together by customers: those that have a name in common, directly or through
    /// others.
    ///
    /// It holds a few numbers for each purchase. The names are claims of the file: who reads a group's payloads
    /// puts these together again, by the names that were signed.
    struct CustomerGroups {
        /// Purchases whose customers are complete, by their original transactions.
        struct Part {
            let purchases: [DatabaseValue]
            /// The lowest original transaction of the customers that follow; `nil` for the last part.
            let next: UInt64?
        }

        /// Ascending.
        private let originals: [UInt64]
        /// The places of the originals, those of a group together, and the groups in the order of their lowest
        /// original.
        private let order: [Int]
        /// The place that stands for the group of each.
        private let groups: [Int]
        private var taken = 0

        /// How many purchases are read together: enough for the batch's arithmetic. A group may have more.
        private static let purchasesPerPart = 512

        init(_ db: Database) throws {
            var originals: [UInt64] = []
            let subjects = try PurchaseRows(db).subjects(areNumbers: true)
            while let subject = try subjects.next() {
                originals.append(UInt64(bitPattern: Int64.fromDatabaseValue(subject) ?? 0))
            }
            originals.sort()
            var sets = DisjointSets(originals.count)
            // A member of a purchase's seats is read with the purchaser.
            let names = try CustomerRows(db).everyone()
            var last: (name: String, place: Int)?
            while let next = try names.next() {
                guard let place = Self.place(of: next.purchase, in: originals) else { continue }
                if let last, last.name == next.name { sets.unite(last.place, place) }
                last = (next.name, place)
                if case .originalTransactionID(let former)? = Customer.Name(next.name),
                    let former = Self.place(of: former, in: originals)
                {
                    sets.unite(former, place)
                }
            }
            let groups = originals.indices.map { sets.set(of: $0) }
            order = originals.indices.sorted { (groups[$0], $0) < (groups[$1], $1) }
            (self.originals, self.groups) = (originals, groups)
        }

        /// The next customers' purchases; `nil` at the end.
        mutating func next() -> Part? {
            guard taken < order.count else { return nil }
            let start = taken
            repeat {
                let group = groups[order[taken]]
                repeat { taken += 1 } while taken < order.count && groups[order[taken]] == group
            } while taken < order.count && taken - start < Self.purchasesPerPart
            return Part(
                purchases: order[start..<taken].map { Int64(bitPattern: originals[$0]).databaseValue },
                next: taken < order.count ? originals[order[taken]] : nil)
        }

        private static func place(of original: UInt64, in originals: [UInt64]) -> Int? {
            var places = originals.indices
            while let middle = places.isEmpty ? nil : places.lowerBound + places.count / 2 {
                if originals[middle] == original { return middle }
                places =
                    originals[middle] < original
                    ? middle + 1..<places.upperBound : places.lowerBound..<middle
            }
            return nil
        }
    }

    extension SQLiteTransactionStore {
        /// Gives the purchases of all customers, some customers at a time, in the order of each one's lowest original
        /// transaction. Memory grows with the number of purchases only by a few numbers for each.
        ///
        /// All of it is one state of the file, which no write changes meanwhile.
        ///
        /// - Parameters:
        ///   - refuse: as in `widerHistoryNow(of:refuse:)`.
        ///   - body: gets purchases of all apps and environments whose customers are complete, without the values' tokens, and the lowest original
        ///     transaction of those that follow. Returns whether to go on.
        package func forEachCustomers(
            refuse: (_ subject: String, StoredFault) -> Void,
            _ body: (PurchaseHistory, _ next: UInt64?) -> Bool
        ) throws(SQLiteStoreError) {
            try file.readNow { db in
                try withoutActuallyEscaping(refuse) { refuse in
                    func history(of subjects: [DatabaseValue]) throws -> PurchaseHistory {
                        var reading = PayloadReading(
                            db, accepted, givesTokens: false, selects: false, refuse: refuse)
                        return try reading.read(subjects)
                    }
                    var groups = try CustomerGroups(db)
                    while let part = groups.next() {
                        guard body(try history(of: part.purchases), part.next) else { return }
                    }
                    // No purchase follows from an app transaction, but a damaged one must not go unsaid.
                    let downloads = try PurchaseRows(db).subjects(areNumbers: false)
                    while let download = try downloads.next() { _ = try history(of: [download]) }
                }
            }
        }
    }
#endif
