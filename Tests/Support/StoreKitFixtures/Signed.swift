package import Foundation
import Minting
package import SignedPayloads
package import StoreKitVerify

/// Payloads that the tests mint, with certificates that are all on P-256.
package enum Signed {
    package static func verifier(_ configure: (inout VerificationPolicy) -> Void = { _ in }) throws
        -> StoreKitVerifier
    {
        var policy = VerificationPolicy()
        configure(&policy)
        let anchor = TrustAnchor(der: try TestPKI.p256().root.der())
        return StoreKitVerifier(try SignedPayloadVerifier(anchors: [anchor], policy: policy))
    }

    package static func token(_ payload: String) throws -> String {
        try TestPKI.p256().minter().token(payload: payload)
    }

    /// A token whose signature does not match.
    package static func tampered(_ payload: String) throws -> String {
        var bytes = Array(try token(payload).utf8)
        bytes[bytes.count - 40] =
            bytes[bytes.count - 40] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A day in 2026, in milliseconds since 1970. Day 0 is the first.
    package static func day(_ day: Int) -> Int { 1_767_225_600_000 + day * 86_400_000 }

    package static func instant(_ day: Int) -> Date {
        Date(timeIntervalSince1970: Double(self.day(day)) / 1000)
    }

    /// A transaction with the members that all transactions have. `others` adds members, or replaces some.
    package static func transactionPayload(
        id: Int, original: Int? = nil, product: String = "com.example.garden.plus",
        type: String = "Auto-Renewable Subscription", purchased: Int = 0, expires: Int? = nil,
        signed: Int? = nil,
        _ others: [String: String] = [:]
    ) -> String {
        var members = [
            "transactionId": "\"\(id)\"", "originalTransactionId": "\"\(original ?? id)\"",
            "bundleId": "\"com.example.garden\"", "productId": "\"\(product)\"", "type": "\"\(type)\"",
            "purchaseDate": "\(day(purchased))", "originalPurchaseDate": "\(day(purchased))", "quantity": "1",
            "inAppOwnershipType": "\"PURCHASED\"", "environment": "\"Production\"",
            "signedDate": "\(day(signed ?? purchased) + 1000)",
        ]
        if let expires { members["expiresDate"] = "\(day(expires))" }
        members.merge(others) { $1 }
        return object(members)
    }

    package static func renewalPayload(
        original: Int, product: String = "com.example.garden.plus", signed: Int,
        _ others: [String: String] = [:]
    ) -> String {
        var members = [
            "originalTransactionId": "\"\(original)\"", "productId": "\"\(product)\"",
            "autoRenewProductId": "\"\(product)\"", "autoRenewStatus": "1", "environment": "\"Production\"",
            "signedDate": "\(day(signed) + 1000)", "recentSubscriptionStartDate": "\(day(0))",
        ]
        members.merge(others) { $1 }
        return object(members)
    }

    package static func object(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    package static func transaction(_ payload: String) throws -> VerificationResult<Transaction> {
        try verifier().transaction(token(payload))
    }

    package static func renewalInfo(
        _ payload: String
    ) throws -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
        try verifier().renewalInfo(token(payload))
    }
}
