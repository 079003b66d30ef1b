#if Peers
    import Foundation

    /// The members of a transaction that a server reads first. Peers decode them from every token.
    struct TransactionPayload: Codable, Sendable {
        var transactionId: String
        var originalTransactionId: String
        var bundleId: String
        var productId: String
        var purchaseDate: Date
        var expiresDate: Date?
        var type: String
        var environment: String
        var signedDate: Date
    }
#endif
