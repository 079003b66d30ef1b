#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import StoreKitVerify
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import WireFormats

    /// `DELETE /v1/customers/{name}`: takes all that the database has about a customer out of it.
    struct ForgettingHandler: Sendable {
        let apps: ServedApps
        let databases: DatabaseChecks

        func forget(_ request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let database = try apps.database(for: request)
            let (store, name) = (database.store, try CustomerQuestions.name(request.parameters["name"]))
            try await databases.require(database)
            let forgotten = try await request.answer { () throws(SQLiteStoreError) in
                try await store.forget(Customer([name]))
            }
            // Without the customer's name: the log would remember it.
            request.logger.notice(
                "a customer was forgotten, as a request asks",
                metadata: ["payloads": "\(forgotten.payloads)", "remains": "\(forgotten.remains)"])
            return .json(forgotten.object)
        }
    }
#endif
