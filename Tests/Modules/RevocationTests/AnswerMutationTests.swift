import Libcrypto
import Minting
import OCSPResponders
import RepositoryFiles
import SeededRandom
import TestMinting
import Testing

/// Changed answers, given to the function that reads all answers.
@Suite struct AnswerMutationTests {
    private let pki: TestPKI
    private let files: OCSPResponderFiles
    private let request: OCSPRequest
    private let second: Int64 = 1_790_000_000

    init() throws {
        pki = try TestPKI.p256()
        files = try Self.files(pki, .good)
        request = try OCSPRequest(certificate: pki.leaves[2].der(), issuer: pki.intermediate.der())
    }

    private static func files(
        _ pki: TestPKI, _ status: OCSPResponderFiles.Status
    ) throws -> OCSPResponderFiles {
        try OCSPResponderFiles(
            issuer: pki.intermediate, signer: TestPKI.responder(of: pki.intermediate),
            certificates: [(pki.leaves[2], status)])
    }

    private func read(_ response: [UInt8]) throws -> OCSPAnswer {
        try OCSPAnswer(response, to: request, issuers: [pki.intermediate.der()], at: second)
    }

    /// Flips one bit of each byte; at a large `TestScale`, every bit.
    @Test func `a flipped bit never yields an answer that was not signed`() throws {
        let statuses: [OCSPResponderFiles.Status] = [
            .good, .revoked(CertificateTime(2025, 1, 1), reason: "keyCompromise"),
        ]
        for status in statuses {
            let response = try OpenSSLResponder.answer(to: request.der, Self.files(pki, status))
            let signed = try read(response)
            #expect(signed.nonce == .matching)
            var (refused, unsigned) = (0, 0)
            for bit in 0..<response.count * 8 where TestScale.isLarge || bit % 8 == bit / 8 % 8 {
                var changed = response
                changed[bit / 8] ^= 1 << (bit % 8)
                // A few bits are under no signature and have no effect: the tags of elements that are not
                // read.
                guard let answer = try? read(changed) else {
                    refused += 1
                    continue
                }
                #expect(answer == signed, "bit \(bit)")
                unsigned += 1
            }
            #expect(refused > 7 * unsigned, "\(refused) refused, \(unsigned) without effect")
        }
    }

    @Test func `an answer that is truncated or reordered is refused`() throws {
        let response = try OpenSSLResponder.answer(to: request.der, files)
        for count in response.indices {
            #expect(throws: OCSPAnswerError.self) { try read(Array(response[..<count])) }
        }
        var random = SplitMix64(seed: 6_960)
        for _ in 0..<2_000 {
            var changed = response
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let (from, to) = (
                    Int.random(in: 0..<changed.count, using: &random),
                    Int.random(in: 0..<changed.count, using: &random)
                )
                let length = min(Int.random(in: 1...64, using: &random), changed.count - from)
                let piece = Array(changed[from..<from + length])
                changed.replaceSubrange(to..<min(to + length, changed.count), with: piece)
            }
            guard changed != response else { continue }
            if let answer = try? read(changed) { #expect(try answer == read(response)) }
        }
    }

    @Test func `the signature of one answer is not that of another`() throws {
        let good = try OpenSSLResponder.answer(to: request.der, files)
        let revoked = try OpenSSLResponder.answer(
            to: request.der, Self.files(pki, .revoked(CertificateTime(2025, 1, 1), reason: nil)))
        let answers = (try read(good), try read(revoked))
        // Each answer gets the end of the other one, with signature and certificate.
        for place in stride(from: 1, to: min(good.count, revoked.count), by: 1) {
            let spliced = Array(good[..<(good.count - place)]) + revoked[(revoked.count - place)...]
            if let answer = try? read(spliced) { #expect(answer == answers.0 || answer == answers.1) }
        }
    }

    @Test func `the responder's certificate is judged at the time that is given`() throws {
        let response = try OpenSSLResponder.answer(to: request.der, files)
        let issuer = [try pki.intermediate.der()]
        let life = pki.intermediate.template
        let (first, last) = (Int64(life.notBefore.secondsSince1970), Int64(life.notAfter.secondsSince1970))
        for (second, isGood) in [(first - 1, false), (first, true), (last - 1, true), (last + 1, false)] {
            let answer = try? OCSPAnswer(response, to: request, issuers: issuer, at: second)
            #expect((answer != nil) == isGood, "\(second)")
        }
    }

    @Test func `each request has its own nonce`() throws {
        let again = try OCSPRequest(certificate: pki.leaves[2].der(), issuer: pki.intermediate.der())
        #expect(request.nonce.count == 32 && request.nonce != again.nonce)
        #expect(request.der.count == again.der.count)
    }
}
