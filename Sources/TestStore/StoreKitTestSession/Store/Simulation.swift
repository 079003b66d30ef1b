package import Essentials
internal import SeededRandom
internal import StoreKitVerify

/// The state of a simulated App Store: its customers, their purchases, and the events to come.
///
/// It is a value without a clock: time passes only by `advance(to:)`. The same calls always give the same bytes.
package struct Simulation: Sendable {
    package let catalog: StoreKitConfiguration
    package let signer: PayloadSigner
    /// The present time, in milliseconds since 1970.
    package private(set) var now: Int
    /// The latest date of a signature, in milliseconds since 1970.
    private var lastSigned: Int
    var timeRate: SKTestSession.TimeRate
    /// Whether there is a grace period when a payment fails.
    var hasGracePeriods: Bool
    /// How long grace periods are, in milliseconds; `nil` for the rate's own length.
    var gracePeriod: Int?

    /// How subscriptions are sold for several people; `nil` if they are not.
    var seatSale: SeatSale?

    /// How often a subscription renews after it was bought; `nil` for ever.
    var renewalLimit: Int?

    /// Lists only grow, so that a place means the same for ever.
    package var customers: [CustomerRecord] = []
    package var transactions: [TransactionRecord] = []
    package var subscriptions: [SubscriptionRecord] = []
    var agenda = Agenda()
    /// Only `makeUUID()` draws from it, in the order of the calls.
    var random: SplitMix64
    /// The storefront of new customers.
    var storefront: String
    /// The members' transactions of a purchase that does not renew, by the place of the buyer's.
    var sharedPurchases: [Int: [Int]] = [:]
    /// The latest token of each customer for purchases outside the App Store.
    var externalPurchaseTokens: [Int: ExternalPurchaseToken] = [:]
    /// All of these tokens, by their identifiers, for the reports about them.
    package var externalPurchases: [String: ExternalPurchaseToken] = [:]
    /// The claims to seats, by the places of the subscriptions.
    package var seatClaims: [Int: SeatClaims] = [:]
    /// The subscriptions, by their places, that organizations have bought.
    package var organizations: Set<Int> = []
    /// The refunds of items, by the places of their transactions.
    package var itemRefunds: [Int: [ItemRefund]] = [:]
    /// The requests of the Advanced Commerce API that have succeeded (`requestReferenceId`).
    package var advancedCommerceRequests: Set<UUID> = []
    /// The terms that apps' servers sold through the Advanced Commerce API, by the places of the transactions: of purchases that do
    /// not renew, and of earlier periods of subscriptions.
    package var soldTerms: [Int: AdvancedCommerce] = [:]
    /// The tokens of requests of apps that have succeeded.
    var inAppNonces: Set<UUID> = []
    /// The products that an app's server may sell items by; `nil` for all.
    var genericProducts: Set<String>?
    /// The keys that may sign requests of apps, besides the App Store's own.
    package var serverKeys: [ServerAPIKey] = []
    /// The payloads that were signed and not taken yet, oldest first.
    package var outbox: [SignedOutput] = []
    /// Whether the outbox gets payloads that no notification tells of, too.
    var tellsAll = false
    /// The notifications since a server began to ask for them; `nil` if no server does.
    package var history: NotificationHistory?

    /// Finds a transaction by its identifier without a search.
    private var placesOfTransactions: [UInt64: Int] = [:]
    private let products: [String: ConfiguredProduct]
    private var transactionIDs: UInt64 = 0
    private var lineItems: UInt64 = 0
    private let first: FirstIdentifiers

    /// Where identifiers begin, so that the payloads of several runs can be sent to one server.
    private struct FirstIdentifiers {
        let transaction: UInt64
        let lineItem: UInt64
        let download: UInt64

        /// Sixteen digits, below 2^53 as Apple's are, and eighteen for a download. Of two runs with a million
        /// transactions each, one pair in three billion shares an identifier.
        init(seed: UInt64) {
            // Another stream than that of the UUIDs, which has the seed itself: "numbers" in ASCII.
            var random = SplitMix64(seed: seed ^ 0x6e_756d_6265_7273)
            transaction = .random(in: 2_000_000_000_000_000..<9_000_000_000_000_000, using: &random)
            lineItem = .random(in: 2_000_000_000_000_000..<9_000_000_000_000_000, using: &random)
            download = .random(in: 704_000_000_000_000_000..<705_000_000_000_000_000, using: &random)
        }
    }

    /// - Parameters:
    ///   - start: the first time, in milliseconds since 1970.
    ///   - seed: makes all identifiers.
    init(_ catalog: StoreKitConfiguration, _ signer: PayloadSigner, start: Int, seed: UInt64) {
        self.catalog = catalog
        self.signer = signer
        now = start
        lastSigned = start - 1
        timeRate = catalog.settings.timeRate
        hasGracePeriods = catalog.settings.billingGracePeriodIsEnabled
        storefront = catalog.settings.storefront
        renewalLimit = signer.environment == .sandbox ? 12 : nil
        random = SplitMix64(seed: seed)
        first = FirstIdentifiers(seed: seed)
        products = Dictionary(catalog.products.map { ($0.id, $0) }) { first, _ in first }
    }

    // MARK: - Time

    /// Lets time pass, and carries out the events up to then. A time that has passed changes nothing.
    mutating func advance(to time: Int) throws(StoreRefusal) {
        while let item = agenda.next(until: time) {
            // The subscription has changed since: another event has taken this one's place.
            guard item.version == subscriptions[item.subscription].dueVersion else { continue }
            now = max(now, item.time)
            try doWhatIsDue(item.subscription)
        }
        now = max(now, time)
    }

    /// When payloads are signed: now, or a little later.
    var signingDate: Int { max(now, lastSigned) }

    /// Begins a later signing date: payloads from here on are later than those before. Of two payloads about one purchase
    /// the later one counts, and much can happen in a millisecond here.
    mutating func beginSigning() { lastSigned = max(now, lastSigned + 1) }

    /// Puts the subscription's next event on the agenda.
    mutating func schedule(_ index: Int) {
        subscriptions[index].dueVersion += 1
        let subscription = subscriptions[index]
        // A shared subscription follows the buyer's.
        guard subscription.sharedFrom == nil else { return }
        let time: Int? =
            switch subscription.phase {
            case .active: transactions[subscription.latest].expiresDate
            case .gracePeriod(let end), .billingRetry(let end): end
            case .expired, .revoked: nil
            }
        guard let time else { return }
        agenda.add(time, subscription: index, version: subscription.dueVersion)
    }

    // MARK: - Customers and identifiers

    /// Adds a customer, who gets the app now. Returns the customer's place.
    ///
    /// - Parameter code: the customer's storefront; `nil` for the App Store's own.
    mutating func addCustomer(in code: String? = nil) -> Int {
        customers.append(
            CustomerRecord(
                appTransactionID: first.download + UInt64(customers.count),
                region: Region(code ?? storefront), downloadDate: now,
                paymentsFail: catalog.settings.shouldEnterBillingRetryOnRenewal))
        return customers.count - 1
    }

    /// The identifier of the next transaction. Xcode counts from 0; the App Store's numbers are large.
    var nextTransactionID: UInt64 {
        transactionIDs + (signer.environment == .xcode ? 0 : first.transaction)
    }

    /// The identifier of a purchase that waits.
    mutating func reserveTransactionID() -> UInt64 {
        defer { transactionIDs += 1 }
        return nextTransactionID
    }

    /// Each period of a subscription has one (`webOrderLineItemId`).
    mutating func makeLineItem() -> UInt64 {
        defer { lineItems += 1 }
        return lineItems + (signer.environment == .xcode ? 0 : first.lineItem)
    }

    /// A UUID of version 4.
    package mutating func makeUUID() -> UUID {
        var bytes: [UInt8] = []
        for number in [random.next(), random.next()] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        // Version 4 and the variant of RFC 9562, sections 5.4 and 4.1.
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
                bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    // MARK: - Finding

    func product(_ id: String) throws(StoreRefusal) -> ConfiguredProduct {
        guard let product = products[id] else { throw .noProduct(id) }
        return product
    }

    /// The place of a transaction.
    package func place(of id: UInt64) throws(StoreRefusal) -> Int {
        guard let place = placesOfTransactions[id] else { throw .noTransaction(id) }
        return place
    }

    /// The place of a customer's subscription to a product: the own one, or else the family's.
    func subscription(to productID: String, of customer: Int) throws(StoreRefusal) -> Int {
        guard let groupID = try product(productID).subscription?.groupID,
            let index = customers[customer].subscriptions[groupID]
                ?? customers[customer].sharedSubscriptions[groupID]
        else { throw .noSubscription(productID) }
        return index
    }

    /// The product of a subscription's present period.
    package func product(ofSubscription index: Int) -> ConfiguredProduct {
        transactions[subscriptions[index].latest].product
    }

    /// Keeps a transaction. Returns its place.
    mutating func add(_ transaction: TransactionRecord) -> Int {
        let place = transactions.count
        transactionIDs += 1
        transactions.append(transaction)
        placesOfTransactions[transaction.id] = place
        customers[transaction.customer].transactions.append(place)
        return place
    }

    /// The place of a customer's subscription, if its present period is one of this product.
    func presentSubscription(to productID: String, of customer: Int) throws(StoreRefusal) -> Int {
        guard try product(productID).subscription != nil else { throw .notSubscription(productID) }
        let index = try subscription(to: productID, of: customer)
        guard product(ofSubscription: index).id == productID else { throw .noSubscription(productID) }
        return index
    }

    /// Forgets the identifier of a transaction.
    mutating func forget(_ place: Int) { placesOfTransactions[transactions[place].id] = nil }

    // MARK: - The past

    /// Does something at an earlier time, and then carries out the events since then.
    ///
    /// The dates of signatures follow the time that is simulated, and go on from the latest one afterwards.
    ///
    /// - Parameter time: a future time means the present one.
    mutating func inThePast<Success>(
        _ time: Int, _ body: (inout Simulation) throws(StoreRefusal) -> Success
    ) throws(StoreRefusal) -> Success {
        let (present, signed) = (now, lastSigned)
        now = min(now, time)
        lastSigned = min(lastSigned, now - 1)
        defer { lastSigned = max(lastSigned, signed) }
        let success: Success
        do throws(StoreRefusal) {
            success = try body(&self)
        } catch {
            now = present
            throw error
        }
        try advance(to: present)
        return success
    }
}
