#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Logging
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import WireFormats

    /// The shared part of handlers of questions about customers: the parameters that they read alike, and the bound of how many
    /// questions are answered at a time.
    ///
    /// Every answer is computed from payloads that are verified again when they are read from the file.
    struct CustomerQuestions: Sendable {
        let apps: ServedApps
        let logger: Logger

        private let places = QuestionPlaces()

        /// The parameters that `scope(of:)` reads.
        static let parameters = ["app", "asOf", "at", "bundleId", "environment"]

        /// Which purchases count, and when.
        struct Scope: Sendable {
            let app: ServedApp
            let store: SQLiteTransactionStore
            let selection: AppSelection
            let asked: AskedInstant
            var instant: Date { asked.date }

            /// The purchases under a customer's names, and under those that these give.
            ///
            /// - Throws: `SQLiteStoreError` if the file cannot be read.
            func history(of customer: Customer) async throws(SQLiteStoreError) -> PurchaseHistory {
                asked.known(try await store.widerHistory(of: customer))
            }
        }

        /// - Throws: a `Problem` with the status 400, or 404 if nothing is kept for the app.
        func scope(of request: RouteRequest) throws(Problem) -> Scope {
            let store = try apps.database(for: request).store
            return Scope(
                app: try apps.app(for: request), store: store,
                selection: try Self.selection(request, store.verifier.policy),
                asked: try Self.instant(request))
        }

        /// Answers a question when there is a place.
        ///
        /// - Throws: a `Problem`: 503 if too many wait, or if the file fails; or the problem of `body`.
        func answer<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
            try await places.withPlace {
                do {
                    return try await body()
                } catch let error as SQLiteStoreError {
                    throw Problem(error, logger)
                } catch let error as SeveralAppsError {
                    throw Problem(.badRequest, CustomerEntitlements.message(error))
                }
            }
        }

        // MARK: - Parameters

        /// The name of a customer.
        ///
        /// - Throws: a `Problem` with the status 400 for a text that is none.
        static func name(_ text: String?) throws(Problem) -> Customer.Name {
            guard let name = text.flatMap({ Customer.Name($0) }) else { throw .customerName }
            return name
        }

        /// The instant that counts as now. The only clock that is read here: with `at`, the same file gives the same answer.
        static func instant(_ request: RouteRequest) throws(Problem) -> AskedInstant {
            let (at, asOf) = (try request.date("at"), try request.date("asOf"))
            guard let asked = AskedInstant(at: at, asOf: asOf, now: Date()) else {
                throw Problem(.badRequest, AskedInstant.message("?at=", "?asOf="))
            }
            return asked
        }

        /// Which purchases of one customer count: of one app, and of production. A purchase in the sandbox is free.
        ///
        /// - Parameter policy: the app's. Its only environment counts in place of production.
        private static func selection(
            _ request: RouteRequest, _ policy: VerificationPolicy
        ) throws(Problem) -> AppSelection {
            let only = policy.environments.count == 1 ? policy.environments.first : nil
            let environment = try environment(request, policy, default: only ?? .production)
            if let app = try bundleID(request, policy) { return .app(app, in: environment) }
            let apps = policy.bundleIdentifiers
            return apps.count == 1 ? .app(apps.first ?? "", in: environment) : .onlyApp(in: environment)
        }

        /// The environment that `?environment=` names, or else this one.
        ///
        /// - Throws: a `Problem` if the service does not accept it.
        static func environment(
            _ request: RouteRequest, _ policy: VerificationPolicy, default environment: AppStore.Environment
        ) throws(Problem) -> AppStore.Environment {
            let accepted =
                policy.environments.isEmpty ? AppStoreEnvironment.known : Array(policy.environments)
            let name = request.query("environment") ?? environment.rawValue
            guard let environment = accepted.first(where: { $0.rawValue == name }) else {
                let known = accepted.map(\.rawValue).sorted().joined(separator: ", ")
                throw Problem(
                    .badRequest, "?environment= must be one of: \(known).")
            }
            return environment
        }

        /// The app that `?bundleId=` names; `nil` if there is no such parameter.
        ///
        /// - Throws: a `Problem` if the service does not accept it.
        static func bundleID(
            _ request: RouteRequest, _ policy: VerificationPolicy
        ) throws(Problem) -> String? {
            guard let app = request.query("bundleId") else { return nil }
            guard policy.bundleIdentifiers.contains(app) else {
                throw Problem(
                    .badRequest, "The service accepts no payloads of the app that ?bundleId= names.")
            }
            return app
        }
    }
#endif
