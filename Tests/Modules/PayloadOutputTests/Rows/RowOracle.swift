import Foundation
import SignedPayloads
import StoreKitVerify
import WireFormats

/// The columns of a payload, read member by member with `PayloadFields`, as StoreKit's types are: the oracle of
/// `RowReader`. Which member fills which column is written here a second time.
enum RowOracle {
    /// How a member is read.
    enum Form {
        case text, textUnlessEmpty, identifier, identifierUnlessZero, count, integer, integerOrOne, flag
        case thousandths, date, dateUnlessEpoch, revocation, uuid, period, base64, array, object, token
        case names([Int: String])
        case priceIncrease, seatCharge
    }

    typealias Member = (column: String, member: String, form: Form)

    private static let offers = [1: "introductory", 2: "promotional", 3: "code", 4: "winBack"]
    private static let status = [
        1: "subscribed", 2: "expired", 3: "inBillingRetryPeriod", 4: "inGracePeriod", 5: "revoked",
    ]
    private static let reasons = [
        1: "autoRenewDisabled", 2: "billingError", 3: "didNotConsentToPriceIncrease",
        4: "productUnavailable", 5: "unknown",
    ]
    private static let renews = [0: "off", 1: "on"]

    static let transaction: [Member] = [
        ("transactionID", "transactionId", .identifier),
        ("originalTransactionID", "originalTransactionId", .identifier),
        ("webOrderLineItemID", "webOrderLineItemId", .text), ("bundleID", "bundleId", .textUnlessEmpty),
        ("productID", "productId", .text), ("productType", "type", .text),
        ("subscriptionGroupID", "subscriptionGroupIdentifier", .text),
        ("purchaseDate", "purchaseDate", .date), ("originalPurchaseDate", "originalPurchaseDate", .date),
        ("expirationDate", "expiresDate", .date), ("quantity", "quantity", .integerOrOne),
        ("isUpgraded", "isUpgraded", .flag), ("ownershipType", "inAppOwnershipType", .textUnlessEmpty),
        ("appAccountToken", "appAccountToken", .uuid), ("environment", "environment", .textUnlessEmpty),
        ("storefront", "storefront", .textUnlessEmpty), ("storefrontID", "storefrontId", .textUnlessEmpty),
        ("transactionReason", "transactionReason", .textUnlessEmpty),
        ("offerType", "offerType", .names(offers)), ("offerTypeNumber", "offerType", .integer),
        ("offerID", "offerIdentifier", .text), ("offerPaymentMode", "offerDiscountType", .text),
        ("offerPeriod", "offerPeriod", .period), ("price", "price", .thousandths),
        ("currency", "currency", .text), ("revocationDate", "revocationDate", .revocation),
        ("revocationReason", "revocationReason", .names([0: "other", 1: "developerIssue"])),
        ("revocationReasonNumber", "revocationReason", .integer),
        ("revocationType", "revocationType", .text),
        ("revocationPercentage", "revocationPercentage", .thousandths),
        ("appTransactionID", "appTransactionId", .textUnlessEmpty),
        ("billingPlanType", "billingPlanType", .text),
        ("advancedCommerceInfo", "advancedCommerceInfo", .object),
        ("previousOriginalTransactionID", "previousOriginalTransactionId", .identifier),
        ("additionalTransactionReason", "additionalTransactionReason", .text),
        ("transactionSignedDate", "signedDate", .date), ("deviceVerification", "deviceVerification", .base64),
        ("deviceVerificationNonce", "deviceVerificationNonce", .uuid),
    ]

    static let commitment: [Member] = [
        ("commitmentExpirationDate", "commitmentExpiresDate", .date),
        ("commitmentBillingPeriodNumber", "billingPeriodNumber", .count),
        ("commitmentTotalBillingPeriods", "totalBillingPeriods", .count),
        ("commitmentPrice", "commitmentPrice", .thousandths),
    ]

    static let seats: [Member] = [
        ("invitationManagement", "invitationManagement", .textUnlessEmpty),
        ("seatCharge", "priceTiers", .seatCharge), ("seatPriceTiers", "priceTiers", .array),
        ("revokedSeatQuantity", "revokedSeatQuantity", .integer),
    ]

    static let renewalSeats: [Member] = [
        ("renewalSeatCharge", "renewalPriceTiers", .seatCharge),
        ("renewalSeatPriceTiers", "renewalPriceTiers", .array),
    ]

    static let renewalInfo: [Member] = [
        ("originalTransactionID", "originalTransactionId", .identifier),
        ("renewalOriginalTransactionID", "originalTransactionId", .identifier),
        ("productID", "productId", .text), ("currentProductID", "productId", .text),
        ("autoRenewProductID", "autoRenewProductId", .text),
        ("autoRenewStatus", "autoRenewStatus", .names(renews)),
        ("autoRenewStatusNumber", "autoRenewStatus", .integer),
        ("expirationReason", "expirationIntent", .names(reasons)),
        ("expirationReasonNumber", "expirationIntent", .integer),
        ("isInBillingRetry", "isInBillingRetryPeriod", .flag),
        ("gracePeriodExpirationDate", "gracePeriodExpiresDate", .date),
        ("priceIncreaseStatus", "priceIncreaseStatus", .priceIncrease),
        ("priceIncreaseStatusNumber", "priceIncreaseStatus", .integer),
        ("renewalDate", "renewalDate", .date),
        ("recentSubscriptionStartDate", "recentSubscriptionStartDate", .dateUnlessEpoch),
        ("environment", "environment", .textUnlessEmpty),
        ("renewalEnvironment", "environment", .textUnlessEmpty),
        ("renewalOfferType", "offerType", .names(offers)), ("renewalOfferTypeNumber", "offerType", .integer),
        ("renewalOfferID", "offerIdentifier", .text),
        ("renewalOfferPaymentMode", "offerDiscountType", .text),
        ("renewalOfferPeriod", "offerPeriod", .period),
        ("eligibleWinBackOfferIDs", "eligibleWinBackOfferIds", .array),
        ("renewalPrice", "renewalPrice", .thousandths), ("renewalCurrency", "currency", .text),
        ("appAccountToken", "appAccountToken", .uuid), ("renewalAppAccountToken", "appAccountToken", .uuid),
        ("appTransactionID", "appTransactionId", .textUnlessEmpty),
        ("renewalAppTransactionID", "appTransactionId", .textUnlessEmpty),
        ("renewalBillingPlanType", "renewalBillingPlanType", .text),
        ("renewalQuantity", "renewalQuantity", .integer),
        ("renewalAdvancedCommerceInfo", "advancedCommerceInfo", .object),
        ("renewalSignedDate", "signedDate", .date), ("deviceVerification", "deviceVerification", .base64),
        ("deviceVerificationNonce", "deviceVerificationNonce", .uuid),
    ]

    static let renewalCommitment: [Member] = [
        ("renewalCommitmentDate", "commitmentRenewalDate", .date),
        ("renewalCommitmentPrice", "commitmentRenewalPrice", .thousandths),
        ("renewalCommitmentAutoRenewStatus", "commitmentAutoRenewStatus", .names(renews)),
        ("renewalCommitmentAutoRenewStatusNumber", "commitmentAutoRenewStatus", .integer),
        ("renewalCommitmentAutoRenewProductID", "commitmentAutoRenewProductId", .text),
        ("renewalCommitmentBillingPlanType", "commitmentRenewalBillingPlanType", .text),
    ]

    static let appTransaction: [Member] = [
        ("appAppleID", "appAppleId", .identifierUnlessZero), ("appVersion", "applicationVersion", .text),
        ("appVersionID", "versionExternalIdentifier", .identifierUnlessZero), ("bundleID", "bundleId", .text),
        ("environment", "receiptType", .textUnlessEmpty),
        ("originalAppVersion", "originalApplicationVersion", .text),
        ("appOriginalPurchaseDate", "originalPurchaseDate", .date), ("preorderDate", "preorderDate", .date),
        ("appRevocationDate", "revocationDate", .revocation), ("requestDate", "requestDate", .date),
        ("appTransactionID", "appTransactionId", .textUnlessEmpty),
        ("originalPlatform", "originalPlatform", .textUnlessEmpty),
        ("storeType", "storeType", .textUnlessEmpty),
        ("deviceVerification", "deviceVerification", .base64),
        ("deviceVerificationNonce", "deviceVerificationNonce", .uuid),
    ]

    static let realtimeRequest: [Member] = [
        ("originalTransactionID", "originalTransactionId", .identifier),
        ("appAppleID", "appAppleId", .identifierUnlessZero), ("productID", "productId", .text),
        ("userLocale", "userLocale", .text), ("requestIdentifier", "requestIdentifier", .uuid),
        ("environment", "environment", .textUnlessEmpty),
    ]

    static let notification: [Member] = [
        ("notificationType", "notificationType", .text), ("subtype", "subtype", .text),
        ("notificationUUID", "notificationUUID", .uuid), ("notificationVersion", "version", .text),
    ]

    static let parts: [(member: String, members: [Member])] = [
        (
            "data",
            [
                ("appAppleID", "appAppleId", .identifierUnlessZero),
                ("bundleID", "bundleId", .textUnlessEmpty), ("bundleVersion", "bundleVersion", .text),
                ("environment", "environment", .textUnlessEmpty), ("status", "status", .names(status)),
                ("statusNumber", "status", .integer),
                ("consumptionRequestReason", "consumptionRequestReason", .text),
            ]
        ),
        (
            "summary",
            [
                ("appAppleID", "appAppleId", .identifierUnlessZero),
                ("bundleID", "bundleId", .textUnlessEmpty), ("environment", "environment", .textUnlessEmpty),
                ("productID", "productId", .text), ("requestIdentifier", "requestIdentifier", .text),
                ("storefrontCountryCodes", "storefrontCountryCodes", .array),
                ("succeededCount", "succeededCount", .integer), ("failedCount", "failedCount", .integer),
            ]
        ),
        (
            "externalPurchaseToken",
            [
                ("appAppleID", "appAppleId", .identifierUnlessZero),
                ("bundleID", "bundleId", .textUnlessEmpty), ("environment", "externalPurchaseId", .token),
                ("externalPurchaseID", "externalPurchaseId", .text),
                ("externalPurchaseTokenType", "tokenType", .text),
                ("externalPurchaseTokenCreationDate", "tokenCreationDate", .date),
                ("externalPurchaseTokenExpirationDate", "tokenExpirationDate", .date),
            ]
        ),
        (
            "appData",
            [
                ("appAppleID", "appAppleId", .identifierUnlessZero),
                ("bundleID", "bundleId", .textUnlessEmpty), ("environment", "environment", .textUnlessEmpty),
            ]
        ),
        (
            "unclaimInfo",
            [
                ("appAppleID", "appAppleId", .identifierUnlessZero),
                ("bundleID", "bundleId", .textUnlessEmpty), ("environment", "environment", .textUnlessEmpty),
                ("originalTransactionID", "originalTransactionId", .identifier),
                ("unclaimedSeatIDs", "unclaimSeatIds", .array),
            ]
        ),
    ]

    // MARK: - Reading

    /// The columns of a payload and of those inside it, by the paths of their members.
    static func row(
        _ kind: SignedPayloadKind, _ json: [UInt8], inner: [String: [UInt8]] = [:]
    ) throws -> [String: ParsedRow.Value] {
        var row: [String: ParsedRow.Value] = ["verified": .bool(true), "kind": .string(kind.rawValue)]
        let dates: [Member] = [("signedDate", kind.dateMember, .date)]
        switch kind {
        case .transaction, .renewalInfo, .appTransaction, .realtimeRequest:
            try add(dates, json, to: &row)
            try add(kind, json, to: &row)
        case .notification:
            try add(dates + notification, json, to: &row)
            addMeaning(of: json, to: &row)
            for (path, kind) in [
                ("data.signedTransactionInfo", SignedPayloadKind.transaction),
                ("data.signedRenewalInfo", .renewalInfo),
                ("appData.signedAppTransactionInfo", .appTransaction),
            ] {
                if let payload = inner[path] { try add(kind, payload, to: &row) }
            }
            for (member, members) in parts { try add(members, json, in: member, to: &row) }
        case .receipt, .unknown: break
        }
        return row
    }

    private static func add(
        _ kind: SignedPayloadKind, _ json: [UInt8], to row: inout [String: ParsedRow.Value]
    ) throws {
        switch kind {
        case .transaction:
            try add(transaction, json, to: &row)
            try add(commitment, json, in: "commitmentInfo", to: &row)
            try add(seats, json, in: "multiSeatInfo", to: &row)
        case .renewalInfo:
            try add(renewalInfo, json, to: &row)
            try add(renewalCommitment, json, in: "commitmentInfo", to: &row)
            try add(renewalSeats, json, in: "multiSeatInfo", to: &row)
        case .appTransaction: try add(appTransaction, json, to: &row)
        default: try add(realtimeRequest, json, to: &row)
        }
    }

    private static func addMeaning(of json: [UInt8], to row: inout [String: ParsedRow.Value]) {
        guard let fields = try? PayloadFields(json, names: MemberNames(["notificationType", "subtype"]))
        else {
            return
        }
        let (meaning, access) = ServerNotification.tableRow(
            .init(rawValue: fields.string("notificationType") ?? ""),
            fields.string("subtype").map(ServerNotification.Subtype.init(rawValue:)))
        row["meaning"] = .string(meaning.name)
        row["accessChange"] = .string(access.rawValue)
    }

    /// Adds the columns that are not there yet.
    private static func add(
        _ members: [Member], _ json: [UInt8], in object: String? = nil,
        to row: inout [String: ParsedRow.Value]
    ) throws {
        let names = MemberNames(Array(Set(members.map(\.member))))
        let outer = try JSONObject(json.span, wanted: MemberNames(object.map { [$0] } ?? []))
        var range = 0..<json.count
        if object != nil {
            guard case .object(let place)? = outer[0] else { return }
            range = place
        }
        let text = Array(json[range])
        let raw = try JSONObject(text.span, wanted: names)
        let fields = try PayloadFields(text, names: names)
        for (column, member, form) in members where row[column] == nil {
            row[column] = value(form, member, fields, raw, text)
        }
    }

    private static func value(
        _ form: Form, _ name: String, _ fields: PayloadFields, _ raw: JSONObject, _ json: [UInt8]
    ) -> ParsedRow.Value? {
        switch form {
        case .text: fields.string(name).map { .string($0) }
        case .textUnlessEmpty: fields.string(name).flatMap { $0.isEmpty ? nil : .string($0) }
        case .identifier: fields.identifier(name).map { .string("\($0)") }
        case .identifierUnlessZero: fields.identifier(name).flatMap { $0 == 0 ? nil : .string("\($0)") }
        case .count: fields.identifier(name).map { .number("\(Int(clamping: $0))") }
        case .integer: fields.integer(name).map { .number("\($0)") }
        case .integerOrOne: .number("\(fields.integer(name) ?? 1)")
        case .flag: .bool(fields.bool(name) ?? false)
        case .thousandths:
            isZero(raw[name], json) ? .string("0") : fields.thousandths(name).flatMap(decimal)
        case .date: fields.date(name).flatMap(date)
        case .revocation:
            fields.has(name) ? fields.date(name).flatMap(date) ?? .string("0001-01-01T00:00:00.000Z") : nil
        case .dateUnlessEpoch:
            fields.date(name).flatMap { $0.timeIntervalSince1970 == 0 ? nil : date($0) }
        case .uuid: fields.string(name).flatMap(uuid)
        case .period:
            fields.string(name).flatMap(Product.SubscriptionPeriod.init(iso8601:)).map { .string($0.iso8601) }
        case .base64:
            fields.string(name).flatMap { Data(base64Encoded: $0) }.flatMap {
                $0.isEmpty ? nil : .string($0.base64EncodedString())
            }
        case .array: if case .array(let range)? = raw[name] { oneLine(json[range]) } else { nil }
        case .object: if case .object(let range)? = raw[name] { oneLine(json[range]) } else { nil }
        case .token: fields.string(name).map { .string($0.hasPrefix("SANDBOX") ? "Sandbox" : "Production") }
        case .names(let names): fields.integer(name).flatMap { names[$0] }.map { .string($0) }
        case .seatCharge: seatCharge(raw[name], json).flatMap(decimal)
        case .priceIncrease:
            .string(fields.integer(name).flatMap { [0: "pending", 1: "agreed"][$0] } ?? "noIncreasePending")
        }
    }

    /// The sum over all tiers; `nil` if one tier is odd, or has a member twice.
    private static func seatCharge(_ value: JSONValue?, _ json: [UInt8]) -> Decimal? {
        let names = MemberNames(["price", "quantity"])
        guard let tiers = value?.elements(in: json.span), !tiers.isEmpty else { return nil }
        var sum = Decimal(0)
        for tier in tiers {
            guard case .object(let range) = tier,
                let fields = try? PayloadFields(Array(json[range]), names: names),
                let object = try? JSONObject(json.span, in: range, wanted: names), object.duplicates.isEmpty,
                let price = fields.thousandths("price"), let quantity = fields.integer("quantity"),
                price >= 0, quantity >= 0
            else { return nil }
            guard Int64((price * 1000).description) != nil else { return nil }
            sum += price * Decimal(quantity)
        }
        return sum
    }

    private static func date(_ date: Date) -> ParsedRow.Value? {
        let text = TypedOracle.iso8601(date)
        return text.hasSuffix("Z") ? .string(text) : nil
    }

    /// Whether a number is zero. `Decimal` does not read a zero with a large exponent.
    private static func isZero(_ value: JSONValue?, _ json: [UInt8]) -> Bool {
        guard case .number(let range)? = value else { return false }
        return json[range].prefix { $0 | 0x20 != UInt8(ascii: "e") }
            .allSatisfy { [UInt8(ascii: "0"), UInt8(ascii: "."), UInt8(ascii: "-")].contains($0) }
    }

    /// A decimal of whole thousandths, in 64 bits.
    private static func decimal(_ number: Decimal) -> ParsedRow.Value? {
        guard let whole = Int64((number * 1000).description), whole != .min else { return nil }
        return .string(number.description)
    }

    private static func uuid(_ text: String) -> ParsedRow.Value? {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        return .string(uuid.uuidString.lowercased())
    }

    private static func oneLine(_ json: ArraySlice<UInt8>) -> ParsedRow.Value {
        .string(String(decoding: json.filter { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self))
    }
}
