public import SignedPayloads

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a verified app receipt says of the app and its purchases, with the names and types of `AppTransaction`.
///
/// StoreKit has no type for receipts; this one eases the way from them. A property is `nil` where the receipt does
/// not say, or says something that cannot be read, and reading one takes time linear in the number of the receipt's
/// own attributes. Whoever holds a value holds the proof: it is only made of what `ReceiptVerifier` verified.
public struct AppReceipt: Sendable {
    /// The receipt, with every attribute as it was signed.
    public let receipt: Receipt

    /// - Parameter receipt: what `ReceiptVerifier` gives.
    public init(_ receipt: VerifiedReceipt) { self.receipt = receipt.receipt }

    /// The receipt among payloads that were verified together.
    ///
    /// - Parameter payload: of the kind `receipt`; any other gives `nil`.
    public init?(_ payload: VerifiedPayload) {
        guard let receipt = payload.receipt else { return nil }
        self.receipt = receipt
    }

    /// Apple's number for the app (attribute 1); `nil` outside production.
    public var appID: UInt64? { receipt.appID.flatMap { $0 == 0 ? nil : $0 } }

    /// The version of the app that asked for the receipt (attribute 3).
    public var appVersion: String? { receipt.appVersion }

    /// Apple's number for the version (attribute 16); `nil` outside production.
    public var appVersionID: UInt64? { receipt.appVersionID.flatMap { $0 == 0 ? nil : $0 } }

    /// The app's bundle identifier (attribute 2).
    public var bundleID: String? { receipt.bundleID }

    /// The environment that signed the receipt (attribute 0): `production` for `ProductionVPP` too, `sandbox` for
    /// `ProductionSandbox` and `ProductionVPPSandbox`. `Receipt.receiptType` has the text itself.
    public var environment: AppStore.Environment? {
        receipt.receiptType.map { AppStore.Environment(rawValue: ReceiptVerifier.environment(ofType: $0)) }
    }

    /// The version that the customer bought or downloaded first (attribute 19); `1.0` in the sandbox.
    public var originalAppVersion: String? { receipt.originalAppVersion }

    /// When the customer bought or downloaded the app first (attribute 18); in the sandbox, a day of 2013.
    public var originalPurchaseDate: Date? { receipt.originalPurchaseDate }

    /// When the App Store made the receipt (attribute 12). The purchases are as they were then.
    public var signedDate: Date? { receipt.creationDate }

    /// When the receipt was asked for (attribute 8).
    public var requestDate: Date? { receipt.requestDate }

    /// When the receipt of an app of the Volume Purchase Program expires (attribute 21). No property of StoreKit's,
    /// and not compared with any clock.
    public var expirationDate: Date? { receipt.expirationDate }

    /// The SHA-1 that ties the receipt to a device, 20 bytes (attribute 5); see `isMade(forDevice:)`.
    public var deviceVerification: Data? { receipt.sha1Hash.map { Data($0) } }

    /// The bytes that stand in for the nonce of that hash (attribute 4): a UUID in later types, any bytes here.
    public var deviceVerificationNonce: Data? { receipt.opaqueValue.map { Data($0) } }

    /// The purchases (attribute 17), in the receipt's order, which is no order in time.
    public var transactions: [ReceiptTransaction] { receipt.purchases.map(ReceiptTransaction.init) }

    /// Whether the receipt was made for a device, by its hash (Apple, *Validating receipts on the device*). The
    /// comparison takes the same time wherever the hashes differ.
    ///
    /// A `ReceiptVerifier` with a device identifier asks the same of every receipt.
    ///
    /// - Parameter deviceIdentifier: the 16 bytes of `UIDevice.identifierForVendor`, or on a Mac the 6 of its
    ///   primary network address.
    /// - Returns: `false` too where the receipt lacks the hash, or what the hash covers.
    public func isMade(forDevice deviceIdentifier: Data) -> Bool {
        ReceiptVerifier.isMade(receipt, forDevice: Array(deviceIdentifier))
    }
}

extension AppReceipt: Hashable, CustomDebugStringConvertible {
    /// Whether two receipts have the same content, byte for byte.
    public static func == (one: AppReceipt, other: AppReceipt) -> Bool {
        one.receipt.content == other.receipt.content
    }

    /// Hashes the content.
    public func hash(into hasher: inout Hasher) { hasher.combine(receipt.content) }

    /// The receipt as JSON, as `Receipt.json` writes it.
    public var debugDescription: String { String(decoding: receipt.json, as: UTF8.self) }
}
