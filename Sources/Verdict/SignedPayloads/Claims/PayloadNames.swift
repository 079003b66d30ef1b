internal import WireFormats

/// The members of a payload whose values checks read. The cases are the members' names.
enum PayloadName: Int, CaseIterable {
    case signedDate, receiptCreationDate, environment, receiptType, bundleId, appAppleId
    case deviceVerification, deviceVerificationNonce
    case data, summary, externalPurchaseToken, appData, unclaimInfo
}

/// The members of a notification's part that checks read. The cases are the members' names.
enum PartName: Int, CaseIterable {
    case environment, bundleId, appAppleId, externalPurchaseId
    case signedTransactionInfo, signedRenewalInfo, signedAppTransactionInfo
}

/// The names that are looked for in payloads.
enum PayloadNames {
    /// The members of `PayloadName`, and behind them those that only identify the kind.
    static let payload = MemberNames(names)
    /// The members of `PartName`.
    static let part = MemberNames(PartName.allCases.map { "\($0)" })
    /// The members that identify the environment and the app of a notification's part.
    static let identity = PartName.allCases[..<4].map { "\($0)" }

    private static let names: [String] = {
        let read = PayloadName.allCases.map { "\($0)" }
        return read + SignedPayloadKind.allIdentifyingMembers.filter { !read.contains($0) }
    }()

    /// Each kind with the members that identify it, one bit each, in the order in which they decide.
    private static let kinds = SignedPayloadKind.identifyingMembers.map { kind, members in
        (kind, members.compactMap(payload.index(of:)).reduce(UInt64(0)) { $0 | 1 << UInt64($1) })
    }

    /// The kind of the payload that has these members, one bit each.
    @inline(__always)
    static func kind(of found: UInt64) -> SignedPayloadKind {
        for (kind, members) in kinds where found & members != 0 { return kind }
        return .unknown
    }
}

extension JSONObject {
    /// The value of a payload's member.
    @inline(__always)
    subscript(name: PayloadName) -> JSONValue? { self[name.rawValue] }

    /// The value of a member of a notification's part.
    @inline(__always)
    subscript(name: PartName) -> JSONValue? { self[name.rawValue] }
}
