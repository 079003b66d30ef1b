import CertificateChain
import Minting
import SignedPayloads
import Synchronization
import TestMinting

/// Lines in the batch. For every engine, each line that a plain splitter finds must get the verdict of the
/// verifier of single payloads, to the byte of its message.
package final class LinesTarget: FuzzTarget {
    package static let name = "lines"

    private static let maximumLines = 40
    private static let engines: [BatchVerifier.Engine] = [.portable, .vector, .libcrypto]

    private let alone: SignedPayloadVerifier
    private let receipts: ReceiptVerifier
    private let anchors: [TrustAnchor]
    private let busy: [String]
    private let batches = Mutex<[BatchVerifier]>([])
    private let mutator: TokenMutator

    package init() throws {
        anchors = try [TestPKI.p256(), TestPKI.standard()].map { TrustAnchor(der: try $0.root.der()) }
        alone = try SignedPayloadVerifier(anchors: anchors)
        receipts = try ReceiptVerifier(anchors: [TrustAnchor(der: ReceiptPKI.standard().root.der())])
        busy = try [TestPKI.p256(), TestPKI.standard()].flatMap { pki in
            let token = try pki.minter().token(payload: #"{"signedDate":1765000000123}"#)
            return [String](repeating: token, count: 20)
        }
        mutator = try TokenMutator()
    }

    /// Batch verifiers whose keys have earned their tables. Without tables, libcrypto would decide
    /// everything.
    private func makeBatches() throws(Violation) -> [BatchVerifier] {
        var batches: [BatchVerifier] = []
        for engine in Self.engines {
            guard let verifier = try? SignedPayloadVerifier(anchors: anchors) else {
                throw Violation("no verifier")
            }
            let batch = BatchVerifier(verifier, receipts: receipts, engine: engine, jobs: 1)
            for _ in 0..<2 {
                let verdicts = batch.verify(busy)
                try expect(verdicts.allSatisfy { (try? $0.get()) != nil }, "the first tokens fail")
            }
            try expect((batch.tableBytes > 0) == (engine != .libcrypto), "tables of \(engine)")
            batches.append(batch)
        }
        return batches
    }

    package func check(_ input: [UInt8]) throws(Violation) {
        let lines = Self.split(input)
        guard lines.count <= Self.maximumLines else { return }
        let expected = lines.map { line in Outcome(verdict(on: line.content)) }
        var batches = batches.withLock(\.self)
        // Headers that were signed again fill the cache of signers; the busy signers should stay in it.
        if batches.isEmpty || batches[0].payloads.rememberedSignerCount > 64 {
            batches = try makeBatches()
            self.batches.withLock { $0 = batches }
        }
        for batch in batches {
            let verdicts = batch.verify(lines: input)
            try expect(verdicts.map(\.line) == lines.map(\.number), "splits into other lines")
            for (index, verdict) in verdicts.enumerated() {
                let found = Outcome(verdict.verdict)
                try expect(
                    found == expected[index], "line \(verdict.line): \(found), alone \(expected[index])")
            }
        }
    }

    private func verdict(on line: [UInt8]) -> Result<VerifiedPayload, PayloadError> {
        Result { () throws(PayloadError) in try alone.verify(line: line.span, receipts: receipts) }
    }

    /// The lines that are not empty, without their line endings, and their numbers.
    private static func split(_ text: [UInt8]) -> [(number: Int, content: [UInt8])] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return content.isEmpty ? nil : (index + 1, Array(content))
        }
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        [line + Array("\r\n".utf8) + Array((busy.first ?? "").utf8) + Array("\n\n".utf8) + line]
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
            Array.init)
        let place = tools.below(lines.count)
        switch tools.below(8) {
        case 0: return tools.havoc(input)
        case 1: lines.insert(lines[place], at: tools.below(lines.count))
        case 2: lines.remove(at: place)
        case 3: lines.insert(Array((tools.pick(busy) ?? "").utf8), at: place)
        case 4: lines[place].append(UInt8(ascii: "\r"))
        case 5 where lines[place].first == UInt8(ascii: "{"):
            lines[place] = JSONMutator.changed(lines[place], &tools)
        case 5: lines[place] = Self.enveloped(lines[place], &tools)
        default: lines[place] = mutator.changed(lines[place], &tools)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func enveloped(_ line: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        let names = ["signedPayload", "signedTransactionInfo", "signedRenewalInfo", "receipt-data"]
        let name = Array((tools.pick(names) ?? "").utf8)
        let text = Array(String(decoding: line, as: UTF8.self).utf8)
        return PlainJSON.object([PlainJSON.Member(name: name, value: .string(text))]).written
    }
}
