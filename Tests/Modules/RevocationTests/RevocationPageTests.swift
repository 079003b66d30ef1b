import Foundation
import RepositoryFiles
import SignedPayloads
import Testing

/// The sample on the documentation page about revocation.
@Suite struct RevocationPageTests {
    private func verify(_ token: String) throws {
        let revocation = RevocationChecker(overHTTP: .hard)  // make one, share it among all verifiers
        let verifier = try SignedPayloadVerifier(revocation: revocation)
        let payload = try verifier.verify(token)
        print(payload.revocation)  // who said what, and until when it holds
    }

    @Test func `the page's sample is the one compiled here, and trusts only Apple`() throws {
        let file = URL(filePath: #filePath)
        let sample = try Repository.text("Sources/Verdict/SignedPayloads/SignedPayloads.docc/Revocation.md")
            .components(separatedBy: "```swift\n").compactMap { $0.components(separatedBy: "```").first }
            .first { $0.contains("RevocationChecker(overHTTP:") }
        let shown = try #require(sample).split(separator: "\n")
        let compiled = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.drop { $0 == " " } }
        #expect(compiled.filter { shown.contains($0) } == shown)

        let token = try RevocationScene().token()
        let error = #expect(throws: PayloadError.self) { try verify(token) }
        #expect(error?.code == .invalidCertificateChain)
    }
}
