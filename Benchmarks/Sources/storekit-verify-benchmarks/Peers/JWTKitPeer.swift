#if Peers
    import Foundation
    import JWTKit

    /// jwt-kit's verifier of `x5c` chains. It judges each token's chain at the token's date, and requires no
    /// marker.
    struct JWTKitPeer: TokenPeer {
        private let verifier: X5CVerifier
        private let decoder: JSONDecoder

        init(root: [UInt8]) throws {
            verifier = try X5CVerifier(rootCertificates: [root])
            decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .millisecondsSince1970
        }

        func verify(_ token: String) async throws {
            _ = try await verifier.verifyJWS(
                Array(token.utf8), as: TransactionPayload.self, jsonDecoder: decoder)
        }
    }

    extension TransactionPayload: ValidationTimePayload {
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
#endif
