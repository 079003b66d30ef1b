internal import Dispatch
internal import Synchronization

/// Asks the issuers of certificates, by OCSP (RFC 6960), whether they have revoked them, and keeps the
/// answers.
///
/// Make one checker and share it among all verifiers: it asks about each certificate once, for all of them.
///
/// - An answer is kept until its `nextUpdate`. A new one is fetched in the background after three quarters of
///   that time.
/// - An answer without `nextUpdate` is kept for five minutes.
/// - A revocation is kept until a newer answer takes it back.
/// - A request that failed is repeated in the background after half a minute.
/// - The answers of at most 256 certificates are kept. Clocks may differ by five minutes.
///
/// The first question about a certificate takes time. `SignedPayloadVerifier.verify(_:)` blocks its thread
/// for at most `timeout`. `verifyTogether(_:)` and the asynchronous methods of `BatchVerifier` suspend their task
/// and block no thread.
public final class RevocationChecker: Sendable {
    /// The verdict on a certificate about which no answer can be had.
    public let mode: RevocationMode
    /// The longest time that a caller waits for an answer.
    public let timeout: Duration
    private let transport: any OCSPTransport
    private let clock: @Sendable () -> Int64
    /// Ends the waits whose time is up.
    private let timers = DispatchQueue(label: "storekit-verify.revocation.timers")
    /// The most recently used entry comes first.
    private let certificates = Mutex<[CertificateStatus]>([])
    private let libcrypto: BackgroundLibcrypto

    /// Makes a checker that has no answers yet.
    ///
    /// - Parameters:
    ///   - mode: the verdict on a certificate about which no answer can be had.
    ///   - transport: sends requests to responders.
    ///   - timeout: the longest time that a caller waits for an answer. It is brought between a millisecond
    ///     and a minute.
    ///   - clock: the time, in seconds since 1970. Answers hold for a span of time, and this initialiser
    ///     reads no clock of its own.
    public init(
        _ mode: RevocationMode, transport: any OCSPTransport, timeout: Duration = .seconds(5),
        clock: @escaping @Sendable () -> Int64
    ) {
        self.mode = mode
        self.transport = transport
        self.timeout = min(max(timeout, .milliseconds(1)), .seconds(60))
        self.clock = clock
        // The transport calls libcrypto too, and must stop when the checker does.
        libcrypto = (transport as? HTTPOCSPTransport)?.libcrypto ?? BackgroundLibcrypto()
    }

    /// The time, in seconds since 1970.
    package var now: Int64 { clock() }

    /// The revocation status of a signer's certificates; `nil` if the mode is `off` or the signer's certificate is
    /// pinned.
    package func status(of signer: TrustedSigner) -> SignerRevocation? {
        guard mode != .off, !signer.issuances.isEmpty else { return nil }
        return SignerRevocation(signer.issuances.map { ($0, status(of: $0)) }, self)
    }

    /// Waits for the request about the certificate, if one is under way. Blocks no thread.
    package func answer(about certificate: CertificateDescription) async {
        let found = certificates.withLock { $0.first { $0.isAbout(certificate) } }
        await found?.answer()
    }

    /// Ends all work in libcrypto: no thread may be in libcrypto when the process exits. Call this before
    /// `exit`.
    package func close() { libcrypto.close() }

    private func status(of issuance: JudgedIssuance) -> CertificateStatus {
        let key = CertificateStatus.key(of: issuance)
        return certificates.withLock { certificates in
            if let index = certificates.firstIndex(where: { $0.key == key }) {
                let found = certificates.remove(at: index)
                certificates.insert(found, at: 0)
                return found
            }
            let exchange = OCSPExchange(
                issuance: issuance, transport: transport, timeout: timeout, clock: clock,
                libcrypto: libcrypto)
            let made = CertificateStatus(exchange, mode: mode, timers: timers)
            certificates.insert(made, at: 0)
            if certificates.count > RevocationLimits.certificates { certificates.removeLast() }
            return made
        }
    }
}
