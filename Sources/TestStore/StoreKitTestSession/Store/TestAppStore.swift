public import Essentials
internal import Minting
internal import SeededRandom
public import SignedPayloads
public import StoreKitVerify
internal import Synchronization

/// An App Store for tests: customers buy the products of a `.storekit` file in it, time passes as the caller says, and
/// everything is signed as the App Store signs it, by keys that only tests trust.
///
/// `SKTestSession` is one customer of it, with the functions of Apple's StoreKitTest.
public final class TestAppStore: Sendable {
    /// The products and settings.
    public let configuration: StoreKitConfiguration
    /// The environment that payloads name.
    public let environment: AppStore.Environment
    /// The app.
    public let app: TestApp
    /// The keys that sign.
    public let authority: TestAuthority
    /// Verifies what this App Store signs: its root is the only trust anchor.
    public let verifier: SignedPayloadVerifier

    /// All state is behind this one lock. Payloads are signed while it is held.
    private let simulation: Mutex<Simulation>

    /// Opens an App Store.
    ///
    /// - Parameters:
    ///   - configuration: the products and settings.
    ///   - app: the app.
    ///   - environment: what payloads name. In `xcode` and `localTesting` one certificate signs them, as in Xcode;
    ///     otherwise a chain of three does, as in the App Store.
    ///   - authority: the keys that sign; by default, keys that are derived from the seed.
    ///   - start: the first time. No clock is read afterwards.
    ///   - seed: makes all identifiers, and the keys unless they are given. The same calls on the same seed give the
    ///     same bytes.
    /// - Throws: `SigningFailure` if libcrypto fails, or the authority's root cannot be read.
    public init(
        _ configuration: StoreKitConfiguration, app: TestApp = TestApp(),
        environment: AppStore.Environment = .sandbox, authority: TestAuthority? = nil,
        startingAt start: Date, seed: UInt64
    ) throws(SigningFailure) {
        let name = String(seed, radix: 16)
        let signers: TestAuthority
        if let authority {
            signers = authority
        } else {
            signers = try .of(environment, name)
        }
        self.configuration = configuration
        self.app = app
        self.environment = environment
        self.authority = signers
        var policy = VerificationPolicy()
        policy.environments = [.init(rawValue: environment.rawValue)]
        do throws(TrustAnchorError) {
            verifier = try SignedPayloadVerifier(
                anchors: [signers.trustAnchor], policy: policy)
        } catch {
            throw SigningFailure("\(error)")
        }
        simulation = Mutex(
            Simulation(
                configuration, PayloadSigner(environment: environment, app: app, authority: signers),
                start: start.milliseconds, seed: seed))
    }

    /// The present time of this App Store.
    public var now: Date { read { Date(milliseconds: $0.now) } }

    /// Lets time pass. Everything that is due until then happens: renewals, failures, expirations.
    ///
    /// - Parameter time: a time that has passed changes nothing.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public func advance(to time: Date) throws(SigningFailure) {
        let time = time.milliseconds
        try translating(
            try change { (simulation) throws(StoreRefusal) in try simulation.advance(to: time) },
            SigningFailure.init(refusal:))
    }

    /// The root certificate of app receipts, in DER.
    ///
    /// - Throws: `SigningFailure` if libcrypto fails.
    public var receiptRootCertificate: [UInt8] {
        get throws(SigningFailure) {
            try translating(
                try Simulation.receiptRoot(isXcode: environment.isSelfSigned), SigningFailure.init(_:))
        }
    }

    /// Takes the notifications that were sent since the last call, oldest first.
    public func takeNotifications() -> [TestNotification] {
        takeOutput().compactMap {
            if case .notification(let notification) = $0 { notification } else { nil }
        }
    }

    /// Takes all that was signed since the last call, oldest first.
    func takeOutput() -> [SignedOutput] {
        simulation.withLock { $0.output.takeOutput() }
    }

    /// - Parameter body: gets a copy of a value type, which costs no copy of the lists.
    package func read<Success, Failure: Error>(
        _ body: (Simulation) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try simulation.withLock { (simulation) throws(Failure) in try body(simulation) }
    }

    /// Changes the state. A change is visible at once, and an error takes nothing back.
    ///
    /// A debug build checks the ledgers after each change of a small App Store. A large one would get slow, as the check
    /// takes a time that grows with its transactions.
    package func change<Success: Sendable, Failure: Error>(
        _ body: (inout sending Simulation) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try simulation.withLock { (simulation) throws(Failure) in
            defer {
                assert(
                    simulation.purchases.transactions.count > 1000 || simulation.violation() == nil,
                    simulation.violation() ?? "")
            }
            return try body(&simulation)
        }
    }
}

extension Date {
    /// The times that an App Store can have: the years 1 to 8999, so that no period that begins then leads to a year
    /// that payloads cannot name.
    package static let simulated = Date(milliseconds: first)...Date(milliseconds: last)

    // The first days of the years 1 and 9000, in milliseconds.
    private static let first = -62_135_510_400_000
    private static let last = 221_845_392_000_000

    /// The time in milliseconds since 1970, or the nearest one that an App Store can have.
    package var milliseconds: Int {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > Double(Self.first) else { return Self.first }
        return milliseconds < Double(Self.last) ? Int(milliseconds) : Self.last
    }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
