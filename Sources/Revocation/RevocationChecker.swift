package import CertificateChain
internal import Dispatch
internal import Synchronization

/// Asks the issuers of certificates whether they have revoked them, by OCSP (RFC 6960), and remembers the answers.
///
/// An object to make once and share among all verifiers: a certificate is asked about once, whoever wants to know. The
/// answers of up to 256 certificates are kept, each until its `nextUpdate`, and asked for anew in the background once
/// three quarters of that time are over. One that names no `nextUpdate` is kept for five minutes. That a certificate
/// was revoked is kept until a newer answer says otherwise. What brought no answer is asked again after half a
/// minute, in the background. Five minutes' difference between the clocks is allowed for.
///
/// The first answer about a certificate has to be waited for: `SignedPayloadVerifier.verify(_:)` keeps its thread for
/// at most `timeout`, while the asynchronous methods of `BatchVerifier` keep none.
public final class RevocationChecker: Sendable {
    /// What to do where no answer is to be had.
    public let mode: RevocationMode
    /// How long an answer is waited for.
    public let timeout: Duration
    private let transport: any OCSPTransport
    private let clock: @Sendable () -> Int64
    /// Wakes those who wait for answers that do not come.
    private let timers = DispatchQueue(label: "storekit-verify.revocation.timers")
    /// The certificate asked about last comes first.
    private let certificates = Mutex<[CertificateStatus]>([])
    private let door = LibcryptoDoor()

    /// Makes a checker that knows nothing yet.
    ///
    /// - Parameters:
    ///   - mode: what to do where no answer is to be had.
    ///   - transport: brings questions to responders.
    ///   - timeout: how long an answer is waited for: between a millisecond and a minute.
    ///   - clock: the time, in seconds since 1970. Answers are signed for a span of time, and the library reads no clock
    ///     by itself.
    public init(
        _ mode: RevocationMode, transport: any OCSPTransport, timeout: Duration = .seconds(5),
        clock: @escaping @Sendable () -> Int64
    ) {
        self.mode = mode
        self.transport = transport
        self.timeout = min(max(timeout, .milliseconds(1)), .seconds(60))
        self.clock = clock
    }

    /// The time, in seconds since 1970.
    package var now: Int64 { clock() }

    /// How many certificates are remembered.
    package var rememberedCertificateCount: Int { certificates.withLock(\.count) }

    /// What is known about the certificates of a signer; `nil` where nobody is to be asked.
    package func status(of signer: TrustedSigner) -> SignerRevocation? {
        guard mode != .off, !signer.issuances.isEmpty else { return nil }
        return SignerRevocation(signer.issuances.map { ($0, status(of: $0)) }, self)
    }

    /// Waits, if an answer about the certificate is awaited. Keeps no thread.
    package func answer(about certificate: CertificateDescription) async {
        let found = certificates.withLock { $0.first { $0.isAbout(certificate) } }
        await found?.answer()
    }

    /// Judges no more answers, and waits for the judgement that is being made: for a process that is about to end,
    /// because libcrypto cleans up then, and nobody may be inside it.
    package func close() { door.close() }

    private func status(of issuance: JudgedIssuance) -> CertificateStatus {
        let key = CertificateStatus.key(of: issuance)
        return certificates.withLock { certificates in
            if let index = certificates.firstIndex(where: { $0.key == key }) {
                let found = certificates.remove(at: index)
                certificates.insert(found, at: 0)
                return found
            }
            let exchange = OCSPExchange(
                issuance: issuance, transport: transport, timeout: timeout, clock: clock, door: door)
            let made = CertificateStatus(exchange, mode: mode, timers: timers)
            certificates.insert(made, at: 0)
            if certificates.count > RevocationLimits.certificates { certificates.removeLast() }
            return made
        }
    }
}
