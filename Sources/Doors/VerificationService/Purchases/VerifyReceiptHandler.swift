#if Service
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import Logging
    internal import NIOCore
    internal import NIOPosix
    internal import PayloadOutput
    internal import PurchaseDatabase
    internal import SignedPayloads
    internal import StoreKitVerify

    /// `POST /verifyReceipt`: the answers of Apple's deprecated endpoint of this name, for clients that change its host.
    ///
    /// The HTTP status is 200, and the body has the endpoint's status, as clients expect. A mistake in the request as
    /// such is a problem, as at other paths: its app, its length, its form.
    struct VerifyReceiptHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let threads: NIOThreadPool
        let metrics: ServiceMetrics
        /// The service's tokens; `nil` if every caller is welcome at every path.
        let tokens: BearerTokens?

        private let places = QuestionPlaces()

        /// Another method than POST has a status of its own.
        func refuse(_ request: RouteRequest) -> Response { Self.answer(.malformedRequest) }

        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app"])
            let app = try apps.app(for: request)
            return try await bodies.withBytes(of: request) { body in
                do throws(VerifyReceiptStatus) {
                    let json = try await answer(to: try VerifyReceiptRequest(json: body), app, request)
                    return .json(ByteBuffer(string: json + "\n"))
                } catch {
                    return Self.answer(error)
                }
            }
        }

        private static func answer(_ status: VerifyReceiptStatus) -> Response {
            .json(ByteBuffer(string: VerifyReceiptResponse.json(of: status) + "\n"))
        }

        private func answer(
            to body: VerifyReceiptRequest, _ app: ServedApp, _ request: RouteRequest
        ) async throws(VerifyReceiptStatus) -> String {
            let response = VerifyReceiptResponse(
                try await verified(body.receipt, app), content: body.receipt, requestDate: Date(),
                excludesOldTransactions: body.excludesOldTransactions)
            let knowsSecret = app.sharedSecret?.contain(Array((body.password ?? "").utf8))
            if response.hasSubscriptions, knowsSecret == false { throw .wrongPassword }
            // A receipt does not tell who asks. The rest needs the token, as the paths of customers, or the secret.
            let mayAsk = knowsSecret == true || hasToken(request)
            return response.json(known: mayAsk ? try await known(of: response, app, request.logger) : [])
        }

        /// Verification may ask about revocation, so it takes a thread of those for receipts.
        private func verified(
            _ receipt: [UInt8], _ app: ServedApp
        ) async throws(VerifyReceiptStatus) -> VerifiedReceipt {
            let result: Result<VerifiedReceipt, PayloadError>
            do {
                result = try await app.threads(or: threads).runIfActive {
                    Result { () throws(PayloadError) in try app.receipts.verify(file: receipt) }
                }
            } catch {
                // The service is ending.
                throw .unavailable
            }
            switch result {
            case .success(let receipt):
                metrics.app(app.name).record(nil)
                return receipt
            case .failure(let error):
                metrics.app(app.name).record(error)
                throw VerifyReceiptStatus(error)
            }
        }

        private func hasToken(_ request: RouteRequest) -> Bool {
            guard let tokens else { return true }
            return (try? tokens.check(request.request.headers)) != nil
        }

        /// The receipt's purchases in the database.
        ///
        /// - Throws: a status if it cannot be read. An answer without it could say that a refunded purchase is paid for.
        private func known(
            of response: VerifyReceiptResponse, _ app: ServedApp, _ logger: Logger
        ) async throws(VerifyReceiptStatus) -> [PurchaseChain] {
            guard let store = app.database?.store, let selection = response.selection,
                response.hasSubscriptions
            else { return [] }
            do {
                return try await places.withPlace {
                    try await store.history(of: response.customer).purchases(of: selection).purchases
                }
            } catch let error as SQLiteStoreError {
                logger.error("the database failed", metadata: ["reason": .string(error.description)])
                throw .internalError
            } catch {
                // Too many wait.
                throw .unavailable
            }
        }
    }
#endif
