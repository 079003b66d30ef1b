#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import PurchaseTimelines
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import StoreKitVerifySQLite
    internal import PayloadOutput
    internal import WireFormats

    /// What customers own and owned, by the database.
    ///
    /// Every answer is computed from payloads that are verified again when they are read from the file.
    struct CustomerHandlers: Sendable {
        let apps: ServedApps

        private let places = QuestionPlaces()

        init(apps: ServedApps) { self.apps = apps }

        /// `GET /v1/customers/{name}/entitlements`: what the command `entitlements` writes, as one object.
        func entitlements(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                let entitlements = Entitlement.all(
                    in: question.history, areOneCustomers: true, at: question.instant)
                var object = ObjectText()
                object.add("at", question.instant)
                object.add("entitlements", all: entitlements.map(\.object))
                object.add("otherNames", question.otherNames.map(\.description))
                return .json(object)
            }
        }

        /// `GET /v1/customers/{name}/timeline`: the spans and events of the picture.
        func timeline(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                var object = PurchaseTimeline(of: question.history, at: question.instant).object
                object.add("otherNames", question.otherNames.map(\.description))
                return .json(object)
            }
        }

        /// `GET /v1/customers/{name}/timeline.svg`: the picture.
        func picture(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                let timeline = PurchaseTimeline(of: question.history, at: question.instant)
                var fields: HTTPFields = [.contentType: "image/svg+xml", .cacheControl: "no-store"]
                // Opened by itself, it is a page of the service.
                fields[.contentSecurityPolicy] =
                    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
                fields[.xContentTypeOptions] = "nosniff"
                let text = TimelineChart(timeline, of: [question.name]).text
                return Response(
                    status: .ok, headers: fields, body: .init(byteBuffer: ByteBuffer(string: text)))
            }
        }

        private func answer(
            _ request: RouteRequest, _ answer: (Question) -> Response
        ) async throws -> Response {
            try await places.withPlace { answer(try await question(request)) }
        }

        /// Whose purchases a request asks for, and at which instant.
        private struct Question {
            let name: Customer.Name
            let history: PurchaseHistory
            let instant: Date
            /// The names under which there are more purchases.
            let otherNames: [Customer.Name]
        }

        /// - Throws: a `Problem`: 400 for the request, 503 for the file.
        private func question(_ request: RouteRequest) async throws -> Question {
            try request.allowQuery(["app", "at", "bundleId", "environment"])
            let store = try apps.database(for: request).store
            let selection = try Self.selection(request, store.verifier.policy)
            guard let name = request.parameters["name"].flatMap({ Customer.Name($0) }) else {
                throw Problem.customerName
            }
            // The only clock that is read here. With `at`, the same file gives the same answer.
            let instant = try request.date("at") ?? Date()
            do {
                let customer = Customer([name])
                let wider = try await store.widerHistory(of: customer)
                let history = try wider.purchases(of: customer).purchases(of: selection)
                let others = history.otherNames(of: customer, in: wider)
                return Question(name: name, history: history, instant: instant, otherNames: others)
            } catch let error as SQLiteStoreError {
                throw Problem(error, request.logger)
            } catch let error as SeveralAppsError {
                throw Problem(
                    .badRequest,
                    "The customer has purchases of several apps; say which one with ?bundleId=. There are: \(error.bundleIDs.joined(separator: ", "))."
                )
            }
        }

        /// Which purchases count: of one app, and of production. A purchase in the sandbox is free.
        ///
        /// - Parameter policy: whose only environment counts in place of production.
        private static func selection(
            _ request: RouteRequest, _ policy: VerificationPolicy
        ) throws(Problem) -> AppSelection {
            let only = policy.environments.count == 1 ? policy.environments.first : nil
            let accepted =
                policy.environments.isEmpty ? AppStoreEnvironment.known : Array(policy.environments)
            let name = request.query("environment") ?? (only ?? .production).rawValue
            guard let environment = accepted.first(where: { $0.rawValue == name }) else {
                let known = accepted.map(\.rawValue).sorted().joined(separator: ", ")
                throw Problem(
                    .badRequest, "?environment= names whose purchases count; \(known) can be asked for.")
            }
            guard let app = request.query("bundleId") else {
                let apps = policy.bundleIdentifiers
                return apps.count == 1 ? .app(apps.first ?? "", in: environment) : .onlyApp(in: environment)
            }
            guard policy.bundleIdentifiers.contains(app) else {
                throw Problem(
                    .badRequest, "The service accepts no payloads of the app that ?bundleId= names.")
            }
            return .app(app, in: environment)
        }
    }
#endif
