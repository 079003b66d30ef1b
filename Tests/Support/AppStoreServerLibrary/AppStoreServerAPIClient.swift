#if ServerAPI
    internal import AppStoreServerAPI
    internal import Foundation
    internal import RequestSigning
    internal import SignedPayloads
    internal import StoreKitVerify

    /// Apple's `AppStoreServerAPIClient`, over this package's client.
    ///
    /// Limits are kept and requests that only read are repeated, which Apple's client leaves to its callers. Give it the roots
    /// and the number of the app too: what it returns was verified.
    public final class AppStoreServerAPIClient: Sendable {
        private let client: AppStoreServerAPI.AppStoreServerAPIClient

        /// - Parameters:
        ///   - signingKey: the private key, in PEM.
        ///   - keyId: the key's identifier.
        ///   - issuerId: the issuer's identifier.
        ///   - bundleId: the app.
        ///   - environment: the environment.
        ///   - verifier: verifies the answers.
        ///   - address: another server, such as the test store; `nil` for Apple's.
        public init(
            signingKey: String, keyId: String, issuerId: String, bundleId: String,
            environment: AppStoreEnvironment, verifier: SignedDataVerifier, address: String? = nil
        ) throws {
            let server: AppStoreServerAPI.AppStoreServerAPIClient.Server =
                if let address {
                    .init(address, environment: .init(rawValue: environment.rawValue))
                } else {
                    environment == .production ? .production : .sandbox
                }
            client = AppStoreServerAPI.AppStoreServerAPIClient(
                for: try RequestIssuer(keyID: keyId, issuerID: issuerId, bundleID: bundleId),
                signer: .key(try SigningKey(pem: Array(signingKey.utf8))), server: server,
                verifier: verifier.verifier)
        }

        /// Get Transaction Info.
        public func getTransactionInfo(transactionId: String) async -> APIResult<TransactionInfoResponse> {
            await result(of: .transactionInfo(of: transactionId))
        }

        /// Get Transaction History V2.
        public func getTransactionHistory(
            transactionId: String, revision: String?
        ) async -> APIResult<HistoryResponse> {
            await result(of: .transactionHistory(of: transactionId, revision: revision))
        }

        /// Get Refund History.
        public func getRefundHistory(
            transactionId: String, revision: String?
        ) async -> APIResult<RefundHistoryResponse> {
            await result(of: .refundHistory(of: transactionId, revision: revision))
        }

        /// Get All Subscription Statuses.
        public func getAllSubscriptionStatuses(transactionId: String) async -> APIResult<StatusResponse> {
            await result(of: .subscriptionStatuses(of: transactionId))
        }

        /// Look Up Order ID.
        public func lookUpOrderId(orderId: String) async -> APIResult<OrderLookupResponse> {
            await result(of: .lookUpOrder(orderId))
        }

        /// Get Notification History.
        public func getNotificationHistory(
            paginationToken: String?, notificationHistoryRequest request: NotificationHistoryRequest
        ) async -> APIResult<NotificationHistoryResponse> {
            var filter = NotificationFilter(
                from: request.startDate ?? .distantPast, to: request.endDate ?? Date())
            filter.notificationType = request.notificationType.map { .init(rawValue: $0) }
            filter.transactionID = request.transactionId
            filter.onlyFailures = request.onlyFailures ?? false
            return await result(of: .notificationHistory(filter, paginationToken: paginationToken))
        }

        /// Request a Test Notification.
        public func requestTestNotification() async -> APIResult<SendTestNotificationResponse> {
            await result(of: .requestTestNotification)
        }

        private func result<Answer, Response: Decodable & Sendable>(
            of request: APIRequest<Answer>
        ) async -> APIResult<Response> {
            do throws(AppStoreServerAPIError) {
                let answer = try await client.response(to: request)
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .millisecondsSince1970
                do {
                    return .success(response: try decoder.decode(Response.self, from: answer.body))
                } catch {
                    return .failure(
                        statusCode: 200, rawApiError: nil, errorMessage: "\(error)", causedBy: error)
                }
            } catch {
                return .failure(
                    statusCode: error.status, rawApiError: error.code.map { Int64($0.rawValue) },
                    errorMessage: error.message, causedBy: error)
            }
        }
    }

    /// An answer, with Apple's names.
    public enum APIResult<Response: Sendable>: Sendable {
        /// The answer's value.
        case success(response: Response)
        /// Why there is none.
        case failure(statusCode: Int?, rawApiError: Int64?, errorMessage: String?, causedBy: (any Error)?)
    }
#endif
