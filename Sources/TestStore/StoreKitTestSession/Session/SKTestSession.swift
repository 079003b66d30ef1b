public import Essentials
public import StoreKitVerify
internal import Synchronization

/// One customer of an App Store for tests, with the functions of Apple's StoreKitTest (`SKTestSession`).
///
/// ```swift
/// let session = try SKTestSession(contentsOf: URL(filePath: "Products.storekit"))
/// try await session.run { try await buyEverything() }   // code that was written for StoreKit
/// try session.advance(by: .seconds(40 * 86_400))
/// try session.refundTransaction(identifier: session.allTransactions()[0].identifier)
/// let toMyServer = session.takeNotifications()
/// ```
///
/// The session never sleeps. Time passes by `advance(to:)` and `advance(by:)`, which carry out the renewals and
/// expirations in between. Functions that Apple's class lacks have names of their own: grace periods of any length, refunds that are declined or reversed, Family Sharing,
/// price increases without consent, extensions, notifications.
public final class SKTestSession: Sendable {
    /// The App Store, which several sessions may share.
    public let appStore: TestAppStore
    /// The customer's device. Transactions that the app gets on it are bound to it.
    public let deviceIdentifier: UUID

    /// The customer's place in the App Store's list. It never changes.
    let customer: CustomerPlace
    let purchases = InMemoryTransactionStore()
    /// Held during a delivery. Two at a time would sign the same change twice, and listeners would get it twice.
    let delivering = Mutex(())
    /// The lock is taken after the App Store's, never around it: the App Store's closures change this state.
    let state: Mutex<State>

    /// The session's own state, beside the App Store's state.
    struct State: Sendable {
        var askToBuyEnabled: Bool
        var interruptedPurchasesEnabled: Bool
        var disableDialogs: Bool
        var locale: Locale
        var errors: SimulatedErrors
        var waiting: [WaitingPurchase] = []
        /// The identifiers of the transactions that purchases in the app returned.
        var returned: Set<UInt64> = []
        /// The keys that verify the signatures of offers; `nil` if no signature is looked at.
        var offerSigningKeys: ServerTokens?
        /// Those of the signatures that purchases had.
        var usedNonces: Set<UUID> = []
        /// The App Store's transactions that the device has, by their places.
        var delivered = DeliveredPurchases()

        init(_ settings: ConfiguredSettings) {
            askToBuyEnabled = settings.askToBuyEnabled
            interruptedPurchasesEnabled = settings.interruptedPurchasesEnabled
            disableDialogs = settings.disableDialogs
            locale = Locale(identifier: settings.localeIdentifier)
            errors = SimulatedErrors(settings)
        }
    }

    /// A new customer of an App Store.
    public init(_ appStore: TestAppStore) {
        self.appStore = appStore
        (customer, deviceIdentifier) = appStore.addCustomer()
        state = Mutex(State(appStore.configuration.settings))
        becomeDevice()
    }

    /// Opens a `.storekit` file, in an App Store of its own.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - app: the app.
    ///   - environment: what payloads name; see `TestAppStore`.
    ///   - start: the first time. By default that is now; afterwards no clock is read.
    ///   - seed: makes all keys and identifiers. By default every session has others.
    /// - Throws: `StoreKitConfigurationError`, or `SKTestError` if the file is missing or nothing can be signed.
    public convenience init(
        contentsOf url: URL, app: TestApp = TestApp(), environment: AppStore.Environment = .sandbox,
        startingAt start: Date = Date(), seed: UInt64 = .random(in: .min ... .max)
    ) throws {
        guard url.isFileURL else {
            throw SKTestError(.invalidURL, "\(url.absoluteString): it is not the address of a file")
        }
        guard url.pathExtension == "storekit" else {
            throw SKTestError(.invalidURL, "\(url.path): the name of the file must end in .storekit")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "\(url.path): there is no such file")
        }
        let configuration = try StoreKitConfiguration(contentsOf: url)
        do {
            self.init(
                try TestAppStore(
                    configuration, app: app, environment: environment, startingAt: start, seed: seed))
        } catch {
            throw SKTestError(.serviceUnavailable, "\(error)")
        }
    }

    /// Opens a `.storekit` file among the resources of a bundle.
    ///
    /// - Parameters:
    ///   - name: the file's name, with the extension or without.
    ///   - bundle: the folder of the resources; by default, the folder in which the process works.
    /// - Throws: as `init(contentsOf:)` does.
    public convenience init(configurationFileNamed name: String, in bundle: URL = URL(filePath: ".")) throws {
        try self.init(
            contentsOf: bundle.appending(path: name.hasSuffix(".storekit") ? name : "\(name).storekit"))
    }

    /// Another customer of the same App Store.
    ///
    /// The members of a family, or two accounts of one app, are such customers.
    public func newCustomer() -> SKTestSession { SKTestSession(appStore) }

    // MARK: - Time

    /// The present time of the App Store.
    public var now: Date { appStore.now }

    /// Lets time pass; see `TestAppStore.advance(to:)`.
    public func advance(to time: Date) throws(SigningFailure) {
        try appStore.advance(to: time)
        try deliverOrFail()
    }

    /// Lets time pass.
    ///
    /// - Parameter duration: from the present time on. A negative one changes nothing.
    public func advance(by duration: Duration) throws(SigningFailure) {
        let (seconds, attoseconds) = duration.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        try advance(to: now.addingTimeInterval(interval))
    }

    /// Takes the notifications that the App Store sent since the last call, to all customers' servers, oldest first.
    public func takeNotifications() -> [TestNotification] { appStore.takeNotifications() }

    /// The customer's app receipt, in base64, as apps of before StoreKit 2 send it to their servers. Its root
    /// certificate is `TestAppStore.receiptRootCertificate`.
    ///
    /// - Throws: `SKTestError` if it cannot be signed.
    public func appReceipt() throws(SKTestError) -> String {
        try translating(
            try appStore.read { (simulation) throws(StoreRefusal) in try simulation.receipt(of: customer) },
            SKTestError.init)
    }

    // MARK: - The app

    /// The store of what the customer's device has.
    public var transactionStore: any TransactionStore { SessionStore(session: self) }

    /// The customer's name in stores.
    public var storeCustomer: Customer { .appTransactionID(String(appTransactionID)) }

    var appTransactionID: UInt64 { appStore.read { $0.customers[customer].appTransactionID } }

    /// Runs code that was written for StoreKit as the customer's app: `Product.products(for:)`, `purchase(options:)`,
    /// `Transaction.currentEntitlements` and the like are about this session.
    ///
    /// The session that was made or run last is also the one of code outside of any scope, for instance in
    /// `Task.detached`, as long as it exists.
    public func run<Success, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        becomeDevice()
        return try await scope.run(body)
    }

    private var scope: CustomerScope {
        CustomerScope(
            transactionStore, storeCustomer, apps: .allApps(in: appStore.environment),
            appStore: SessionAppStore(session: self), now: { self.now })
    }

    func becomeDevice() { CustomerScope.setDevice { [weak self] in self?.scope } }

    // MARK: - Changing

    /// Changes the state of the App Store, and delivers the changes to the device.
    ///
    /// Most functions of the session end here, so that they cannot forget the delivery.
    @discardableResult
    func act<Success: Sendable>(
        _ body: (inout sending Simulation) throws(StoreRefusal) -> Success
    ) throws(SKTestError) -> Success {
        do throws(StoreRefusal) {
            let success = try appStore.change(body)
            try deliver()
            return success
        } catch {
            throw SKTestError(error)
        }
    }

    /// The place of one of the customer's transactions.
    ///
    /// Another customer's transaction is unknown here, as it is on a device.
    func place(
        of identifier: some BinaryInteger, _ simulation: borrowing Simulation
    ) throws(StoreRefusal) -> TransactionPlace {
        guard let id = UInt64(exactly: identifier) else { throw .noTransaction(.max) }
        let place = try simulation.purchases.place(of: id)
        guard simulation.purchases[place].customer == customer else { throw .noTransaction(id) }
        return place
    }
}
