/// The scenarios that come with the test App Store, by their names.
///
/// Each is the shortest life that produces one of Apple's notifications, or a case that webhooks get wrong: a test holds
/// that together they produce every type and subtype of notification. A text is a scenario as a user writes it, so that
/// each is also an example. `$subscription` and the like find a product in any `.storekit` file.
extension Scenario {
    /// A scenario by its name; `nil` if there is none.
    public static func builtIn(_ name: String) -> BuiltIn? { builtIns.first { $0.name == name } }

    /// A scenario that comes with the test App Store.
    public struct BuiltIn: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The events in it, in a sentence.
        public let summary: String
        /// The lines.
        public let text: String

        init(_ name: String, _ summary: String, _ text: String) {
            (self.name, self.summary, self.text) = (name, summary, text)
        }

        /// The scenario.
        ///
        /// - Throws: `ScenarioError`.
        public func scenario() throws(ScenarioError) -> Scenario { try Scenario(text, name: name) }
    }

    /// All scenarios that come with the test App Store.
    public static let builtIns: [BuiltIn] = subscriptionScenarios + purchaseScenarios + otherScenarios

    private static let subscriptionScenarios = [
        BuiltIn(
            "lifecycle", "A subscription begins, renews, is cancelled, expires, and is bought again.",
            """
            +0      buy $subscription
            +2p10d  cancel
            +2p12d  resume
            +2p14d  cancel
            +4p20d  buy $subscription
            +6p     end
            """),
        BuiltIn("subscribe", "A customer subscribes.", "+0 buy $subscription"),
        BuiltIn(
            "trial", "A customer subscribes with an introductory offer, which becomes a paid subscription.",
            """
            +0   buy $trial
            +3p  end
            """),
        BuiltIn(
            "renewal", "A subscription renews.",
            """
            +0   buy $subscription intro=no
            +1p  end
            """),
        BuiltIn(
            "cancel", "A customer turns automatic renewal off, and the subscription expires.",
            """
            +0   buy $subscription intro=no
            +2d  cancel
            +1p  end
            """),
        BuiltIn(
            "billing-retry", "A renewal cannot be paid for; the customer pays 30 days later.",
            """
            set grace off
            +0      buy $subscription intro=no
            +2d     fail-payments
            +1p30d  fix-payments
            """),
        BuiltIn(
            "billing-retry-expired", "A renewal cannot be paid for, and never is.",
            """
            set grace off
            +0      buy $subscription intro=no
            +2d     fail-payments
            +1p60d  end
            """),
        BuiltIn(
            "grace-period", "A renewal cannot be paid for; the customer pays within the grace period.",
            """
            set grace on
            +0     buy $subscription intro=no
            +2d    fail-payments
            +1p4d  fix-payments
            """),
        BuiltIn(
            "grace-period-expired", "A grace period passes without payment, and so does billing retry.",
            """
            set grace on
            +0      buy $subscription intro=no
            +2d     fail-payments
            +1p60d  end
            """),
        BuiltIn(
            "cancel-in-billing-retry", "A customer cancels while a renewal cannot be paid for.",
            """
            set grace on
            +0     buy $subscription intro=no
            +2d    fail-payments
            +1p3d  cancel
            """),
        BuiltIn(
            "upgrade", "A customer changes to a subscription of a higher level, which begins at once.",
            """
            +0   buy $with-higher intro=no
            +2d  buy $higher
            +3d  end
            """),
        BuiltIn(
            "downgrade",
            "A customer chooses a subscription of a lower level, changes back, and chooses it again.",
            """
            +0     buy $with-lower intro=no
            +1d    buy $lower
            +2d    buy $present
            +3d    buy $lower
            +1p1d  end
            """),
        BuiltIn(
            "price-increase", "A customer agrees to a higher price.",
            """
            +0     buy $subscription intro=no
            +2d    raise-price 20%
            +4d    agree
            +1p1d  end
            """),
        BuiltIn(
            "price-increase-ignored",
            "A customer does not answer to a higher price, and the subscription expires.",
            """
            +0   buy $subscription intro=no
            +2d  raise-price 20%
            +1p  end
            """),
        BuiltIn(
            "price-increase-declined",
            "A customer does not agree to a higher price, and the subscription expires.",
            """
            +0   buy $subscription intro=no
            +2d  raise-price 20%
            +4d  decline
            +1p  end
            """),
        BuiltIn(
            "price-increase-without-consent", "A customer is told of a higher price that needs no consent.",
            """
            +0     buy $subscription intro=no
            +2d    raise-price 20% consent=no
            +1p1d  end
            """),
        BuiltIn(
            "extension", "A developer extends the periods of one subscriber and of all.",
            """
            +0   anna: buy $paid intro=no
            +0   ben: buy $paid intro=no
            +1d  anna: extend days=7
            +2d  anna: extend-all $paid days=10
            +3d  anna: extend-all $paid days=10
            """),
        BuiltIn(
            "commitment",
            "A year that is billed month by month: a late payment, and a cancellation that waits for the end.",
            """
            +0      buy $monthly-plan plan=monthly
            +45d    fail-payments
            +75d    fix-payments
            +100d   cancel
            +2p     end
            """),
        BuiltIn(
            "product-gone", "A product is taken off sale, and its subscription expires.",
            """
            +0   buy $subscription intro=no
            +2d  take-off-sale
            +1p  end
            """),
        BuiltIn(
            "expired-for-other-reasons",
            "A subscription expires for a reason that the App Store does not tell.",
            """
            +0   buy $subscription intro=no
            +2d  end-for-other-reasons
            """),
    ]

    private static let purchaseScenarios = [
        BuiltIn(
            "refund", "A customer asks for a refund of a subscription, and gets it.",
            """
            +0   buy $subscription intro=no
            +2d  request-refund
            +3d  refund
            """),
        BuiltIn(
            "refund-declined", "A customer asks for a refund, and does not get it.",
            """
            +0   buy $subscription intro=no
            +2d  request-refund
            +3d  decline-refund
            """),
        BuiltIn(
            "refund-reversed", "A refund is taken back.",
            """
            +0   buy $subscription intro=no
            +2d  refund reason=app-issue
            +4d  reverse-refund
            """),
        BuiltIn(
            "refund-of-past-period",
            "The period before the present one is refunded; the subscription goes on.",
            """
            +0     buy $subscription intro=no
            +1p1d  refund first percent=50
            """),
        BuiltIn(
            "consumables", "A customer buys consumables, and one purchase is refunded.",
            """
            +0   buy $consumable
            +1h  buy $consumable quantity=3
            +2d  request-refund reason=FULFILLMENT_ISSUE
            +3d  refund
            """),
        BuiltIn(
            "one-time", "A customer buys a non-consumable.", "+0 buy $non-consumable"),
        BuiltIn(
            "non-renewing", "A customer buys a non-renewing subscription.", "+0 buy $non-renewing"),
        BuiltIn(
            "family", "A subscription is shared with the family until the buyer gets a refund.",
            """
            +0     anna: buy $shareable intro=no
            +1d    anna: share with=ben
            +1d    anna: share with=carla
            +3d    carla: leave-family
            +1p1d  anna: refund
            """),
        BuiltIn(
            "family-product", "A non-consumable is shared with the family for some time.",
            """
            +0   anna: buy $shareable-product
            +1d  anna: share with=ben
            +3d  ben: leave-family
            """),
        BuiltIn(
            "win-back", "A former subscriber comes back with a win-back offer.",
            """
            +0   buy $win-back intro=no
            +2d  cancel
            +2p  buy $win-back win-back-offer=any
            """),
        BuiltIn(
            "promotional-offer", "A subscriber redeems a promotional offer for the next period.",
            """
            +0     buy $promotional intro=no
            +2d    buy $promotional promotional-offer=any
            +1p1d  end
            """),
        BuiltIn(
            "offer-with-upgrade", "A subscriber upgrades with an offer.",
            """
            +0   buy $with-higher-offer intro=no
            +2d  buy $higher-offer promotional-offer=any
            """),
        BuiltIn(
            "offer-with-downgrade", "A subscriber downgrades with an offer, from the next period on.",
            """
            +0     buy $with-lower-offer intro=no
            +2d    buy $lower-offer promotional-offer=any
            +1p1d  end
            """),
        BuiltIn(
            "offer-code", "A customer subscribes with an offer code.", "+0 buy $code code=any"),
    ]

    private static let otherScenarios = [
        BuiltIn(
            "advanced-commerce",
            "An app's server takes over a subscription, renames it and changes its price.",
            """
            +0     buy $subscription intro=no
            +1d    migrate
            +2d    update-metadata Greenhouse
            +3d    change-price 6.99
            +1p1d  end
            """),
        BuiltIn("test", "A developer asks for a test notification.", "+0 test-notification"),
        BuiltIn(
            "external-purchase", "Tokens for purchases outside the App Store need attention.",
            """
            +0   external-purchase created
            +30m external-purchase reminder
            +2mo external-purchase unreported
            """),
        BuiltIn(
            "rescind-consent", "A parent withdraws the consent to a child's use of the app.",
            "+0 rescind-consent"),
        BuiltIn(
            "population", "A thousand customers with random lives, for a year.", "population 1000 for 1y"),
    ]
}
