import Foundation
import StoreKitVerify
import Testing

/// A JSON value, for comparison with the value of a property.
enum JSONMember: Decodable, Equatable, CustomStringConvertible {
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONMember])
    case object([String: JSONMember])
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONMember].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONMember].self))
        }
    }

    var description: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .array(let value): "\(value)"
        case .object(let value): "\(value)"
        case .null: "null"
        }
    }

    // These functions turn property values back into the payload's JSON. `nil` stays `nil`.

    static func text(_ value: String?) -> JSONMember? { value.map(JSONMember.string) }
    static func id(_ value: UInt64?) -> JSONMember? { value.map { .string(String($0)) } }
    static func count(_ value: Int?) -> JSONMember? { value.map { .number(Decimal($0)) } }
    static func milli(_ value: Decimal?) -> JSONMember? { value.map { .number($0 * 1000) } }
    static func uuid(_ value: UUID?) -> JSONMember? { value.map { .string($0.uuidString.lowercased()) } }
    static func data(_ value: Data) -> JSONMember? { .string(value.base64EncodedString()) }

    /// Milliseconds, rounded to the tenth of a microsecond. Both the payload's digits and `Date` have that
    /// precision.
    static func date(_ value: Date?) -> JSONMember? {
        value.map { .number(Decimal(($0.timeIntervalSince1970 * 1_000).rounded(toTenThousandths: ()))) }
    }

    /// Xcode's dates have fractions of a millisecond. A binary fraction keeps them to a quarter of a
    /// microsecond.
    func isClose(to other: JSONMember) -> Bool {
        if case .number(let one) = self, case .number(let two) = other {
            let difference = one - two
            return difference < Decimal(0.001) && difference > Decimal(-0.001)
        }
        return self == other
    }
}

extension Double {
    fileprivate func rounded(toTenThousandths: Void) -> Double { (self * 10_000).rounded() / 10_000 }
}

/// The property for each member of a payload.
typealias SignedMembers<Value> = [String: @Sendable (Value) -> JSONMember?]

/// Visits all members of a payload. Each must have a property with the value that was signed.
func expectNothingLost<Value: DeviceSignedValue>(
    _ result: VerificationResult<Value>, _ members: SignedMembers<Value>, _ name: String
) throws {
    let value = try result.payloadValue
    #expect(value.jsonRepresentation == result.payloadData)
    #expect(value.debugDescription == String(decoding: value.jsonRepresentation, as: UTF8.self))
    let payload = try JSONDecoder().decode([String: JSONMember].self, from: value.jsonRepresentation)
    for (member, signed) in payload {
        guard let property = members[member] else {
            Issue.record("\(name): \(member) has no property")
            continue
        }
        let found = property(value)
        #expect(
            found?.isClose(to: signed) ?? false,
            "\(name): \(member) is \(signed), and comes out as \(String(describing: found))")
    }
}

let transactionMembers: SignedMembers<Transaction> = [
    "transactionId": { .id($0.id) }, "originalTransactionId": { .id($0.originalID) },
    "webOrderLineItemId": { .text($0.webOrderLineItemID) }, "bundleId": { .text($0.appBundleID) },
    "productId": { .text($0.productID) }, "type": { .text($0.productType.rawValue) },
    "subscriptionGroupIdentifier": { .text($0.subscriptionGroupID) },
    "purchaseDate": { .date($0.purchaseDate) },
    "originalPurchaseDate": { .date($0.originalPurchaseDate) }, "expiresDate": { .date($0.expirationDate) },
    "quantity": { .count($0.purchasedQuantity) }, "isUpgraded": { .bool($0.isUpgraded) },
    "inAppOwnershipType": { .text($0.ownershipType.rawValue) },
    "appAccountToken": { .uuid($0.appAccountToken) },
    "environment": { .text($0.environment.rawValue) }, "storefront": { .text($0.storefront.countryCode) },
    "storefrontId": { .text($0.storefront.id) }, "transactionReason": { .text($0.reason.rawValue) },
    "offerType": { .count($0.offer?.type.rawValue) }, "offerIdentifier": { .text($0.offer?.id) },
    "offerDiscountType": { .text($0.offer?.paymentMode?.rawValue) },
    "offerPeriod": { .text($0.offer?.period?.iso8601) }, "price": { .milli($0.price) },
    "currency": { .text($0.currency?.identifier.uppercased()) },
    "revocationDate": { .date($0.revocationDate) },
    "revocationReason": { .count($0.revocationReason?.rawValue) },
    "revocationType": { .text($0.revocationType?.rawValue) },
    "revocationPercentage": { .milli($0.revocationPercentage) },
    "appTransactionId": { .text($0.appTransactionID) },
    "billingPlanType": { .text($0.billingPlanType?.rawValue) },
    "commitmentInfo": { transaction in
        transaction.commitmentInfo.map { info in
            .object(
                [
                    "commitmentExpiresDate": .date(info.expirationDate),
                    "billingPeriodNumber": .number(Decimal(info.billingPeriodNumber)),
                    "totalBillingPeriods": .number(Decimal(info.totalBillingPeriods)),
                    "commitmentPrice": .milli(info.price),
                ].compactMapValues(\.self))
        }
    },
    "additionalTransactionReason": { .text($0.additionalTransactionReason?.rawValue) },
    "multiSeatInfo": { transaction in
        transaction.multiSeatInfo.map { info in
            let members: [String: JSONMember?] = [
                "invitationManagement": .text(info.invitationManagement.rawValue),
                "priceTiers": tiers(info.priceTiers),
                "revokedSeatQuantity": .count(info.revokedSeatQuantity),
            ]
            return .object(members.compactMapValues(\.self))
        }
    },
    "advancedCommerceInfo": { transaction in
        transaction.advancedCommerceInfo.map { info in
            .object(
                [
                    "descriptors": info.descriptors.map { .object(details($0)) },
                    "estimatedTax": .milli(info.estimatedTax),
                    "items": .array(info.items.map { .object(item($0)) }),
                    "period": .text(info.period?.iso8601),
                    "requestReferenceId": .text(info.requestReferenceID),
                    "taxCode": .text(info.taxCode), "taxExclusivePrice": .milli(info.taxExclusivePrice),
                    "taxRate": .text(info.taxRate.map { "\($0)" }),
                ].compactMapValues(\.self))
        }
    },
    "previousOriginalTransactionId": { .id($0.previousOriginalTransactionID) },
    "signedDate": { .date($0.signedDate) }, "deviceVerification": { .data($0.deviceVerification) },
    "deviceVerificationNonce": { .uuid($0.deviceVerificationNonce) },
]

private func tiers(_ tiers: [Transaction.MultiSeatInfo.PriceTier]) -> JSONMember {
    .array(
        tiers.map { tier in
            .object(
                ["price": .milli(tier.price), "quantity": .count(tier.quantity)].compactMapValues(\.self))
        })
}

let renewalInfoMembers: SignedMembers<Product.SubscriptionInfo.RenewalInfo> = [
    "originalTransactionId": { .id($0.originalTransactionID) }, "productId": { .text($0.currentProductID) },
    // StoreKit has no preference if the subscription will not renew. The product is then only in the JSON.
    "autoRenewProductId": { $0.willAutoRenew ? .text($0.autoRenewPreference) : .text($0.currentProductID) },
    "autoRenewStatus": { .count($0.willAutoRenew ? 1 : 0) },
    "expirationIntent": { .count($0.expirationReason?.rawValue) },
    "isInBillingRetryPeriod": { .bool($0.isInBillingRetry) },
    "gracePeriodExpiresDate": { .date($0.gracePeriodExpirationDate) },
    "priceIncreaseStatus": { info in
        switch info.priceIncreaseStatus {
        case .noIncreasePending: nil
        case .pending: .count(0)
        case .agreed: .count(1)
        }
    },
    "renewalDate": { .date($0.renewalDate) },
    "recentSubscriptionStartDate": { .date($0.recentSubscriptionStartDate) },
    "environment": { .text($0.environment.rawValue) }, "offerType": { .count($0.offer?.type.rawValue) },
    "offerIdentifier": { .text($0.offer?.id) },
    "offerDiscountType": { .text($0.offer?.paymentMode?.rawValue) },
    "offerPeriod": { .text($0.offer?.period?.iso8601) },
    "eligibleWinBackOfferIds": { .array($0.eligibleWinBackOfferIDs.map(JSONMember.string)) },
    "renewalPrice": { .milli($0.renewalPrice) }, "currency": { .text($0.currency?.identifier.uppercased()) },
    "appAccountToken": { .uuid($0.appAccountToken) }, "appTransactionId": { .text($0.appTransactionID) },
    "renewalBillingPlanType": { .text($0.renewalBillingPlanType?.rawValue) },
    "commitmentInfo": { renewalInfo in
        renewalInfo.commitmentInfo.map { info in
            .object(
                [
                    "commitmentRenewalDate": .date(info.renewalDate),
                    "commitmentRenewalPrice": .milli(info.renewalPrice),
                    "commitmentAutoRenewStatus": .count(info.willAutoRenew ? 1 : 0),
                    "commitmentAutoRenewProductId": .text(info.autoRenewPreference),
                    "commitmentRenewalBillingPlanType": .text(info.renewalBillingPlanType?.rawValue),
                ].compactMapValues(\.self))
        }
    },
    "renewalQuantity": { .count($0.renewalQuantity) },
    "multiSeatInfo": { renewalInfo in
        renewalInfo.multiSeatInfo.map { .object(["renewalPriceTiers": tiers($0.renewalPriceTiers)]) }
    },
    "advancedCommerceInfo": { renewalInfo in
        renewalInfo.advancedCommerceInfo.map { info in
            .object(
                [
                    "consistencyToken": .text(info.consistencyToken),
                    "descriptors": info.descriptors.map { .object(details($0)) },
                    "items": .array(info.items.map { .object(item($0)) }),
                    "period": .text(info.period?.iso8601),
                    "requestReferenceId": .text(info.requestReferenceID), "taxCode": .text(info.taxCode),
                ].compactMapValues(\.self))
        }
    },
    "signedDate": { .date($0.signedDate) }, "deviceVerification": { .data($0.deviceVerification) },
    "deviceVerificationNonce": { .uuid($0.deviceVerificationNonce) },
]

let appTransactionMembers: SignedMembers<AppTransaction> = [
    "receiptType": { .text($0.environment.rawValue) },
    "appAppleId": { .number(Decimal($0.appID ?? 0)) }, "bundleId": { .text($0.bundleID) },
    "applicationVersion": { .text($0.appVersion) },
    "versionExternalIdentifier": { .number(Decimal($0.appVersionID ?? 0)) },
    "receiptCreationDate": { .date($0.signedDate) }, "requestDate": { .date($0.requestDate) },
    "originalPurchaseDate": { .date($0.originalPurchaseDate) },
    "originalApplicationVersion": { .text($0.originalAppVersion) },
    "preorderDate": { .date($0.preorderDate) },
    "appTransactionId": { .text($0.appTransactionID) },
    "originalPlatform": { .text($0.originalPlatform.rawValue) },
    "storeType": { .text($0.storeType.rawValue) },
    "revocationDate": { .date($0.revocationDate) }, "deviceVerification": { .data($0.deviceVerification) },
    "deviceVerificationNonce": { .uuid($0.deviceVerificationNonce) },
]

private func details(_ details: AdvancedCommerce.Details) -> [String: JSONMember] {
    [
        "SKU": .text(details.sku), "displayName": .text(details.displayName),
        "description": .text(details.description),
        "seatPriceTiers": details.seatPriceTiers.isEmpty ? nil : seatPriceTiers(details.seatPriceTiers),
    ].compactMapValues(\.self)
}

private func seatPriceTiers(_ tiers: [AdvancedCommerce.SeatPriceTier]) -> JSONMember {
    .array(
        tiers.map { tier in
            .object(
                [
                    "price": .milli(tier.price), "maximumSeatQuantity": .count(tier.maximumSeatQuantity),
                ].compactMapValues(\.self))
        })
}

private func offer(_ offer: AdvancedCommerce.Offer?) -> JSONMember? {
    offer.map { offer in
        .object(
            [
                "period": .text(offer.period?.iso8601), "periodCount": .count(offer.periodCount),
                "price": .milli(offer.price), "reason": .text(offer.reason?.rawValue),
            ].compactMapValues(\.self))
    }
}

private func item(_ item: Transaction.AdvancedCommerceInfo.Item) -> [String: JSONMember] {
    let refunds = item.refunds.map { refund in
        JSONMember.object(
            [
                "refundAmount": .milli(refund.amount), "refundDate": .date(refund.date),
                "refundReason": .text(refund.reason?.rawValue), "refundType": .text(refund.type?.rawValue),
                "revokedSeatQuantity": .count(refund.revokedSeatQuantity),
            ].compactMapValues(\.self))
    }
    let others: [String: JSONMember?] = [
        "offer": offer(item.offer), "price": .milli(item.price), "refunds": .array(refunds),
        "revocationDate": .date(item.revocationDate),
    ]
    return details(item.details).merging(others.compactMapValues(\.self)) { $1 }
}

private func item(_ item: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item) -> [String:
    JSONMember]
{
    let increase = item.priceIncreaseInfo.map { info in
        JSONMember.object(
            [
                "dependentSKUs": .array(info.dependentSKUs.map(JSONMember.string)),
                "price": .milli(info.price),
                "status": .text(info.status?.rawValue),
            ].compactMapValues(\.self))
    }
    let others: [String: JSONMember?] = [
        "offer": offer(item.offer), "price": .milli(item.price), "priceIncreaseInfo": increase,
    ]
    return details(item.details).merging(others.compactMapValues(\.self)) { $1 }
}
