#if SQLite
    import DatabaseFolders
    import Foundation
    import Minting
    import PurchaseDatabase
    import SignedPayloads
    import StoreKitFixtures

    /// Bodies of the App Store's requests, and what an inbox makes of them.
    enum Body {
        /// A notification about a new transaction, as the App Store posts it.
        ///
        /// - Parameter others: more members of the transaction.
        static func renewal(
            _ uuid: UUID, transaction: Int, _ others: [String: String] = [:]
        ) throws -> [UInt8] {
            let token = try Signed.token(
                Signed.transactionPayload(id: transaction, product: "level", type: "Non-Consumable", others))
            return try wrapped(Signed.token(payload(uuid, data: token)))
        }

        /// The JSON of a notification.
        static func payload(_ uuid: UUID, data token: String) -> String {
            let data = Signed.object([
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "signedTransactionInfo": "\"\(token)\"",
            ])
            return Signed.object([
                "notificationType": #""DID_RENEW""#, "notificationUUID": "\"\(uuid.uuidString)\"",
                "version": #""2.0""#, "signedDate": "\(Signed.day(1))", "data": data,
            ])
        }

        /// The body around a token.
        static func wrapped(_ token: String, _ others: String = "") -> [UInt8] {
            Array(#"{"signedPayload":"\#(token)"\#(others)}"#.utf8)
        }
    }

    extension NotificationInbox {
        /// The outcomes of concurrent calls: a word each.
        func outcomes(of bodies: [[UInt8]]) async -> [String] {
            await withTaskGroup(of: (Int, String).self) { group in
                for (place, body) in bodies.enumerated() {
                    group.addTask { (place, await self.outcome(of: body)) }
                }
                var outcomes = [String](repeating: "", count: bodies.count)
                for await (place, outcome) in group { outcomes[place] = outcome }
                return outcomes
            }
        }

        /// The outcome of a call, or the code of its error.
        func outcome(of body: [UInt8]) async -> String {
            do throws(SQLiteStoreError) {
                switch try await receive(body, at: Signed.instant(9)) {
                case .accepted: return "accepted"
                case .duplicate: return "duplicate"
                case .refused(let error): return error.code.rawValue
                }
            } catch {
                return "error: \(error.code.rawValue)"
            }
        }
    }
#endif
