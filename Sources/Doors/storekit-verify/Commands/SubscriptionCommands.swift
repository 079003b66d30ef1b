#if ServerAPI
    import AppStoreServerAPI
    import ArgumentParser
    import CommandSupport
    import Essentials

    /// `storekit-verify extend ID --days N`: a later end for one subscription, or for all of a product.
    ///
    /// The client does not repeat an extension of one subscription: Apple does not say that a repetition with the same
    /// identifier extends only once.
    struct ExtendCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "extend", abstract: "Extend a subscription, or all active ones of a product.",
            discussion: """
                Give --request-id again after a time-out: Apple extends all subscribers once for each. For one \
                subscription it does not promise that.

                """ + ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Argument(
            help: ArgumentHelp(
                "The first transaction of the subscription.", valueName: "original-transaction-id"))
        var id: String?

        @Option(
            name: .customLong("all-subscribers-to"),
            help: ArgumentHelp("All active subscribers to this product.", valueName: "product"))
        var product: String?

        @Option(
            help: ArgumentHelp(
                "Countries of three letters, for all subscribers. Repeatable.", valueName: "code"))
        var storefront: [String] = []

        @Option(help: ArgumentHelp("By how many days, up to 90.", valueName: "number"))
        var days: Int

        @Option(
            help: ArgumentHelp(
                "0 undeclared, 1 customer satisfaction, 2 other, 3 an outage.", valueName: "number"))
        var reason = 0

        @Option(
            name: .customLong("request-id"),
            help: ArgumentHelp("The request; a new one unless given.", valueName: "uuid"),
            transform: parseUUID)
        var requestID: UUID?

        func validate() throws {
            guard (id == nil) != (product == nil) else {
                throw ValidationError("Give a subscription, or --all-subscribers-to for a product.")
            }
            guard id == nil || storefront.isEmpty else {
                throw ValidationError("--storefront is for --all-subscribers-to.")
            }
            guard (1...90).contains(days) else { throw ValidationError("--days must be from 1 to 90.") }
            guard (0...3).contains(reason) else { throw ValidationError("--reason must be from 0 to 3.") }
        }

        func run() throws {
            // The question names the request, so that it is known for a repetition even if the answer is lost.
            let name = (requestID ?? UUID()).uuidString.lowercased()
            let text = "by \(days) \(days == 1 ? "day" : "days") (request \(name))"
            if let id {
                try change.send(
                    .extendRenewalDate(
                        of: id, byDays: days, reason: .init(rawValue: reason), requestIdentifier: name),
                    "subscription \(id) is extended \(text)")
            } else if let product {
                try change.send(
                    .extendRenewalDates(
                        ofAllSubscribersTo: product, byDays: days, reason: .init(rawValue: reason),
                        requestIdentifier: name, storefronts: storefront.isEmpty ? nil : storefront),
                    "all active subscribers to \(product) are extended \(text)")
            }
        }
    }

    /// `storekit-verify seats ACTION ID`: the seats of a subscription.
    struct SeatsCommand: ParsableCommand {
        /// The actions. `show` alone changes nothing, and asks nothing.
        enum Action: String, CaseIterable, ExpressibleByArgument { case show, claim, unclaim, associate }

        static let configuration = CommandConfiguration(
            commandName: "seats", abstract: "Show, claim and give back the seats of a subscription.",
            discussion: """
                show prints the seats; claim takes one, for --app-transaction-id if it is known; associate names the \
                member of a --claim; unclaim gives a --claim back.

                """ + ExitCode.ofChanges)

        @OptionGroup var change: ChangeOptions

        @Argument(help: "The action.")
        var action: Action

        @Argument(
            help: ArgumentHelp("The purchaser's first transaction.", valueName: "original-transaction-id"))
        var id: String

        @Option(help: ArgumentHelp("The claim.", valueName: "uuid"), transform: parseUUID)
        var claim: UUID?

        @Option(
            name: .customLong("app-transaction-id"),
            help: ArgumentHelp("The member's app transaction.", valueName: "id"))
        var appTransactionID: String?

        @Option(
            name: .customLong("request-id"),
            help: ArgumentHelp("The request; a repetition gives the same claim.", valueName: "uuid"),
            transform: parseUUID)
        var requestID: UUID?

        func validate() throws {
            guard (action == .unclaim || action == .associate) == (claim != nil) else {
                throw ValidationError("--claim is for associate and unclaim, and they need it.")
            }
            guard action != .associate || appTransactionID != nil else {
                throw ValidationError("associate needs --app-transaction-id.")
            }
        }

        func run() throws {
            // `validate()` has seen to it that the actions with a claim or a member have one.
            let claim = claim ?? UUID()
            let name = claim.uuidString.lowercased()
            switch action {
            case .show:
                try change.server.withClient { try ChangeOptions.print(.seatInfo(of: id), from: $0) }
            case .claim:
                // A repetition with the same identifier gives the same claim, so it is named before it is sent.
                let request = requestID ?? UUID()
                try change.send(
                    .claimSeat(of: id, requestIdentifier: request, appTransactionID: appTransactionID),
                    "a seat of \(id) is claimed (request \(request.uuidString.lowercased()))")
            case .unclaim:
                try change.send(.unclaimSeat(claim, of: id), "the seat \(name) of \(id) is given back")
            case .associate:
                let member = appTransactionID ?? ""
                try change.send(
                    .associateSeat(claim, of: id, with: member),
                    "the seat \(name) of \(id) becomes \(member)'s")
            }
        }
    }
#endif
