package import WireFormats

/// The members of a signed payload that checks read. The JSON is strict, and each of them occurs at most
/// once.
package struct PayloadMembers {
    /// The parts that a notification can have; it has one of them.
    static let notificationParts = ["data", "summary", "externalPurchaseToken", "appData"]
    /// The members of a notification that hold signed payloads.
    private static let signedMembers = [
        (part: "data", member: "signedTransactionInfo"),
        (part: "data", member: "signedRenewalInfo"),
        (part: "appData", member: "signedAppTransactionInfo"),
    ]

    private static let identityMembers = ["environment", "bundleId", "appAppleId", "externalPurchaseId"]
    static let wanted =
        [
            "signedDate", "environment", "bundleId", "appAppleId", "deviceVerification",
            "deviceVerificationNonce",
        ] + notificationParts + SignedPayloadKind.allIdentifyingMembers

    /// The payload, byte for byte as it was signed.
    let json: [UInt8]
    /// The kind of payload.
    package let kind: SignedPayloadKind
    /// The payload itself.
    package let object: JSONObject
    /// The parts that a notification has; empty for other kinds.
    let parts: [(name: String, object: JSONObject)]

    /// Reads an authentic payload.
    init(_ payload: AuthenticPayload) throws(VerificationError) {
        try self.init(json: payload.bytes)
    }

    /// Reads a payload that will only be displayed.
    package init?(unverified json: [UInt8]) {
        guard let members = try? Self(json: json) else { return nil }
        self = members
    }

    private init(json: [UInt8]) throws(VerificationError) {
        let text = json.span
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(text, wanted: Self.wanted)
        } catch {
            throw VerificationError(.payloadJSON(error))
        }
        let kind = SignedPayloadKind(of: object)
        for name in Self.membersRead(in: kind) where object.duplicates.contains(name) {
            throw VerificationError(.duplicateMember(name))
        }
        parts = kind == .notification ? try Self.parts(of: object, in: text) : []
        self.json = json
        self.kind = kind
        self.object = object
    }

    /// The signed payloads inside, each with the path of its member.
    var signedMembers: [(member: String, value: JSONValue)] {
        Self.signedMembers.compactMap { partName, memberName in
            guard let part = parts.first(where: { $0.name == partName })?.object,
                let value = part[memberName], value != .null
            else { return nil }
            return ("\(partName).\(memberName)", value)
        }
    }

    /// The string in a member, with its escapes resolved; `nil` if the member is absent or not a string.
    package func string(_ name: String, in object: JSONObject) -> String? {
        guard case .string(let string)? = object[name] else { return nil }
        return string.value(in: json.span)
    }

    /// The members that at least one check reads in a payload of the kind.
    private static func membersRead(in kind: SignedPayloadKind) -> [String] {
        var names = [kind.dateMember, "deviceVerification", "deviceVerificationNonce"]
        if kind == .notification { return names + notificationParts }
        names.append(contentsOf: [kind.environmentMember].compactMap(\.self))
        if kind.hasBundleIdentifier { names.append("bundleId") }
        if kind.hasAppAppleIdentifier { names.append("appAppleId") }
        return names
    }

    private static func parts(
        of notification: JSONObject, in text: Span<UInt8>
    ) throws(VerificationError) -> [(name: String, object: JSONObject)] {
        var parts: [(name: String, object: JSONObject)] = []
        for name in notificationParts {
            guard let value = notification[name], value != .null else { continue }
            guard case .object(let range) = value else {
                throw VerificationError(.memberType(name, found: value.kind, expected: "an object"))
            }
            let signed = signedMembers.filter { $0.part == name }.map(\.member)
            let part: JSONObject
            do throws(JSONError) {
                part = try JSONObject(text, in: range, wanted: identityMembers + signed)
            } catch {
                throw VerificationError(.payloadJSON(error))
            }
            if let duplicate = part.duplicates.first {
                throw VerificationError(.duplicateMember("\(name).\(duplicate)"))
            }
            parts.append((name, part))
        }
        return parts
    }
}
