#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type whose values devices get, each tied to the device by a hash.
public protocol DeviceSignedValue: SignedValue {
    /// When the App Store signed the value.
    var signedDate: Date { get }

    /// The SHA-384 of nonce and device identifier, 48 bytes; empty where the App Store made the value for a
    /// server, which gets none.
    var deviceVerification: Data { get }

    /// The nonce of `deviceVerification`; the nil UUID (RFC 9562, section 5.9) where there is none.
    var deviceVerificationNonce: UUID { get }

    /// The payload's JSON, byte for byte as it was signed: what has no property here is in it all the same.
    var jsonRepresentation: Data { get }
}

extension DeviceSignedValue {
    /// The payload's JSON, byte for byte as it was signed: what has no property here is in it all the same.
    public var jsonRepresentation: Data { signedContent.payloadData }
}

/// What ties a value to a device.
struct DeviceBinding: Sendable {
    static let names = ["deviceVerification", "deviceVerificationNonce"]

    let verification: Data
    let nonce: UUID

    init(_ fields: PayloadFields) {
        verification = fields.data("deviceVerification") ?? Data()
        nonce =
            fields.uuid("deviceVerificationNonce")
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}
