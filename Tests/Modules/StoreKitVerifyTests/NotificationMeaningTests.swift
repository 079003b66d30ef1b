import StoreKitVerify
import Testing

/// Checks the meaning of each type and subtype, by the rows of the table in Apple's documentation.
@Suite struct NotificationMeaningTests {
    typealias Row = (
        type: String, subtype: String?, meaning: ServerNotification.Meaning,
        access: ServerNotification.AccessChange
    )

    static let subscriptions: [Row] = [
        ("SUBSCRIBED", "INITIAL_BUY", .subscribed(.first), .grants),
        ("SUBSCRIBED", "RESUBSCRIBE", .subscribed(.again), .grants),
        ("DID_RENEW", nil, .renewed, .grants),
        ("DID_RENEW", "BILLING_RECOVERY", .recovered, .grants),
        ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", .renewalTurnedOn, .keeps),
        ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .renewalTurnedOff, .endsWithPeriod),
        ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", .planChanged(.upgraded), .grants),
        ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", .planChanged(.willDowngrade), .keeps),
        ("DID_CHANGE_RENEWAL_PREF", nil, .planChanged(.reverted), .keeps),
        ("DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", .seatQuantityChanged(.increased), .keeps),
        ("DID_CHANGE_RENEWAL_PREF", "DECREASE_QUANTITY", .seatQuantityChanged(.willDecrease), .keeps),
        ("OFFER_REDEEMED", nil, .offerRedeemed(.samePlan), .keeps),
        ("OFFER_REDEEMED", "UPGRADE", .offerRedeemed(.upgraded), .grants),
        ("OFFER_REDEEMED", "DOWNGRADE", .offerRedeemed(.willDowngrade), .keeps),
        ("OFFER_REDEEMED", "INITIAL_BUY", .offerRedeemed(.subscribed(.first)), .grants),
        ("OFFER_REDEEMED", "RESUBSCRIBE", .offerRedeemed(.subscribed(.again)), .grants),
        ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", .billingFailed(.gracePeriod), .keeps),
        ("DID_FAIL_TO_RENEW", nil, .billingFailed(.noGracePeriod), .ends),
        ("GRACE_PERIOD_EXPIRED", nil, .gracePeriodOver, .ends),
        ("EXPIRED", "VOLUNTARY", .expired(.voluntary), .ends),
        ("EXPIRED", "BILLING_RETRY", .expired(.billing), .ends),
        ("EXPIRED", "PRICE_INCREASE", .expired(.priceIncreaseNotAccepted), .ends),
        ("EXPIRED", "PRODUCT_NOT_FOR_SALE", .expired(.productNotForSale), .ends),
        ("EXPIRED", nil, .expired(.other), .ends),
        ("PRICE_INCREASE", "PENDING", .priceIncreasePending, .endsWithPeriod),
        ("PRICE_INCREASE", "ACCEPTED", .priceIncreaseSettled, .keeps),
    ]

    static let others: [Row] = [
        ("ONE_TIME_CHARGE", nil, .oneTimeCharge, .grants),
        ("CONSUMPTION_REQUEST", nil, .consumptionDataRequested, .keeps),
        ("REFUND", nil, .refunded, .ends),
        ("REFUND", "SEATS", .seatsRefunded, .keeps),
        ("REFUND_DECLINED", nil, .refundDeclined, .keeps),
        ("REFUND_REVERSED", nil, .refundReversed, .grants),
        ("REVOKE", nil, .familySharingRevoked, .ends),
        ("RENEWAL_EXTENDED", nil, .renewalDateExtended, .grants),
        ("RENEWAL_EXTENSION", "SUMMARY", .massExtension(.done), .keeps),
        ("RENEWAL_EXTENSION", "FAILURE", .massExtension(.failedForOne), .keeps),
        ("EXTERNAL_PURCHASE_TOKEN", "CREATED", .externalPurchaseToken(.created), .keeps),
        ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", .externalPurchaseToken(.unreported), .keeps),
        ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", .externalPurchaseToken(.stillActive), .keeps),
        ("RESCIND_CONSENT", nil, .consentRescinded, .ends),
        ("METADATA_UPDATE", nil, .metadataUpdated, .keeps),
        ("MIGRATION", nil, .migrated, .keeps),
        ("MIGRATE", nil, .migrated, .keeps),
        ("PRICE_CHANGE", nil, .priceChanged, .keeps),
        ("UNCLAIM_SEATS", nil, .seatsUnclaimed, .endsForClaims),
        ("TEST", nil, .test, .keeps),
    ]

    @Test(arguments: subscriptions + others)
    func `a type and subtype mean what the documentation says`(row: Row) throws {
        let notification = try MintedNotification.verified(
            MintedNotification.payload(row.type, row.subtype))
        #expect(notification.notificationType.rawValue == row.type)
        #expect(notification.subtype?.rawValue == row.subtype)
        #expect(notification.meaning == row.meaning)
        #expect(notification.accessChange == row.access)
    }

    @Test func `every other combination is unknown, without an error`() throws {
        let rows = Self.subscriptions + Self.others
        let types = Set(rows.map(\.type)).union(["GARDEN_PARTY"])
        let subtypes = Set(rows.map(\.subtype)).union(["RAIN"])
        #expect(types.count == 26)
        #expect(subtypes.count == 24)
        let verifier = try MintedNotification.verifier()
        var unknown = 0
        for type in types {
            for subtype in subtypes where !rows.contains(where: { $0.type == type && $0.subtype == subtype })
            {
                // The notification is unverified, which needs no cryptography. The table applies to it all
                // the same.
                let token = MintedNotification.headless(MintedNotification.payload(type, subtype))
                let notification = try verifier.notification(token).unsafePayloadValue
                let expected = ServerNotification.Meaning.unknown(
                    .init(rawValue: type), subtype.map(ServerNotification.Subtype.init(rawValue:)))
                #expect(notification.meaning == expected)
                #expect(notification.accessChange == .unknown)
                unknown += 1
            }
        }
        #expect(unknown == 26 * 24 - rows.count)
    }

    @Test func `an unknown type and subtype are verified and kept`() throws {
        let notification = try MintedNotification.verified(
            MintedNotification.payload("GARDEN_PARTY", "RAIN", try MintedNotification.goodData()))
        #expect(notification.notificationType.rawValue == "GARDEN_PARTY")
        #expect(notification.subtype?.rawValue == "RAIN")
        #expect(
            notification.meaning == .unknown(.init(rawValue: "GARDEN_PARTY"), .init(rawValue: "RAIN")))
        #expect(try notification.data?.transaction?.payloadValue.id == 2_000_000_900_000_001)
    }
}
