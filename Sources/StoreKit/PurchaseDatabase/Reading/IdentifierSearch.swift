#if SQLite
    internal import GRDB
    package import StoreKitVerify

    /// Where an identifier can stand in a payload.
    package enum IdentifierMember: String, CaseIterable, Sendable {
        case originalTransactionID = "originalTransactionId"
        case transactionID = "transactionId"
        case webOrderLineItemID = "webOrderLineItemId"
        case appTransactionID = "appTransactionId"
    }

    /// The purchases in whose payloads an identifier stands.
    package struct IdentifierSearch: Sendable {
        package struct Match: Sendable {
            package let purchase: PurchaseChain
            /// The transaction that has the identifier; the latest one, if the whole purchase has it.
            package let transaction: Transaction?
            /// Not empty.
            package let members: [IdentifierMember]
        }

        /// Latest purchase first.
        package fileprivate(set) var matches: [Match] = []
        /// Whether the download has this identifier, and an app transaction alone.
        package fileprivate(set) var isDownload = false
        /// How many payloads were searched without an index; `nil` if an index had the identifier.
        package fileprivate(set) var searchedPayloads: Int?
        /// Whether older payloads were not searched.
        package fileprivate(set) var isPartial = false
        /// Whether there are more purchases than those that were read.
        package fileprivate(set) var hasMore = false
    }

    extension SQLiteTransactionStore {
        /// Finds the purchases that an identifier of decimal digits leads to.
        ///
        /// The file has indexes of original transactions and downloads, and one that finds a transaction by going
        /// through short entries. A web order line item stands in payloads alone: these are searched if nothing
        /// else is found, the latest first.
        ///
        /// - Parameters:
        ///   - digits: the identifier.
        ///   - maximum: how many payloads are searched at most. A million take some seconds.
        /// - Throws: `SQLiteStoreError` if the file cannot be read, or a payload of a purchase that was found is
        ///   missing or not verified.
        package func search(
            _ digits: String, maximum: Int = 200_000
        ) async throws(SQLiteStoreError) -> IdentifierSearch {
            try await file.read { [accepted] db in
                var search = IdentifierSearch()
                var originals = try Self.indexed(digits, db)
                if originals.isEmpty {
                    search.isDownload = try PayloadRows(db).has(digits.databaseValue)
                }
                if originals.isEmpty, !search.isDownload {
                    originals = try search.scan(for: digits, atMost: maximum, db)
                }
                search.hasMore = originals.count > IdentifierSearch.maximumPurchases
                let read = originals.prefix(IdentifierSearch.maximumPurchases)
                var reading = PayloadReading(db, accepted, givesTokens: false, refuse: Self.refuse)
                search.add(try reading.read(read.map(\.databaseValue)), digits)
                return search
            }
        }

        /// The purchases that an index of the file has, each once.
        private static func indexed(_ digits: String, _ db: Database) throws -> [Int64] {
            let limit = IdentifierSearch.maximumPurchases + 1
            var found = try CustomerRows(db).purchases(
                named: Customer.Name.appTransactionID(digits).description, atMost: Int64(limit))
            guard let number = UInt64(digits).map({ Int64(bitPattern: $0) }) else { return found }
            found += try PayloadRows(db).purchases(withTransaction: number, atMost: limit)
            var known: Set<Int64> = []
            return found.filter { known.insert($0).inserted }
        }
    }

    extension IdentifierSearch {
        /// More than a person looks at. The answer says if there are more.
        fileprivate static let maximumPurchases = 100

        /// Looks for the digits in payloads, the latest first. A member that has them is found later, in the signed
        /// payload.
        fileprivate mutating func scan(for digits: String, atMost maximum: Int, _ db: Database) throws
            -> [Int64]
        {
            let payloads = try PayloadRows(db).latest(containing: digits)
            var (count, found, known): (Int, [Int64], Set<Int64>) = (0, [], [])
            while let payload = try payloads.next() {
                guard count < maximum, found.count <= Self.maximumPurchases else {
                    isPartial = true
                    break
                }
                count += 1
                guard payload.isFound, let subject = Int64.fromDatabaseValue(payload.subject),
                    known.insert(subject).inserted
                else { continue }
                found.append(subject)
            }
            searchedPayloads = count
            return found
        }

        /// Keeps the purchases whose verified payloads have the identifier.
        fileprivate mutating func add(_ history: PurchaseHistory, _ digits: String) {
            for purchase in history.purchases {
                let transactions = purchase.transactions
                var (members, found): ([IdentifierMember], Transaction?) = ([], nil)
                if String(purchase.id.originalTransactionID) == digits {
                    members.append(.originalTransactionID)
                }
                if let transaction = transactions.first(where: { String($0.id) == digits }) {
                    members.append(.transactionID)
                    found = transaction
                }
                if let transaction = transactions.first(where: { $0.webOrderLineItemID == digits }) {
                    members.append(.webOrderLineItemID)
                    found = found ?? transaction
                }
                if purchase.customers.contains(.appTransactionID(digits)) {
                    members.append(.appTransactionID)
                }
                guard !members.isEmpty else { continue }
                matches.append(
                    Match(purchase: purchase, transaction: found ?? transactions.first, members: members))
            }
            matches.sort { one, other in
                guard let first = one.transaction, let second = other.transaction else {
                    return one.transaction != nil
                }
                return first.follows(second)
            }
        }
    }
#endif
