public import Essentials
public import SignedPayloads

/// A verified app receipt, with the names and types of `AppTransaction`.
///
/// StoreKit has no type for receipts. This type helps a server that moves from receipts to StoreKit's
/// payloads.
///
/// A property is `nil` if the receipt lacks the attribute, or if the attribute cannot be read. Reading a
/// property takes time linear in the number of the receipt's own attributes. Every value is verified: it can
/// only be made from a result of `ReceiptVerifier`.
public struct AppReceipt: Sendable {
    /// The receipt, with every attribute as it was signed.
    public let receipt: Receipt

    /// - Parameter receipt: a receipt that `ReceiptVerifier` verified.
    public init(_ receipt: VerifiedReceipt) { self.receipt = receipt.receipt }

    /// Makes a receipt from a payload that was verified in a batch.
    ///
    /// - Parameter payload: a payload of the kind `receipt`. The result is `nil` for any other kind.
    public init?(_ payload: VerifiedPayload) {
        guard let receipt = payload.receipt else { return nil }
        self.receipt = receipt
    }

    /// Apple's number for the app (attribute 1); `nil` outside production.
    public var appID: UInt64? { receipt.appID.flatMap { $0 == 0 ? nil : $0 } }

    /// The version of the app that requested the receipt (attribute 3).
    public var appVersion: String? { receipt.appVersion }

    /// Apple's number for the version (attribute 16); `nil` outside production.
    public var appVersionID: UInt64? { receipt.appVersionID.flatMap { $0 == 0 ? nil : $0 } }

    /// The app's bundle identifier (attribute 2).
    public var bundleID: String? { receipt.bundleID }

    /// The environment that signed the receipt (attribute 0). It is `production` for `ProductionVPP` too, and
    /// `sandbox` for `ProductionSandbox` and `ProductionVPPSandbox`. `Receipt.receiptType` has the original
    /// text.
    public var environment: AppStore.Environment? {
        receipt.receiptType.map { AppStore.Environment(rawValue: ReceiptVerifier.environment(ofType: $0)) }
    }

    /// The version that the customer first bought or downloaded (attribute 19). In the sandbox it is `1.0`.
    public var originalAppVersion: String? { receipt.originalAppVersion }

    /// When the customer first bought or downloaded the app (attribute 18). In the sandbox it is a day in
    /// 2013.
    public var originalPurchaseDate: Date? { receipt.originalPurchaseDate }

    /// When the App Store made the receipt (attribute 12). The receipt shows the purchases of that moment.
    public var signedDate: Date? { receipt.creationDate }

    /// When the app requested the receipt (attribute 8).
    public var requestDate: Date? { receipt.requestDate }

    /// When the receipt expires (attribute 21). Only apps of the Volume Purchase Program have it. StoreKit
    /// has no such property. No check compares it with a clock.
    public var expirationDate: Date? { receipt.expirationDate }

    /// The SHA-1 hash that binds the receipt to a device, 20 bytes (attribute 5); see `isMade(forDevice:)`.
    public var deviceVerification: Data? { receipt.sha1Hash.map { Data($0) } }

    /// The bytes that serve as the nonce of that hash (attribute 4). In StoreKit's payloads the nonce is a
    /// UUID; here it is any bytes.
    public var deviceVerificationNonce: Data? { receipt.opaqueValue.map { Data($0) } }

    /// The purchases (attribute 17), in the receipt's order, which is not the order of their dates.
    public var transactions: [ReceiptTransaction] { receipt.purchases.map(ReceiptTransaction.init) }

    /// Whether the receipt was made for a device, judged by the receipt's hash (Apple, *Validating receipts
    /// on the device*). The time of the comparison does not depend on where the hashes differ.
    ///
    /// A `ReceiptVerifier` with a device identifier makes the same check on every receipt.
    ///
    /// - Parameter deviceIdentifier: the 16 bytes of `UIDevice.identifierForVendor`, or on a Mac the 6 bytes
    ///   of its primary network address.
    /// - Returns: whether the hash matches. `false` also if the receipt lacks the hash, or an attribute that
    ///   the hash covers.
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

    /// The receipt as JSON, in the form of `Receipt.json`.
    public var debugDescription: String { String(decoding: receipt.json, as: UTF8.self) }
}
