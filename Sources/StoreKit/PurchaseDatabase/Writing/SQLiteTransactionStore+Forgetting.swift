#if SQLite
    internal import Foundation
    internal import GRDB
    public import StoreKitVerify
    package import WireFormats

    /// The result of `SQLiteTransactionStore.forget(_:)`: the rows that it took out of a file, and those that it left.
    public struct ForgottenCustomer: Hashable, Sendable {
        /// The purchases, by their original transactions.
        public let purchases: [UInt64]
        /// The purchases that had a name of the customer, and are another customer's now, by their original transactions. They
        /// stay, without the payloads that give the name.
        public let keptPurchases: [UInt64]
        /// The number of signed payloads that were taken out.
        public let payloads: Int
        /// The number of notifications whose bodies were dropped. Their `notificationUUID`s stay, so that a repetition
        /// brings nothing back. They say nothing about anybody.
        public let notifications: Int
        /// The number of deliveries that were dropped, those that waited too.
        public let deliveries: Int
        /// The names of these purchases under which the file has others. It cannot tell whether they are the same
        /// person's, so it keeps them: two persons may share a download.
        public let otherNames: [String]
        /// How many texts were looked for in the bytes of the file and of its log afterwards: identifiers and
        /// signatures.
        public let texts: Int
        /// How often they were found there. 0 is the proof that nothing is left.
        public let remains: Int
    }

    extension ForgottenCustomer {
        /// The result, as an object.
        package var object: ObjectText {
            var object = ObjectText()
            object.add("purchases", all: purchases.map { String($0) })
            object.add("keptPurchases", all: keptPurchases.map { String($0) })
            object.add("payloads", payloads)
            object.add("notifications", notifications)
            object.add("deliveries", deliveries)
            object.add("otherNames", all: otherNames)
            object.add("searchedTexts", texts)
            object.add("remains", remains)
            return object
        }
    }

    extension SQLiteTransactionStore {
        /// Takes all that the file has about a customer out of it: purchases, notifications' bodies and deliveries.
        /// Then it looks for them in the bytes of the file.
        ///
        /// It does not reach forwarded notifications, copies and logs. A later notification about the same
        /// subscription brings the customer back.
        ///
        /// - Parameters:
        ///   - customer: with names; `.everyone` has no name, and so no rows.
        ///   - rewrites: whether the whole file is written anew if something is found in parts of it that are not in use.
        ///     It needs as much room on the disk again, and other writers wait meanwhile.
        /// - Throws: `SQLiteStoreError` if the file cannot be written, or a process reads from it so long that the
        ///   log cannot be emptied. The rows that were taken out stay out then, and the same call goes on.
        /// - Complexity: linear in the length of the file.
        public func forget(
            _ customer: Customer, rewrites: Bool = false
        ) async throws(SQLiteStoreError) -> ForgottenCustomer {
            // It waits for the disk, so it has a thread of its own in place of one of the tasks' threads.
            let result = await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    continuation.resume(
                        returning: Result { () throws(SQLiteStoreError) in
                            try forgetNow(customer, rewrites: rewrites)
                        })
                }
            }
            return try result.get()
        }

        /// As `forget(_:rewrites:)`, on the caller's thread.
        package func forgetNow(
            _ customer: Customer, rewrites: Bool
        ) throws(SQLiteStoreError) -> ForgottenCustomer {
            let (erasure, notifications, deliveries) = try file.writeNow { [verifier] db in
                var erasure = try CustomerErasure(of: customer, by: StoreKitVerifier(verifier), db)
                let (notifications, deliveries) = try Outbox(db).forget(&erasure)
                try erasure.erase(db)
                return (erasure, notifications, deliveries)
            }
            try file.emptyLog()
            var remains = try occurrences(of: erasure.traces)
            if remains > 0, rewrites {
                try file.rewrite()
                remains = try occurrences(of: erasure.traces)
            }
            return ForgottenCustomer(
                purchases: erasure.purchases, keptPurchases: erasure.keptPurchases,
                payloads: erasure.payloads, notifications: notifications, deliveries: deliveries,
                otherNames: erasure.otherNames, texts: erasure.traces.count,
                remains: remains)
        }

        private func occurrences(of traces: FileTraces) throws(SQLiteStoreError) -> Int {
            try file.attempt { try traces.occurrences(inDatabase: file.path) }
        }
    }
#endif
