#if SQLite
    internal import Foundation
    internal import GRDB
    internal import StoreKitVerify

    /// Writes payloads in one transaction of SQLite.
    ///
    /// Of the payloads about one transaction, the file keeps the same as a `PurchaseHistory`: the one that was
    /// signed last; for each kind of the customer's names, the last one that gives it; and of renewal information,
    /// the first one that tells of a renewal that failed. So the same payloads leave the same file, in any order.
    /// An app that sends the same transaction at every start does not make it grow.
    struct PayloadWriting {
        /// The connection inside its transaction. Every failure undoes all that was written here.
        private let db: Database
        private let accepted: AcceptedVerifier
        private let payloads: PayloadChanges
        /// The header of the last payload, which is that of most payloads.
        private var header: (text: String, id: Int64)?
        /// Numbers of rows, kept for this transaction: an import has few apps.
        private var apps: [StoredPayload.App: Int64] = [:]
        /// The customers' names that payloads gave, until they are written too.
        private var names: Set<CustomerRows.Name> = []
        /// How many payloads each subject has got or lost, until that is written too.
        private var changes: [StoredPayload.Subject: Int] = [:]

        init(_ db: Database, _ accepted: AcceptedVerifier) throws {
            self.db = db
            self.accepted = accepted
            payloads = try PayloadChanges(db)
        }

        /// A payload of the file, or a new one. The facts are read from the JSON, which is signed, and not from the
        /// columns beside it.
        private struct Known {
            /// The row; `nil` for a new payload.
            let id: Int64?
            let token: TokenParts
            let facts: StoredPayload.Facts
        }

        /// Keeps payloads, except for those that the file has already, or that a payload in the file makes needless.
        ///
        /// - Returns: of each payload whether the file keeps it and did not before.
        mutating func keep(_ payloads: [StoredPayload]) throws -> [Bool] {
            // In the order of the indexes, so that each of their pages is looked up and changed once.
            var isNew = [Bool](repeating: false, count: payloads.count)
            for place in payloads.indices.sorted(by: { payloads[$0].isBefore(payloads[$1]) }) {
                isNew[place] = try keep(payloads[place])
            }
            try CustomerRows(db).add(names)
            names.removeAll()
            try PurchaseRows(db).add(changes)
            changes.removeAll()
            return isNew
        }

        private mutating func keep(_ payload: StoredPayload) throws -> Bool {
            var rows = try payloads.payloads(with: payload.key)
            if let same = rows.firstIndex(where: { $0.token.json == payload.token.json }) {
                guard rows[same].token != payload.token, !isVerified(rows[same].token) else { return false }
                // The row is damaged, and this payload is the same, undamaged.
                try remove(rows.remove(at: same).id, of: payload.key.subject)
            }
            let known = rows.compactMap { self.known($0, payload) }
            // Latest first, as `DeviceSignedValue.isLater` orders payloads.
            let new = Known(id: nil, token: payload.token, facts: payload.facts)
            let ordered = (known + [new]).sorted { Self.isLater($0, than: $1) }
            var isKept = false
            for (place, candidate) in ordered.enumerated() {
                // Of two names of one instant, the order of their texts decides: both payloads stay.
                let named = ordered[..<place].reduce(0) {
                    $1.facts.signed > candidate.facts.signed ? $0 | $1.facts.nameKinds : $0
                }
                let isFirstOfTrouble =
                    candidate.facts.trouble != nil
                    && !ordered[(place + 1)...].contains { $0.facts.trouble == candidate.facts.trouble }
                let isNeeded = place == 0 || candidate.facts.nameKinds & ~named != 0 || isFirstOfTrouble
                if candidate.id == nil {
                    isKept = isNeeded
                    // A payload that was changed in the file must not keep a refund out.
                    guard isNeeded || known.allSatisfy({ isVerified($0.token) }) else {
                        throw SQLiteStoreError(
                            .damaged,
                            "the file has a payload of \(payload.key.subject.databaseValue) that is not verified, and that "
                                + "would keep this one out: restore the file from a copy")
                    }
                } else if !isNeeded {
                    try remove(candidate.id, of: payload.key.subject)
                }
            }
            if isKept { try add(payload) }
            return isKept
        }

        private func isVerified(_ token: TokenParts) -> Bool {
            accepted.verify([token.token]).allSatisfy { (try? $0.get()) != nil }
        }

        private static func isLater(_ one: Known, than other: Known) -> Bool {
            guard one.facts.signed == other.facts.signed else { return one.facts.signed > other.facts.signed }
            // A refund may be signed in the same millisecond.
            guard one.facts.isRevoked == other.facts.isRevoked else { return one.facts.isRevoked }
            return other.token.json.utf8.lexicographicallyPrecedes(one.token.json.utf8)
        }

        private mutating func remove(_ row: Int64?, of subject: StoredPayload.Subject) throws {
            guard let row else { return }
            try payloads.remove(row)
            changes[subject, default: 0] -= 1
        }

        /// A payload of the file with the key of a new one; `nil` if it displaces nothing, as a text that is no
        /// payload any more. Reading finds it.
        private func known(_ row: (id: Int64, token: TokenParts), _ new: StoredPayload) -> Known? {
            let facts = StoredPayload.Facts(
                new.key.kind, json: row.token.json, by: StoreKitVerifier(accepted.payloads))
            guard let facts, facts.app == new.facts.app else { return nil }
            return Known(id: row.id, token: row.token, facts: facts)
        }

        private mutating func add(_ payload: StoredPayload) throws {
            try payloads.add(
                payload, app: try id(of: payload.facts.app), header: try id(ofHeader: payload.token.header))
            changes[payload.key.subject, default: 0] += 1
            guard case .purchase(let original) = payload.key.subject else { return }
            for name in payload.facts.names {
                names.insert(CustomerRows.Name(name: name.description, purchase: original))
            }
        }

        // MARK: - Other records

        /// Records that an app has finished a transaction.
        mutating func finish(_ transaction: UInt64, of original: UInt64, _ app: StoredPayload.App) throws {
            try FinishedRows(db).add(transaction, of: original, app: try id(of: app))
        }

        /// Records that an app has finished the transactions among payloads.
        mutating func finish(_ payloads: [StoredPayload]) throws {
            for payload in payloads where payload.key.kind == .transaction {
                guard case .purchase(let original) = payload.key.subject else { continue }
                try finish(payload.key.item, of: original, payload.facts.app)
            }
        }

        /// Records that the server gave a seat to a member.
        mutating func add(_ claim: SeatClaim) throws {
            let app = StoredPayload.App(
                bundleID: claim.purchase.appBundleID, environment: claim.purchase.environment.rawValue)
            try SeatClaimRows(db).add(claim, app: try id(of: app))
        }

        /// Records that a notification has come, and the end of the claims that it ends.
        ///
        /// - Returns: whether it had not come before.
        @discardableResult
        func note(_ notification: SeenNotification) throws -> Bool {
            let isNew = try NotificationRows(db).add(notification)
            try SeatClaimRows(db).end(notification.endedClaims, at: notification.signed)
            return isNew
        }

        // MARK: - Numbers of rows

        private mutating func id(of app: StoredPayload.App) throws -> Int64 {
            if let id = apps[app] { return id }
            let id = try AppRows(db).id(of: app)
            apps[app] = id
            return id
        }

        private mutating func id(ofHeader text: String) throws -> Int64 {
            if let header, header.text == text { return header.id }
            let id = try HeaderRows(db).id(of: text)
            header = (text, id)
            return id
        }
    }
#endif
