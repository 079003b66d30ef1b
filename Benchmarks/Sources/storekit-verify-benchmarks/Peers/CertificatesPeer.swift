#if Peers
    import Crypto
    import Foundation
    import SwiftASN1
    import Synchronization
    @_spi(FixedExpiryValidationTime) import X509

    /// A plain pipeline on swift-certificates and swift-crypto, like Apple's App Store Server Library for Swift.
    /// It judges every token's chain separately, at the token's own date. With a cache, it judges a chain once,
    /// and compares the chain's dates with each token's.
    struct CertificatesPeer: TokenPeer {
        private let roots: CertificateStore
        private let cache: ChainCache?

        init(root: [UInt8], hasCache: Bool) throws {
            roots = CertificateStore([try Certificate(derEncoded: root)])
            cache = hasCache ? ChainCache() : nil
        }

        func verify(_ token: String) async throws {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let header = Self.decoded(parts[0]), let payload = Self.decoded(parts[1]),
                let signature = Self.decoded(parts[2])
            else { throw Failure.encoding }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .millisecondsSince1970
            let head = try decoder.decode(Header.self, from: header)
            let transaction = try decoder.decode(TransactionPayload.self, from: payload)
            guard head.alg == "ES256", head.x5c.count == 3 else { throw Failure.header }
            let key = try await key(of: head.x5c, at: transaction.signedDate)
            let input = Data("\(parts[0]).\(parts[1])".utf8)
            guard
                key.isValidSignature(
                    try P256.Signing.ECDSASignature(rawRepresentation: signature), for: input)
            else { throw Failure.signature }
        }

        /// The leaf's key, if the chain is trusted at the date.
        private func key(of x5c: [String], at date: Date) async throws -> P256.Signing.PublicKey {
            if let known = cache?.chain(x5c) {
                guard known.validity.contains(date) else { throw Failure.chain }
                return known.key
            }
            let certificates = try x5c.prefix(2).map { text in
                guard let der = Data(base64Encoded: text) else { throw Failure.encoding }
                return try Certificate(derEncoded: Array(der))
            }
            var verifier = Verifier(rootCertificates: roots) {
                AppStoreMarkerPolicy()
                RFC5280Policy(fixedExpiryValidationTime: date)
            }
            let result = await verifier.validate(
                leaf: certificates[0], intermediates: CertificateStore(certificates.dropFirst()))
            guard case .validCertificate(let chain) = result,
                let key = P256.Signing.PublicKey(certificates[0].publicKey)
            else { throw Failure.chain }
            if let begin = chain.map(\.notValidBefore).max(), let end = chain.map(\.notValidAfter).min() {
                cache?.remember(x5c, ChainCache.Chain(key: key, validity: begin...end))
            }
            return key
        }

        private enum Failure: Error { case encoding, header, chain, signature }

        private struct Header: Decodable {
            var alg: String
            var x5c: [String]
        }

        /// base64url without padding (RFC 7515, section 2).
        private static func decoded(_ text: Substring) -> Data? {
            var bytes = text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            }
            bytes += [UInt8](repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
            return Data(base64Encoded: Data(bytes))
        }
    }

    /// The chains that were found good, by their text.
    private final class ChainCache: Sendable {
        struct Chain: Sendable {
            let key: P256.Signing.PublicKey
            let validity: ClosedRange<Date>
        }

        private let chains = Mutex<[[String]: Chain]>([:])

        func chain(_ x5c: [String]) -> Chain? { chains.withLock { $0[x5c] } }

        func remember(_ x5c: [String], _ chain: Chain) { chains.withLock { $0[x5c] = chain } }
    }

    /// Requires the extensions that mark the App Store's leaves and intermediates.
    private struct AppStoreMarkerPolicy: VerifierPolicy {
        let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

        private static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
        private static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

        func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
            guard chain.count == 3 else { return .failsToMeetPolicy(reason: "the chain is not of three") }
            guard chain[0].extensions[oid: Self.leaf] != nil,
                chain[1].extensions[oid: Self.intermediate] != nil
            else { return .failsToMeetPolicy(reason: "a marker is missing") }
            return .meetsPolicy
        }
    }
#endif
