#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import PurchaseTimelines
    internal import StoreKitVerify
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import WireFormats

    /// The purchases that customers own and owned, by the database.
    struct CustomerHandlers: Sendable {
        let questions: CustomerQuestions
        let bodies: BodyReader

        /// `GET /v1/customers/{name}/entitlements`: the lines of the command `entitlements`, as one object.
        func entitlements(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                let owned = CustomerEntitlements(
                    of: question.names, in: question.wider, question.scope.selection,
                    at: question.scope.instant)
                var object = ObjectText()
                object.add("at", question.scope.instant)
                try owned.add(to: &object)
                return .json(object)
            }
        }

        /// `GET /v1/customers/{name}/timeline`: the spans and events of the picture.
        func timeline(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                let customer = Customer(question.names)
                let history = try question.history
                var object = PurchaseTimeline(of: history, at: question.scope.instant).object
                object.add(
                    "otherNames", history.otherNames(of: customer, in: question.wider).map(\.description))
                return .json(object)
            }
        }

        /// `GET /v1/customers/{name}/timeline.svg`: the picture.
        func picture(_ request: RouteRequest) async throws -> Response {
            try await answer(request) { question in
                let timeline = PurchaseTimeline(of: try question.history, at: question.scope.instant)
                var fields: HTTPFields = [.contentType: "image/svg+xml", .cacheControl: "no-store"]
                // Opened by itself, it is a page of the service.
                fields[.contentSecurityPolicy] =
                    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
                fields[.xContentTypeOptions] = "nosniff"
                let text = TimelineChart(timeline, of: question.names).text
                return Response(
                    status: .ok, headers: fields, body: .init(byteBuffer: ByteBuffer(string: text)))
            }
        }

        /// A customer, and the selection of the purchases that count.
        private struct Question {
            let names: [Customer.Name]
            let scope: CustomerQuestions.Scope
            /// The customer's purchases, and those under the names that these give.
            let wider: PurchaseHistory

            /// The purchases that count.
            var history: PurchaseHistory {
                get throws(SeveralAppsError) {
                    try wider.purchases(of: Customer(names)).purchases(of: scope.selection)
                }
            }
        }

        /// - Throws: a `Problem`: 400 for the request, 503 for the file.
        private func answer(
            _ request: RouteRequest, _ answer: (Question) throws -> Response
        ) async throws -> Response {
            try request.allowQuery(CustomerQuestions.parameters, repeated: ["also"])
            let scope = try questions.scope(of: request)
            var names = [try CustomerQuestions.name(request.parameters["name"])]
            for also in request.query where also.name == "also" {
                names.append(try CustomerQuestions.name(also.value))
            }
            return try await questions.answer { [names] in
                let wider = try await scope.history(of: Customer(names))
                return try answer(Question(names: names, scope: scope, wider: wider))
            }
        }

        // MARK: - Several customers

        /// The most customers of a request. The answer's length grows with their purchases.
        static let maximumCustomers = 1_000

        /// `POST /v1/entitlements`: the entitlements of several customers, one object for each, in the order of the list.
        func entitlementsOfSeveral(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(CustomerQuestions.parameters)
            let scope = try questions.scope(of: request)
            let customers = try await bodies.withBytes(of: request) { body in
                do throws(CustomerNames.Failure) {
                    return try CustomerNames(body, atMost: Self.maximumCustomers).customers
                } catch {
                    throw Problem(.badRequest, Self.sentence(error))
                }
            }
            var objects: [ObjectText] = []
            for names in customers {
                // A place for each, so that long lists and others have turns.
                let owned = try await questions.answer {
                    let wider = try await scope.history(of: Customer(names))
                    return CustomerEntitlements(of: names, in: wider, scope.selection, at: scope.instant)
                }
                objects.append(owned.object)
            }
            var object = ObjectText()
            object.add("at", scope.instant)
            object.add("customers", all: objects)
            return .json(object)
        }

        private static func sentence(_ failure: CustomerNames.Failure) -> String {
            switch failure {
            case .empty: "The body has no name; send a JSON array of customers' names, or a name a line."
            case .tooMany:
                "The body has more than \(maximumCustomers) customers; send them in several requests."
            case .notJSON(let error): "The body starts with [ but is not a valid JSON array: \(error)."
            case .noName(let place):
                "Customer \(place) of the body has no name. \(Problem.customerName.detail)"
            }
        }
    }
#endif
