internal import WireFormats

/// Reads the claims of JWS payloads. It can read one payload after the other; then it allocates nothing.
package struct ClaimsReader: Sendable {
    private var payload = JSONObject(wanted: PayloadNames.payload)
    /// The part of a notification that is being read; made at the first notification.
    private var part: JSONObject?

    package init() {}

    /// Reads a payload.
    ///
    /// - Parameter json: the payload. The ranges in the claims begin at its first byte.
    /// - Throws: `PayloadError` if the payload is not one JSON object, if a member that a check reads occurs
    ///   twice, or if a notification's part is not an object.
    package mutating func read(_ json: Span<UInt8>) throws(PayloadError) -> Claims {
        do throws(JSONError) {
            try payload.read(json)
        } catch {
            throw PayloadError(.payloadJSON(error))
        }
        let kind = PayloadNames.kind(of: payload.found)
        if !payload.duplicates.isEmpty { try checkDuplicates(for: kind) }
        var claims = Claims(
            kind: kind, date: .member(payload[kind == .appTransaction ? .receiptCreationDate : .signedDate]),
            device: .members(hash: payload[.deviceVerification], nonce: payload[.deviceVerificationNonce]))
        if kind == .notification { try readParts(into: &claims, from: json) }
        // A notification without parts has the members of its own that a part would have.
        if claims.identityCount == 0 {
            let environment: PayloadName? =
                kind == .notification ? nil : kind == .appTransaction ? .receiptType : .environment
            claims.add(
                IdentityClaim(
                    environment: environment.flatMap { payload[$0].string },
                    hasBundleIdentifier: kind.hasBundleIdentifier,
                    bundleIdentifier: payload[PayloadName.bundleId].string,
                    hasAppAppleIdentifier: kind.hasAppAppleIdentifier,
                    appAppleIdentifier: payload[PayloadName.appAppleId]))
        }
        return claims
    }

    /// Throws if a member that at least one check reads in a payload of the kind occurs twice.
    private func checkDuplicates(for kind: SignedPayloadKind) throws(PayloadError) {
        var names = [kind.dateMember, "deviceVerification", "deviceVerificationNonce"]
        if kind == .notification {
            names.append(contentsOf: NotificationPart.names)
        } else {
            names.append(contentsOf: [kind.environmentMember].compactMap(\.self))
            if kind.hasBundleIdentifier { names.append("bundleId") }
            if kind.hasAppAppleIdentifier { names.append("appAppleId") }
        }
        let duplicates = payload.duplicates
        for name in names where duplicates.contains(name) { throw PayloadError(.duplicateMember(name)) }
    }

    private mutating func readParts(into claims: inout Claims, from json: Span<UInt8>)
        throws(PayloadError)
    {
        var part = self.part.take() ?? JSONObject(wanted: PayloadNames.part)
        defer { self.part = part }
        for (index, member) in NotificationPart.members.enumerated() {
            guard let value = payload[member], value != .null else { continue }
            let name = NotificationPart.names[index]
            guard case .object(let range) = value else {
                throw PayloadError(.memberType(name, found: value.kind, expected: "an object"))
            }
            do throws(JSONError) {
                try part.read(json, in: range)
            } catch {
                throw PayloadError(.payloadJSON(error))
            }
            if let duplicate = part.duplicates.first(where: { NotificationPart.isRead($0, in: index) }) {
                throw PayloadError(.duplicateMember("\(name).\(duplicate)"))
            }
            claims.add(identity(of: part, index, in: json))
            for (number, place) in NotificationPart.signed.enumerated() where place.part == index {
                if let value = part[place.name], value != .null { claims.add(nested: value, member: number) }
            }
        }
    }

    private func identity(of part: JSONObject, _ index: Int, in json: Span<UInt8>) -> IdentityClaim {
        var claim = IdentityClaim(
            hasBundleIdentifier: true, bundleIdentifier: part[PartName.bundleId].string,
            hasAppAppleIdentifier: true,
            appAppleIdentifier: part[PartName.appAppleId])
        if index != NotificationPart.externalPurchaseToken {
            claim.environment = part[PartName.environment].string
        } else if let identifier = part[PartName.externalPurchaseId].string {
            claim.impliedEnvironment = .init(externalPurchaseIdentifier: identifier.value(in: json))
        }
        return claim
    }
}

/// The parts that a notification can have; it has one of them.
enum NotificationPart {
    static let members = [PayloadName.data, .summary, .externalPurchaseToken, .appData, .unclaimInfo]
    static let names = members.map { "\($0)" }
    static let externalPurchaseToken = 2

    /// The members that hold signed payloads, in the order in which they are verified, each with its part.
    static let signed = [
        (part: 0, name: PartName.signedTransactionInfo, path: "data.signedTransactionInfo"),
        (part: 0, name: PartName.signedRenewalInfo, path: "data.signedRenewalInfo"),
        (part: 3, name: PartName.signedAppTransactionInfo, path: "appData.signedAppTransactionInfo"),
    ]

    /// Whether a check reads the member in the part.
    static func isRead(_ name: String, in part: Int) -> Bool {
        PayloadNames.identity.contains(name) || signed.contains { $0.part == part && "\($0.name)" == name }
    }
}
