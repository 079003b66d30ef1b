public import Essentials

/// A type of value that the App Store gives to devices. A hash binds each value to one device.
public protocol DeviceSignedValue: SignedValue {
    /// When the App Store signed the value.
    var signedDate: Date { get }

    /// The SHA-384 of the nonce and the device identifier, 48 bytes. Empty if the App Store made the value
    /// for a server, which has no device identifier.
    var deviceVerification: Data { get }

    /// The nonce of `deviceVerification`; the nil UUID (RFC 9562, section 5.9) if the payload does not have it.
    var deviceVerificationNonce: UUID { get }

    /// The payload's JSON, byte for byte as it was signed. It also holds the members that have no property
    /// here.
    var jsonRepresentation: Data { get }
}

extension DeviceSignedValue {
    /// The payload's JSON, byte for byte as it was signed. It also holds the members that have no property
    /// here.
    public var jsonRepresentation: Data { signedContent.payloadData }
}

extension PayloadProperties {
    /// The members that bind a value to a device.
    mutating func deviceBinding() -> (verification: Data, nonce: UUID) {
        together { properties in
            (
                properties.value("deviceVerification", .bytes, "deviceVerification", isRequired: true),
                properties.value("deviceVerificationNonce", .uuidOrNil, "deviceVerificationNonce")
            )
        }
    }
}
