#if ServerAPI
    public import Foundation
    internal import SignedPayloads
    internal import StoreKitVerify

    /// Apple's `SignedDataVerifier`, over this package's verifier.
    ///
    /// Together with the other files of this folder it has the names of Apple's App Store Server Library for Swift. Copy the
    /// folder into a target named `AppStoreServerLibrary`, and code that was written for that library compiles.
    public struct SignedDataVerifier: Sendable {
        let verifier: StoreKitVerifier

        /// - Parameters:
        ///   - rootCertificates: the roots to trust, in DER.
        ///   - bundleId: the app.
        ///   - appAppleId: the app's number, which production has.
        ///   - environment: the environment.
        ///   - enableOnlineChecks: whether to ask if certificates were revoked.
        public init(
            rootCertificates: [Foundation.Data], bundleId: String, appAppleId: Int64?,
            environment: AppStoreEnvironment, enableOnlineChecks: Bool
        ) throws {
            guard environment != .production || appAppleId != nil else {
                throw ConfigurationError.INVALID_APP_APPLE_ID
            }
            var policy = VerificationPolicy()
            policy.bundleIdentifiers = [bundleId]
            policy.environments = [.init(rawValue: environment.rawValue)]
            policy.appAppleIdentifier = appAppleId
            let anchors = rootCertificates.map { TrustAnchor(der: Array($0)) }
            let payloads = try SignedPayloadVerifier(
                anchors: anchors, policy: policy,
                revocation: enableOnlineChecks ? RevocationChecker(overHTTP: .hard) : nil)
            verifier = StoreKitVerifier(payloads)
        }

        /// Verifies a transaction.
        public func verifyAndDecodeTransaction(
            signedTransaction: String
        ) async -> VerificationResult<JWSTransactionDecodedPayload> {
            await decoded(signedTransaction, .transaction)
        }

        /// Verifies renewal information.
        public func verifyAndDecodeRenewalInfo(
            signedRenewalInfo: String
        ) async -> VerificationResult<JWSRenewalInfoDecodedPayload> {
            await decoded(signedRenewalInfo, .renewalInfo)
        }

        /// Verifies a notification.
        public func verifyAndDecodeNotification(
            signedPayload: String
        ) async -> VerificationResult<ResponseBodyV2DecodedPayload> {
            await decoded(signedPayload, .notification)
        }

        /// Verifies an app transaction.
        public func verifyAndDecodeAppTransaction(
            signedAppTransaction: String
        ) async -> VerificationResult<AppTransaction> { await decoded(signedAppTransaction, .appTransaction) }

        private func decoded<Payload: Decodable & Sendable>(
            _ token: String, _ kind: SignedPayloadKind
        ) async -> VerificationResult<Payload> {
            do throws(PayloadError) {
                let payload = try await verifier.payloads.verifyTogether(token)
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .millisecondsSince1970
                guard payload.kind == kind,
                    let value = try? decoder.decode(Payload.self, from: Data(payload.json))
                else { return .invalid(.INVALID_JWT_FORMAT) }
                return .valid(value)
            } catch {
                return .invalid(VerificationError(error))
            }
        }
    }

    /// Why a verifier was not made.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// Production needs the app's number.
        case INVALID_APP_APPLE_ID
    }

    /// A verdict, with Apple's names.
    public enum VerificationResult<Payload: Sendable>: Sendable {
        /// Every check has passed.
        case valid(Payload)
        /// A check failed.
        case invalid(VerificationError)
    }

    extension VerificationResult: Equatable where Payload: Equatable {}

    /// Why a payload was refused, with Apple's codes.
    public enum VerificationError: Error, Hashable, Sendable {
        case INVALID_JWT_FORMAT
        case INVALID_CERTIFICATE
        case VERIFICATION_FAILURE
        case RETRYABLE_VERIFICATION_FAILURE
        case INVALID_APP_IDENTIFIER
        case INVALID_ENVIRONMENT
    }
#endif
