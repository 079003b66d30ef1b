#if SQLite
    internal import GRDB
    package import StoreKitVerify
    internal import WireFormats

    /// A place in the list of a file's customers, which stays valid while the file grows.
    ///
    /// Programs pass it on as they got it.
    package struct CustomerPlace: Hashable, Sendable, LosslessStringConvertible {
        /// The last purchase that was looked at, as the file orders them.
        fileprivate let subject: Int64

        fileprivate init(_ subject: Int64) { self.subject = subject }

        package init?(_ description: String) {
            // One text for each place: no sign, and no zero in front.
            guard let number = UInt64(description), String(number) == description else { return nil }
            subject = Int64(bitPattern: number)
        }

        package var description: String { String(UInt64(bitPattern: subject)) }
    }

    /// Some customers of a file, in the order of each one's lowest original transaction.
    package struct CustomerPart: Sendable {
        /// Purchases that have names in common, with the place behind them. They may be of several apps and
        /// environments.
        package fileprivate(set) var groups: [(history: PurchaseHistory, place: CustomerPlace)] = []
        /// The subjects that were left out, because they are not verified or not whole.
        package fileprivate(set) var faults: [(subject: String, fault: StoredFault)] = []
        /// Where the list goes on; `nil` at its end.
        package fileprivate(set) var next: CustomerPlace?
        /// How many payloads were looked at.
        package fileprivate(set) var payloads = 0
    }

    extension SQLiteTransactionStore {
        /// Gives the next customers of the list of all. It is one short read: writers do not wait for it, and
        /// memory has the payloads of one part.
        ///
        /// The list has each customer once, at the place of the lowest original transaction. A customer whose
        /// purchases change between two calls is seen as the later call finds them, or not at all if a new purchase
        /// moves the customer to an earlier place.
        ///
        /// - Parameters:
        ///   - place: behind which the part begins; `nil` for the first one.
        ///   - payloads: after how many payloads the part ends. A customer is never divided.
        ///   - purchases: how many purchases one customer may have. A name that more of them carry is no person's: an app
        ///     gave the same account token to everybody. Its purchases are then customers of their own.
        /// - Throws: `SQLiteStoreError` if the file cannot be read.
        package func customers(
            after place: CustomerPlace?, payloads: Int = 2_048, purchases: Int = 10_000
        ) async throws(SQLiteStoreError) -> CustomerPart {
            try await file.read { [accepted] db in
                var part = CustomerPart()
                let originals = try CustomerWalk(db, purchases).next(
                    after: place, payloads: payloads, &part)
                var reading = PayloadReading(db, accepted, givesTokens: false) { subject, fault in
                    part.faults.append((subject, fault))
                }
                let history = try reading.read(originals.flatMap(\.self).map(\.databaseValue))
                part.add(history, of: originals)
                return part
            }
        }
    }

    extension CustomerPart {
        /// Divides a history into the groups that were read together.
        fileprivate mutating func add(_ history: PurchaseHistory, of groups: [[Int64]]) {
            var places: [UInt64: Int] = [:]
            for (index, group) in groups.enumerated() {
                for original in group { places[UInt64(bitPattern: original)] = index }
            }
            var chains: [Int: [PurchaseChain]] = [:]
            for chain in history.purchases {
                guard let place = places[chain.id.originalTransactionID] else { continue }
                chains[place, default: []].append(chain)
            }
            var seats: [Int: Set<ClaimedSeat>] = [:]
            for seat in history.claimedSeats {
                guard let place = places[seat.purchase.id.originalTransactionID] else { continue }
                seats[place, default: []].insert(seat)
            }
            for (index, group) in groups.enumerated() {
                guard let own = chains[index], let first = group.first else { continue }
                let history = PurchaseHistory(own, claimedSeats: seats[index] ?? [])
                self.groups.append((history, CustomerPlace(first)))
            }
        }
    }

    /// Goes through a file's purchases in their order, and finds those that have names in common.
    ///
    /// The names are claims of the file. They decide which purchases are read together, and where. A reader of the
    /// payloads puts them together again, by the names that were signed.
    private final class CustomerWalk {
        private let purchases: PurchaseRows
        private let customers: CustomerRows
        private let payloads: PayloadRows
        private let seats: SeatClaimRows
        /// The names of each purchase that was looked at.
        private var names: [Int64: Set<String>] = [:]
        private var groups: [Int64: Set<Int64>] = [:]
        private var payloadCount = 0
        /// How many purchases one customer may have.
        private let maximumPurchases: Int

        /// How many purchases are looked up together.
        private static let purchasesAtOnce = 256
        private static let members = MemberNames(Customer.nameMembers)

        init(_ db: Database, _ maximumPurchases: Int) {
            self.maximumPurchases = maximumPurchases
            (purchases, customers) = (PurchaseRows(db), CustomerRows(db))
            (payloads, seats) = (PayloadRows(db), SeatClaimRows(db))
        }

        /// The purchases of the next customers.
        ///
        /// - Parameter part: gets the number of payloads, and where to go on.
        func next(after place: CustomerPlace?, payloads limit: Int, _ part: inout CustomerPart) throws
            -> [[Int64]]
        {
            var found: [[Int64]] = []
            var last = place?.subject
            defer { part.payloads = payloadCount }
            while payloadCount < limit {
                guard last != .max else { return found }
                let subjects = try purchases.purchases(
                    from: last.map { $0 + 1 } ?? .min, atMost: Self.purchasesAtOnce)
                guard !subjects.isEmpty else { return found }
                for subject in subjects where payloadCount < limit {
                    last = subject
                    let group = try group(of: subject)
                    // The others of a group were listed with its first one.
                    if group.min() == subject { found.append(group.sorted()) }
                }
            }
            part.next = last.map(CustomerPlace.init)
            return found
        }

        /// The purchases that have a name in common with this one, directly or through others. Each of them has the
        /// same group.
        private func group(of original: Int64) throws -> Set<Int64> {
            if let known = groups[original] { return known }
            var (group, waiting): (Set<Int64>, [Int64]) = ([original], [original])
            var known: Set<String> = []
            while let next = waiting.popLast(), group.count <= maximumPurchases {
                for other in try moved(with: next) where group.insert(other).inserted {
                    waiting.append(other)
                }
                for name in try names(of: next) where known.insert(name).inserted {
                    for other in try purchases(named: name, by: next) where group.insert(other).inserted {
                        waiting.append(other)
                    }
                }
                for other in try sharedSeats(with: next) where group.insert(other).inserted {
                    waiting.append(other)
                }
            }
            let isOneCustomer = group.count <= maximumPurchases
            for member in group { groups[member] = isOneCustomer ? group : [member] }
            return isOneCustomer ? group : [original]
        }

        /// The purchases whose payloads give a name now. The file also has names that later payloads have replaced.
        ///
        /// - Parameter original: a purchase that has the name, and so must be among them.
        private func purchases(named name: String, by original: Int64) throws -> [Int64] {
            let found = try customers.purchases(named: name, atMost: Int64(maximumPurchases + 1))
            guard found.count <= maximumPurchases else { return [] }
            // Otherwise the others would not lead to it, and it would be listed nowhere.
            guard found.contains(original) else {
                throw SQLiteStoreError(
                    .damaged,
                    "the purchase \(UInt64(bitPattern: original)) is missing under a name of its customer: restore the file from a copy"
                )
            }
            return try found.filter { try names(of: $0).contains(name) }
        }

        /// The purchases to which one moved, and from which it did.
        private func moved(with original: Int64) throws -> Set<Int64> {
            let name = Customer.Name.originalTransactionID(UInt64(bitPattern: original)).description
            let next = try customers.purchases(named: name, atMost: Int64(maximumPurchases))
            var found = Set(try next.filter { try names(of: $0).contains(name) })
            for case .originalTransactionID(let former)? in try names(of: original).map(Customer.Name.init) {
                let former = Int64(bitPattern: former)
                if try purchases.payloads(of: former.databaseValue) ?? 0 > 0 { found.insert(former) }
            }
            return found
        }

        /// The purchases of others that are read together with this one, because of a seat: those of its members,
        /// and those of whose seats its customer has one.
        private func sharedSeats(with original: Int64) throws -> Set<Int64> {
            var found: Set<Int64> = []
            for name in try names(of: original) { found.formUnion(try seats.purchases(named: name)) }
            for claim in try seats.of(purchase: original) {
                for member in claim.members {
                    let owned = try customers.purchases(
                        named: member.description, atMost: Int64(maximumPurchases + 1))
                    guard owned.count <= maximumPurchases else { continue }
                    found.formUnion(try owned.filter { try names(of: $0).contains(member.description) })
                }
            }
            return found
        }

        private func names(of original: Int64) throws -> Set<String> {
            if let known = names[original] { return known }
            var found: Set<String> = []
            let texts = try payloads.texts(about: original.databaseValue)
            while let json = try texts.next() {
                payloadCount += 1
                guard let fields = try? PayloadFields(Array(json.utf8), names: Self.members) else { continue }
                for name in Customer.names(in: fields) { found.insert(name.description) }
            }
            // One without payloads is work, too.
            if found.isEmpty { payloadCount += 1 }
            names[original] = found
            return found
        }
    }
#endif
