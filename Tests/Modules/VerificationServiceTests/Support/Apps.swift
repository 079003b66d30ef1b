#if Service
    import DatabaseFolders
    import Foundation
    import Minting
    import RepositoryFiles
    import RequestSigning
    import SignedPayloads
    import StoreKitFixtures
    import PurchaseDatabase
    import VerificationService

    /// The apps that tests serve.
    enum Apps {
        /// The app of the committed vectors, whose policy requires nothing.
        static func vectors(_ name: String = "vectors") throws -> ServedApp {
            let anchors = try TrustAnchor.certificates(
                in: [UInt8](Data(contentsOf: Repository.vectors.appending(path: "pki/root.pem"))))
            return ServedApp(
                name: name, payloads: try SignedPayloadVerifier(anchors: anchors),
                receipts: try ReceiptVerifier(anchors: anchors))
        }

        /// An app for payloads that tests mint.
        ///
        /// - Parameters:
        ///   - database: where it keeps notifications and purchases; `nil` for nowhere.
        ///   - addresses: where notifications are forwarded to.
        static func garden(
            _ name: String = "garden", in database: DatabaseFolder? = nil,
            forwardingTo addresses: [String] = [],
            bundleID: String = "com.example.garden", sharedSecret: String? = nil, key: NamedKey? = nil
        ) throws -> ServedApp {
            var policy = VerificationPolicy()
            policy.bundleIdentifiers = [bundleID]
            let anchor = TrustAnchor(der: try TestPKI.p256().root.der())
            let payloads = try SignedPayloadVerifier(anchors: [anchor], policy: policy)
            let kept = try database.map { folder in
                AppDatabase(
                    try SQLiteTransactionStore(path: folder.path, verifier: payloads),
                    forwardingTo: addresses.compactMap { URL(string: $0) })
            }
            return ServedApp(
                name: name, payloads: payloads,
                receipts: try ReceiptVerifier(anchors: SignedReceipt.anchors(), policy: policy),
                database: kept, sharedSecret: sharedSecret.flatMap { BearerTokens(file: Array($0.utf8)) },
                signingKey: key)
        }
    }

    /// Bodies that programs and the App Store send.
    enum Sent {
        static let token = UUID(uuidString: "0192d1a7-7a52-4c28-8f41-91cc35d0a000") ?? UUID()
        static let otherToken = UUID(uuidString: "0192d1a7-7a52-4c28-8f41-91cc35d0a001") ?? UUID()

        /// A subscription of the year 2026.
        ///
        /// - Parameter others: more members, or others.
        static func subscription(
            _ id: Int, of customer: UUID = token, expires: Int = 30, _ others: [String: String] = [:]
        ) throws -> String {
            try Signed.token(
                Signed.transactionPayload(
                    id: id, expires: expires,
                    ["appAccountToken": "\"\(customer.uuidString.lowercased())\""].merging(others) { $1 }))
        }

        /// A notification about a transaction, as the App Store posts it.
        static func notification(
            _ uuid: UUID, about transaction: String, bundleID: String = "com.example.garden"
        ) throws -> String {
            let data = Signed.object([
                "bundleId": "\"\(bundleID)\"", "environment": #""Production""#,
                "signedTransactionInfo": "\"\(transaction)\"",
            ])
            let payload = Signed.object([
                "notificationType": #""DID_RENEW""#,
                "notificationUUID": "\"\(uuid.uuidString.lowercased())\"",
                "version": #""2.0""#, "signedDate": "\(Signed.day(1))", "data": data,
            ])
            return #"{"signedPayload":"\#(try Signed.token(payload))"}"#
        }
    }
#endif
