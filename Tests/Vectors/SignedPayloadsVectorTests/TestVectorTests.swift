import Foundation
import SignedPayloads
import Testing

/// Every line of `TestVectors` must give the result in its manifest.
@Suite struct TestVectorTests {
    @Test("every line of the manifest gives what it says", arguments: try Manifest.load())
    func manifestHolds(file: Manifest.File) throws {
        let (verifier, receipts) = (try file.makeVerifier(), try file.makeReceiptVerifier())
        var expected = Dictionary(uniqueKeysWithValues: file.lines.map { ($0.line, $0) })
        for (index, line) in try file.contents().enumerated() where !line.isEmpty {
            let found = expected.removeValue(forKey: index + 1)
            let entry = try #require(found, "\(file.file):\(index + 1) is not listed")
            do throws(PayloadError) {
                let payload = try verifier.verify(line: line.span, receipts: receipts)
                #expect(entry.verified, "\(entry.id): \(entry.why)")
                #expect(payload.kind.rawValue == entry.type, "\(entry.id)")
            } catch {
                #expect(!entry.verified, "\(entry.id): \(error)")
                #expect(error.code.rawValue == entry.error, "\(entry.id): \(error)")
                #expect(error.member == entry.at, "\(entry.id)")
                #expect(error.message.count > 20)
            }
        }
        #expect(expected.isEmpty, "listed, but not in \(file.file): \(expected.keys.sorted())")
    }

    @Test(
        "receipts get one verdict, by what is remembered of their signers as by CMS",
        arguments: try Manifest.load().filter(\.holdsReceipts))
    func receiptsAgree(file: Manifest.File) throws {
        let remembering = try file.makeReceiptVerifier()
        let forgetting = try file.makeReceiptVerifier(remembersSigners: false)
        let expected = Dictionary(uniqueKeysWithValues: file.lines.map { ($0.line, $0) })
        // In the second round, every good signer is in the cache.
        for _ in 0..<2 {
            for (index, line) in try file.contents().enumerated() where !line.isEmpty {
                let verdict = outcome(of: line, remembering)
                #expect(verdict == outcome(of: line, forgetting))
                let entry = try #require(expected[index + 1])
                #expect(verdict.code == entry.error, "\(entry.id): \(verdict.message ?? "verified")")
            }
        }
        #expect(forgetting.rememberedSignerCount == 0)
    }

    private func outcome(
        of line: [UInt8], _ verifier: ReceiptVerifier
    ) -> ReceiptOutcome {
        do throws(PayloadError) {
            let receipt = try verifier.verify(line.span)
            return ReceiptOutcome(json: receipt.receipt.json, code: nil, message: nil)
        } catch {
            return ReceiptOutcome(json: nil, code: error.code.rawValue, message: error.message)
        }
    }

    private struct ReceiptOutcome: Equatable {
        let json: [UInt8]?
        let code: String?
        let message: String?
    }

    @Test func `every code that needs no network is produced by some line`() throws {
        let codes = try Set(Manifest.load().flatMap(\.lines).compactMap(\.error))
        // Revocation depends on responders; RevocationTests covers it.
        let asked: Set<PayloadError.Code> = [.revokedCertificate, .revocationUnknown]
        #expect(codes == Set(Set(PayloadError.Code.allCases).subtracting(asked).map(\.rawValue)))
    }

    @Test func `every file of vectors is in the manifest`() throws {
        let listed = Set(try Manifest.load().map(\.file))
        for folder in ["valid", "invalid"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: Manifest.folder.appending(path: folder).path)
            for name in names { #expect(listed.contains("\(folder)/\(name)")) }
        }
    }
}
