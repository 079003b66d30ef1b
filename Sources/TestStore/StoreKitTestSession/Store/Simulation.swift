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
    var settings: SaleSettings
    package internal(set) var customers: CustomerLedger
    package var purchases: PurchaseLedger
    package internal(set) var externalPurchases = ExternalPurchaseLedger()
    package var requests = RequestLedger()
    package var output: OutputLedger
    /// Only `makeUUID()` draws from it, in the order of the calls.
    var random: SplitMix64

    /// - Parameters:
    ///   - start: the first time, in milliseconds since 1970.
    ///   - seed: makes all identifiers.
    init(_ catalog: StoreKitConfiguration, _ signer: PayloadSigner, start: Int, seed: UInt64) {
        self.catalog = catalog
        self.signer = signer
        now = start
        settings = SaleSettings(catalog.settings, renewalLimit: signer.environment == .sandbox ? 12 : nil)
        random = SplitMix64(seed: seed)
        let first = FirstIdentifiers(seed: seed)
        // Xcode counts from 0; the App Store's numbers are large.
        let countsFromZero = signer.environment == .xcode
        customers = CustomerLedger(firstDownload: first.download)
        purchases = PurchaseLedger(
            firstTransactionID: countsFromZero ? 0 : first.transaction,
            firstLineItem: countsFromZero ? 0 : first.lineItem)
        output = OutputLedger(lastDate: start - 1)
    }

    /// The first invariant of the ledgers that does not hold; `nil` if all hold.
    package func violation() -> String? {
        customers.violation() ?? purchases.violation() ?? externalPurchases.violation()
            ?? requests.violation()
            ?? output.violation()
    }

    // MARK: - Time

    /// Lets time pass, and carries out the events up to then. A time that has passed changes nothing.
    mutating func advance(to time: Int) throws(StoreRefusal) {
        while let item = purchases.takeEvent(until: time) {
            now = max(now, item.time)
            try doWhatIsDue(item.subscription)
        }
        now = max(now, time)
    }

    /// When payloads are signed: now, or a little later.
    var signingDate: Int { max(now, output.lastDate) }

    /// Begins a later signing date: payloads from here on are later than those before. Of two payloads about one purchase
    /// the later one counts, and much can happen in a millisecond here.
    mutating func beginSigning() { output.lastDate = max(now, output.lastDate + 1) }

    // MARK: - Customers and identifiers

    /// Adds a customer, who gets the app now. Returns the customer's place.
    ///
    /// - Parameter code: the customer's storefront; `nil` for the App Store's own.
    mutating func addCustomer(in code: String? = nil) -> CustomerPlace {
        customers.add(
            in: Region(code ?? settings.storefront), at: now,
            paymentsFail: catalog.settings.shouldEnterBillingRetryOnRenewal)
    }

    /// A UUID of version 4.
    package mutating func makeUUID() -> UUID { UUID(drawnFrom: &random) }

    // MARK: - Finding

    func product(_ id: String) throws(StoreRefusal) -> ConfiguredProduct {
        guard let product = catalog.product(id) else { throw .noProduct(id) }
        return product
    }

    /// The place of a customer's subscription to a product: the own one, or else the family's.
    func subscription(
        to productID: String, of customer: CustomerPlace
    ) throws(StoreRefusal) -> SubscriptionPlace {
        guard let groupID = try product(productID).subscription?.groupID,
            let index = purchases[customer].subscriptions[groupID]
                ?? purchases[customer].sharedSubscriptions[groupID]
        else { throw .noSubscription(productID) }
        return index
    }

    /// The place of a customer's subscription, if its present period is one of this product.
    func presentSubscription(
        to productID: String, of customer: CustomerPlace
    ) throws(StoreRefusal) -> SubscriptionPlace {
        guard try product(productID).subscription != nil else { throw .notSubscription(productID) }
        let index = try subscription(to: productID, of: customer)
        guard purchases.product(ofSubscription: index).id == productID else {
            throw .noSubscription(productID)
        }
        return index
    }

    // MARK: - The past

    /// Does something at an earlier time, and then carries out the events since then.
    ///
    /// The dates of signatures follow the time that is simulated, and go on from the latest one afterwards.
    ///
    /// - Parameter time: a future time means the present one.
    mutating func inThePast<Success>(
        _ time: Int, _ body: (inout Simulation) throws(StoreRefusal) -> Success
    ) throws(StoreRefusal) -> Success {
        let (present, latest) = (now, output.lastDate)
        now = min(now, time)
        output.lastDate = min(latest, now - 1)
        defer { output.lastDate = max(output.lastDate, latest) }
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

extension UUID {
    /// A UUID of version 4, of two random numbers.
    init(drawnFrom random: inout SplitMix64) {
        var bytes: [UInt8] = []
        for number in [random.next(), random.next()] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        // Version 4 and the variant of RFC 9562, sections 5.4 and 4.1.
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
                bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

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
