package import WireFormats

/// The members of an authentic payload that checks read. `Judge` compares them with a policy.
///
/// Both forms of payloads give the same claims: a JWS from its JSON, a receipt from its attributes. The values are
/// ranges in a text: the JWS payload's JSON, or the text that `Claims.init(_:)` makes of a receipt.
package struct Claims {
    package let kind: SignedPayloadKind
    /// The effective date.
    package let date: DateClaim
    /// The payload's binding to a device.
    let device: DeviceClaim
    /// Environment and app; a notification names them in each of its parts.
    package private(set) var identities = InlineArray<4, IdentityClaim>(repeating: IdentityClaim())
    package private(set) var identityCount = 0
    /// The signed payloads inside a notification: the index of the member in `NotificationPart.signed`, and its value.
    package private(set) var nested = InlineArray<3, (member: Int, value: JSONValue)>(repeating: (0, .null))
    package private(set) var nestedCount = 0

    init(kind: SignedPayloadKind, date: DateClaim, device: DeviceClaim) {
        (self.kind, self.date, self.device) = (kind, date, device)
    }

    /// Adds the identity of the payload, or of a notification's part. There are four parts at most.
    @inline(__always)
    mutating func add(_ identity: IdentityClaim) {
        identities[identityCount] = identity
        identityCount += 1
    }

    /// Adds a payload inside. There are three members for them.
    mutating func add(nested value: JSONValue, member: Int) {
        nested[nestedCount] = (member, value)
        nestedCount += 1
    }
}

/// The claimed instant at which the certificates must be valid.
package enum DateClaim {
    /// The value of the payload's date member, in milliseconds since 1970.
    case member(JSONValue?)
    /// A receipt's date, in milliseconds since 1970.
    case attribute(milliseconds: Int64)
    /// A receipt's date that cannot be read, as it is written.
    case unreadableAttribute(JSONString)
    /// A receipt without a date.
    case noAttribute
}

/// The environment and the app that a payload, or a part of a notification, claims.
package struct IdentityClaim {
    /// The environment as the payload names it; `nil` if it does not.
    package var environment: JSONString?
    /// The environment, if the payload names it in another way.
    package var impliedEnvironment: ImpliedEnvironment?
    /// Whether the kind of payload names its app by bundle identifier, and that identifier if it is a string.
    package var hasBundleIdentifier = false
    package var bundleIdentifier: JSONString?
    /// Whether the kind of payload names its app by Apple ID, and the value of that member.
    package var hasAppAppleIdentifier = false
    package var appAppleIdentifier: JSONValue?
}

/// An environment that a payload names in another way than by its name.
package enum ImpliedEnvironment {
    case production
    case sandbox

    /// The environment of an external purchase token, which has no member for it. Apple marks those of the sandbox by
    /// the prefix of their identifier (`externalPurchaseId` in App Store Server Notifications).
    package init(externalPurchaseIdentifier identifier: String) {
        self = identifier.utf8.starts(with: "SANDBOX".utf8) ? .sandbox : .production
    }

    package var environment: AppStoreEnvironment { self == .production ? .production : .sandbox }
}

/// The binding of a payload to one device.
enum DeviceClaim {
    /// The members of a JWS payload.
    case members(hash: JSONValue?, nonce: JSONValue?)
    /// The bytes of a receipt's attributes.
    case attributes(hash: Range<Int>?, opaqueValue: Range<Int>?, bundleIdentifier: Range<Int>?)
}

extension JSONValue? {
    /// The string, if the value is one.
    var string: JSONString? {
        guard case .string(let string)? = self else { return nil }
        return string
    }
}
