#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import SignedPayloads
    import StoreKitVerify
    import Essentials

    /// `storekit-verify finish ID`: marks a transaction as delivered.
    struct FinishCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "finish", abstract: "Tell the App Store that a transaction was delivered.",
            discussion: ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Argument(help: ArgumentHelp("The transaction.", valueName: "transaction-id"))
        var id: String

        func run() throws { try change.send(.finish(id), "transaction \(id) becomes finished") }
    }

    /// `storekit-verify set-account-token ID UUID`: sets the owner of a purchase.
    struct SetAccountTokenCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-account-token", abstract: "Set the account of the app that owns a purchase.",
            discussion: ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Argument(
            help: ArgumentHelp("The first transaction of the purchase.", valueName: "original-transaction-id")
        )
        var id: String

        @Argument(help: ArgumentHelp("The account.", valueName: "app-account-token"), transform: parseUUID)
        var token: UUID

        func run() throws {
            try change.send(
                .setAppAccountToken(token, of: id),
                "the account of purchase \(id) becomes \(token.uuidString.lowercased())")
        }
    }

    /// `storekit-verify consumption ID`: the answer to Apple's `CONSUMPTION_REQUEST`, when a customer wants a refund.
    ///
    /// Apple asks for it within twelve hours, and only of customers who have consented.
    struct ConsumptionCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "consumption",
            abstract: "Tell the App Store how much of a purchase was used, after a request for a refund.",
            discussion: ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Argument(help: ArgumentHelp("The transaction.", valueName: "transaction-id"))
        var id: String

        @Flag(
            name: .customLong("customer-consented"),
            help: "The customer agrees to this; nothing is sent without consent.")
        var isConsented = false

        @Option(
            name: .customLong("delivery-status"),
            help: ArgumentHelp("Such as DELIVERED or UNDELIVERED_QUALITY_ISSUE.", valueName: "status"))
        var deliveryStatus: String

        @Flag(name: .customLong("sample-content-provided"), help: "There was a sample before the purchase.")
        var hasSample = false

        @Option(
            name: .customLong("refund-preference"),
            help: ArgumentHelp("DECLINE, GRANT_FULL or GRANT_PRORATED.", valueName: "preference"))
        var refundPreference: String?

        @Option(
            name: .customLong("consumption-percentage"),
            help: ArgumentHelp("How much was used, in thousandths of a percent.", valueName: "number"))
        var percentage: Int?

        func validate() throws {
            guard isConsented else {
                throw ValidationError(
                    "Nothing is sent without the customer's consent: confirm it with --customer-consented.")
            }
        }

        func run() throws {
            var information = ConsumptionInformation(
                customerConsented: true, sampleContentProvided: hasSample,
                deliveryStatus: .init(rawValue: deliveryStatus))
            information.refundPreference = refundPreference.map { .init(rawValue: $0) }
            information.consumptionPercentage = percentage
            try change.send(
                .sendConsumption(information, of: id),
                "the consumption data of transaction \(id) is sent to Apple")
        }
    }

    /// `storekit-verify request-test-notification`: tries whether notifications arrive.
    struct RequestTestNotificationCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "request-test-notification",
            abstract: "Have the App Store send a test notification to the app's server.",
            discussion: "Prints the token. --status TOKEN prints how it was sent. " + ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Option(help: ArgumentHelp("Print the attempts to send this one instead.", valueName: "token"))
        var status: String?

        func run() throws {
            guard let status else {
                try change.send(.requestTestNotification, "the app's server gets a test notification")
                return
            }
            try change.server.withClient { client in
                try ChangeOptions.print(.testNotificationStatus(status), from: client) {
                    $0.notification.underlyingError?.message
                }
            }
        }
    }
#endif
