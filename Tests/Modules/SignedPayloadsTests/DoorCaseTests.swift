import Foundation
import RepositoryFiles
import SignedPayloads
import Testing
import WireFormats

/// The shared table of cases, at the library.
@Suite struct DoorCaseTests {
    private let cases: DoorCases
    private let payloads: SignedPayloadVerifier
    private let receipts: ReceiptVerifier

    init() throws {
        cases = try DoorCases()
        let anchors = try DoorCases.roots.flatMap {
            try TrustAnchor.certificates(in: [UInt8](Data(contentsOf: $0)))
        }
        payloads = try SignedPayloadVerifier(anchors: anchors)
        receipts = try ReceiptVerifier(anchors: anchors)
    }

    /// The outcome of a payload, by another way than the table's.
    private func outcome(of input: PastedInput?, isInspected: Bool) -> String {
        guard let input else { return "nothing" }
        do throws(PayloadError) {
            if input.kind == .receipt {
                _ = try receipts.verify(file: input.bytes)
            } else if isInspected {
                _ = try payloads.inspect(line: input.bytes.span).verdict.get()
            } else {
                _ = try payloads.verify(line: input.bytes.span)
            }
            return "verified"
        } catch {
            return error.code.rawValue
        }
    }

    @Test func `every group says of every door how it is asked, or why it is not`() {
        let groups = ["percentEncoding", "uuids", "inspection", "body", "lines", "signatures"]
        #expect(cases.groups.keys.sorted() == groups.sorted())
        for (name, group) in cases.groups {
            #expect(group.doors.keys.sorted() == DoorCases.Door.allCases.map(\.rawValue).sorted(), "\(name)")
            #expect(group.concerns(.library), "\(name)")
            for reason in group.doors.values { #expect(reason.count > 10, "\(name)") }
        }
        #expect(!cases.percentEncoding.isEmpty && !cases.uuids.isEmpty && !cases.inputs.isEmpty)
    }

    @Test func `percent-encoding is that of the table`() {
        for each in cases.percentEncoding {
            #expect(PercentEncoding.decoded(each.text, isQuery: true) == each.query, "\(each.text)")
            #expect(PercentEncoding.decoded(each.text) == each.path, "\(each.text)")
        }
    }

    @Test func `UUIDs are those of the table`() throws {
        for each in cases.uuids {
            let json = try JSONEncoder().encode(["deviceId": each.text])
            let options = try? VerifierOptions(json: [UInt8](json).span)
            #expect((options != nil) == each.isUUID, "\(each.text.debugDescription)")
        }
    }

    @Test func `what is pasted and what is posted has the table's outcome`() throws {
        for each in cases.inputs {
            let bytes = try each.bytes
            let text = String(decoding: bytes, as: UTF8.self).debugDescription.prefix(200)
            #expect(outcome(of: PastedText(bytes)?.first, isInspected: true) == each.inspection, "\(text)")
            #expect(outcome(of: PastedInput(body: bytes), isInspected: false) == each.body, "\(text)")
        }
    }

    @Test func `an empty token is told so, wherever it stands`() throws {
        for text in ["", "\n", "\r\n\r\n", " ", " \t\r\n", "{\"signedPayload\":\"\"}"] {
            do throws(PayloadError) {
                _ = try payloads.verify(line: text)
                Issue.record("verified")
            } catch {
                #expect(error.detail == "emptyToken" && error.message.contains("empty"), "\(error)")
            }
        }
    }

    @Test func `lines that come in parts have the table's numbers and outcomes`() throws {
        for each in cases.inputs {
            let parts = try each.partBytes
            var (scanner, buffer) = (LineScanner(payloads.policy.lineLimits), [UInt8]())
            var found: [DoorCases.Input.Line] = []
            for (index, part) in parts.enumerated() {
                buffer += part
                let isAtEnd = index == parts.count - 1
                while let line = scanner.next(in: buffer.span, to: buffer.count, isAtEnd: isAtEnd) {
                    found.append(
                        .init(line: scanner.number, outcome: outcome(ofLine: Array(buffer[line.place]))))
                }
            }
            #expect(found == each.lines, "\(String(decoding: buffer.prefix(200), as: UTF8.self))")
        }
    }

    private func outcome(ofLine line: [UInt8]) -> String {
        do throws(PayloadError) {
            _ = try payloads.verify(line: line.span, receipts: receipts)
            return "verified"
        } catch {
            return error.code.rawValue
        }
    }
}

/// The values of `PastedInput` besides the payload's outcome.
@Suite struct PastedInputTests {
    @Test func `a receipt's bytes are left alone, for they may end in those of white space`() {
        let der: [UInt8] = [0x30, 0x82, 0x01, 0x0a, 0x0a]
        for input in [PastedText(der)?.first, PastedInput(body: der)] {
            #expect(input?.kind == .receipt && input?.bytes == der)
        }
    }

    @Test func `an argument is a payload if it begins like one, and the name of a file otherwise`() {
        let base64 = "MII" + String(repeating: "a", count: 200)
        for (argument, kind) in [
            ("eyJ.a.b", PastedInput.Kind.token), (" eyJ.a.b\n", .token), ("{\"a\":1}", .object),
            (base64, .receipt), ("eyJ.a", nil), ("a.b.c", nil), ("MIIabcd", nil), (base64 + ".p7b", nil),
            ("-", nil), ("", nil),
        ] {
            #expect(PastedInput.kind(ofArgument: Array(argument.utf8)) == kind, "\(argument)")
        }
    }
}
