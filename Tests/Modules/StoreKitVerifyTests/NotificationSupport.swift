import Foundation
import Minting
import SignedPayloads
import StoreKitVerify
import Testing

/// Notifications about an invented app, and the payloads inside them.
enum MintedNotification {
    static let uuid = "7c5f1e0a-2b3d-4c6e-9f80-1a2b3c4d5e6f"
    static let date = #""signedDate":1760000000123"#

    static let transaction = """
        {"transactionId":"2000000900000001","originalTransactionId":"2000000900000000",\
        "bundleId":"com.example.garden","productId":"com.example.garden.plus",\
        "type":"Auto-Renewable Subscription","purchaseDate":1759990000000,\
        "originalPurchaseDate":1757400000000,"expiresDate":1762600000000,"environment":"Sandbox",\(date)}
        """
    static let renewalInfo = """
        {"originalTransactionId":"2000000900000000","productId":"com.example.garden.plus",\
        "autoRenewProductId":"com.example.garden.plus","autoRenewStatus":1,"environment":"Sandbox",\(date)}
        """
    static let appTransaction = """
        {"receiptType":"Sandbox","bundleId":"com.example.garden","applicationVersion":"3.1",\
        "originalApplicationVersion":"1.0","originalPurchaseDate":1640995200000,\
        "receiptCreationDate":1760000000000}
        """

    /// A notification's payload.
    ///
    /// - Parameter members: further members as JSON, each with a comma before it.
    static func payload(_ type: String, _ subtype: String? = nil, _ members: String = "") -> String {
        let subtype = subtype.map { #","subtype":"\#($0)""# } ?? ""
        return #"{"notificationType":"\#(type)"\#(subtype),"notificationUUID":"\#(uuid)""#
            + #"\#(members),"version":"2.0",\#(date)}"#
    }

    /// The member `data` around two tokens.
    static func data(_ transaction: String, _ renewalInfo: String, more: String = "") -> String {
        #","data":{"bundleId":"com.example.garden","environment":"Sandbox","#
            + #""signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(renewalInfo)"\#(more)}"#
    }

    /// The member `data` around good tokens.
    static func goodData() throws -> String { data(try token(transaction), try token(renewalInfo)) }

    static func token(_ payload: String) throws -> String {
        try TestPKI.p256().minter().token(payload: payload)
    }

    /// A token whose header breaks the rules. The verifier refuses it before any cryptography.
    static func headless(_ payload: String) -> String {
        let encoded = Data(payload.utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
        return "e30.\(encoded).AA"
    }

    /// The token with a changed payload and the old signature.
    static func tampered(_ token: String, payload: String) -> String {
        let segments = token.split(separator: ".")
        return "\(segments[0])\(headless(payload).dropFirst(3).dropLast(2))\(segments[2])"
    }

    static func verifier(
        _ configure: (inout VerificationPolicy) -> Void = { _ in }
    ) throws -> StoreKitVerifier {
        var policy = VerificationPolicy()
        configure(&policy)
        let root = TrustAnchor(der: try TestPKI.p256().root.der())
        return StoreKitVerifier(try SignedPayloadVerifier(anchors: [root], policy: policy))
    }

    /// Signs a notification with this payload, and verifies it.
    static func verified(_ payload: String) throws -> ServerNotification {
        try verifier().notification(try token(payload)).payloadValue
    }
}

/// A decoded JSON value.
enum JSONTree: Hashable, Decodable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONTree].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    init(_ string: String?) { self = string.map(JSONTree.string) ?? .null }

    init(_ number: UInt64?) { self = number.map { .number(Double($0)) } ?? .null }

    init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .null }

    /// Milliseconds since 1970.
    init(_ date: Date?) {
        self = date.map { .number(($0.timeIntervalSince1970 * 1000).rounded()) } ?? .null
    }

    /// A UUID may have upper case or lower case digits. The App Store writes lower case.
    init(_ uuid: UUID) { self = .string(uuid.uuidString.lowercased()) }

    /// A JSON object's members.
    static func members(of json: Data) throws -> [String: JSONTree] {
        try JSONDecoder().decode([String: JSONTree].self, from: json)
    }
}

extension ServerNotification {
    /// The values of the properties, under the names of the payload's members.
    var asMembers: [String: JSONTree] {
        [
            "notificationType": JSONTree(notificationType.rawValue), "subtype": JSONTree(subtype?.rawValue),
            "notificationUUID": JSONTree(notificationUUID), "version": JSONTree(version),
            "signedDate": JSONTree(signedDate), "data": JSONTree(data?.asMembers),
            "summary": JSONTree(summary?.asMembers), "appData": JSONTree(appData?.asMembers),
            "unclaimInfo": JSONTree(unclaimInfo?.asMembers),
            "externalPurchaseToken": JSONTree(externalPurchaseToken?.asMembers),
        ]
    }
}

extension JSONTree {
    /// An object of the members that are not `nil`.
    init(_ members: [String: JSONTree]?) {
        self = members.map { .object($0.filter { $0.value != .null }) } ?? .null
    }
}

extension NotificationData {
    fileprivate var asMembers: [String: JSONTree] {
        [
            "appAppleId": JSONTree(appAppleID), "bundleId": JSONTree(bundleID),
            "bundleVersion": JSONTree(bundleVersion), "environment": JSONTree(environment?.rawValue),
            "status": JSONTree(status?.rawValue),
            "consumptionRequestReason": JSONTree(consumptionRequestReason?.rawValue),
            "signedTransactionInfo": JSONTree(transaction?.jwsRepresentation),
            "signedRenewalInfo": JSONTree(renewalInfo?.jwsRepresentation),
        ]
    }
}

extension NotificationSummary {
    fileprivate var asMembers: [String: JSONTree] {
        [
            "appAppleId": JSONTree(appAppleID), "bundleId": JSONTree(bundleID),
            "environment": JSONTree(environment?.rawValue), "productId": JSONTree(productID),
            "requestIdentifier": JSONTree(requestIdentifier),
            "storefrontCountryCodes": .array(storefrontCountryCodes.map(JSONTree.string)),
            "succeededCount": JSONTree(succeededCount), "failedCount": JSONTree(failedCount),
        ]
    }
}

extension ExternalPurchaseToken {
    fileprivate var asMembers: [String: JSONTree] {
        [
            "externalPurchaseId": JSONTree(externalPurchaseID), "appAppleId": JSONTree(appAppleID),
            "bundleId": JSONTree(bundleID), "tokenType": JSONTree(tokenType?.rawValue),
            "tokenCreationDate": JSONTree(tokenCreationDate),
            "tokenExpirationDate": JSONTree(tokenExpirationDate),
        ]
    }
}

extension NotificationUnclaimInfo {
    fileprivate var asMembers: [String: JSONTree] {
        [
            "unclaimSeatIds": .array(unclaimSeatIDs.map { JSONTree($0) }),
            "originalTransactionId": JSONTree(originalTransactionID.map { "\($0)" }),
            "appAppleId": JSONTree(appAppleID), "bundleId": JSONTree(bundleID),
            "environment": JSONTree(environment?.rawValue),
        ]
    }
}

extension NotificationAppData {
    fileprivate var asMembers: [String: JSONTree] {
        [
            "appAppleId": JSONTree(appAppleID), "bundleId": JSONTree(bundleID),
            "environment": JSONTree(environment?.rawValue),
            "signedAppTransactionInfo": JSONTree(appTransaction?.jwsRepresentation),
        ]
    }
}
