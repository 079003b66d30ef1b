internal import Libcrypto

/// Asks a responder about one certificate, and judges the answer.
struct OCSPExchange: Sendable {
    let issuance: JudgedIssuance
    let transport: any OCSPTransport
    let timeout: Duration
    let clock: @Sendable () -> Int64
    let libcrypto: BackgroundLibcrypto

    /// The first responder of the certificate that has an `http` or `https` address of at most 256 bytes.
    func responder() -> String? {
        guard let certificate = try? X509Certificate.parse(issuance.der.span) else { return nil }
        return certificate.ocspResponders.first { url in
            let scheme = url.prefix { $0 != ":" }.lowercased()
            return (scheme == "http" || scheme == "https") && url.utf8.count <= RevocationLimits.urlBytes
        }
    }

    /// Sends the request, waits for the answer and judges it.
    func ask(_ url: String) async -> Result<SignedAnswer, RevocationFailure> {
        let request: OCSPRequest
        switch libcrypto.run(orIfClosed: RevocationFailure(.pending), makeRequest) {
        case .success(let made): request = made
        case .failure(let failure): return .failure(failure)
        }
        let response: [UInt8]
        do {
            response = try await transport.response(
                to: request.der, from: url, timeout: timeout, maximumBytes: RevocationLimits.responseBytes)
        } catch OCSPHTTPError.timeout {
            return .failure(RevocationFailure(.timeout(milliseconds: timeout.milliseconds)))
        } catch {
            return .failure(RevocationFailure(.unreachable("\(url): \(Self.shown(error))")))
        }
        return libcrypto.run(orIfClosed: RevocationFailure(.pending)) { judge(response, to: request) }
    }

    private func makeRequest() -> Result<OCSPRequest, RevocationFailure> {
        guard let issuer = issuance.issuers.first else { return .failure(RevocationFailure(.noResponder)) }
        return Result { () throws(LibcryptoError) in
            try OCSPRequest(certificate: issuance.der, issuer: issuer)
        }
        .mapError { RevocationFailure(.unreadable($0.description)) }
    }

    /// Judges an answer at the time of its arrival.
    private func judge(_ response: [UInt8], to request: OCSPRequest) -> Result<
        SignedAnswer, RevocationFailure
    > {
        guard response.count <= RevocationLimits.responseBytes else {
            return .failure(
                RevocationFailure(.tooLarge(bytes: response.count, limit: RevocationLimits.responseBytes)))
        }
        let now = clock()
        let answer: OCSPAnswer
        do throws(OCSPAnswerError) {
            answer = try OCSPAnswer(response, to: request, issuers: issuance.issuers, at: now)
        } catch {
            return .failure(RevocationFailure(RevocationUnknown(error)))
        }
        return Result { () throws(RevocationFailure) in try SignedAnswer(answer, at: now) }
    }

    /// The error's description, cut after 200 characters: a transport may put anything into it.
    private static func shown(_ error: any Error) -> String {
        let text = String(describing: error)
        return text.count <= 200 ? text : text.prefix(200) + "…"
    }
}

extension RevocationUnknown {
    /// The reason why an answer is of no use.
    fileprivate init(_ error: OCSPAnswerError) {
        switch error {
        case .unreadable(let reason): self = .unreadable(reason)
        case .algorithm(let name): self = .algorithm(name)
        case .untrusted(let reason): self = .untrustedResponder(reason)
        case .otherCertificate: self = .otherCertificate
        case .unsuccessful(let status):
            // RFC 6960, section 4.2.1.
            let names = [
                1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized",
            ]
            self = .unsuccessful(names[status] ?? "with the unknown status \(status)")
        }
    }
}
