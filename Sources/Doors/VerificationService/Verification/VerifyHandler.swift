#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import NIOPosix
    internal import Platform
    internal import SignedPayloads
    internal import StoreKitVerify
    internal import InspectionReports
    internal import PayloadOutput

    /// `POST /v1/verify`: the verdict on one payload.
    struct VerifyHandler: Sendable {
        let apps: ServedApps
        let bodies: BodyReader
        let threads: NIOThreadPool
        let metrics: ServiceMetrics

        /// How the answer shows a payload.
        private enum View: String, CaseIterable {
            /// The payload as it was signed.
            case payload
            /// The payload by StoreKit's names.
            case typed
            /// Header, chain, dates and every check, as `inspect --json` writes them.
            case inspect
            /// The inspections of all payloads in a text that a person pasted.
            case inspections
        }

        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "view"])
            let app = try apps.app(for: request)
            let view = try request.view(View.self, default: .payload)
            let json = try await bodies.withBytes(of: request) { body in
                if view == .inspect || view == .inspections {
                    return try await inspection(of: body, app, all: view == .inspections)
                }
                guard let input = PastedInput(body: body) else { throw Self.emptyBody }
                return try await verdict(on: input, app, view, request.eventLoop)
            }
            return .json(json)
        }

        private static var emptyBody: Problem {
            Problem(
                .badRequest,
                "The body is empty; send a token, a JSON object with signedPayload or the like, or a receipt."
            )
        }

        private func verdict(
            on input: PastedInput, _ app: ServedApp, _ view: View, _ eventLoop: any EventLoop
        ) async throws -> ByteBuffer {
            if input.kind == .receipt { return try await receiptVerdict(on: input.bytes, app, view) }
            let answer = await app.batch.answer(on: input.bytes, executor: ClosureExecutor(eventLoop)) {
                verdict, results in
                Self.answer(to: verdict, results, view)
            }
            metrics.app(app.name).record(answer.failure)
            return ByteBuffer(bytes: answer.text)
        }

        private static func answer(
            to verdict: LineVerdict, _ results: borrowing BatchResults, _ view: View
        ) -> LineAnswer {
            var verdict = verdict
            var (text, diagnostics): ([UInt8], [UInt8]) = ([], [])
            text.reserveCapacity(4_096)
            var writer = LineWriter(view == .typed ? .typed : .ndjson)
            writer.append(
                &verdict, results, line: nil, text: [UInt8]().span, to: &text, diagnostics: &diagnostics)
            return LineAnswer(text: text, failure: verdict.failure)
        }

        // MARK: - Slower requests

        /// Receipts and inspections ask about revocation on their thread, so that thread is not an event loop's.
        ///
        /// - Throws: only if the service is ending and its pool takes no more work.
        private func receiptVerdict(on input: [UInt8], _ app: ServedApp, _ view: View) async throws
            -> ByteBuffer
        {
            let (text, failure) = try await app.threads(or: threads).runIfActive {
                Self.receiptText(of: input, app.receipts, view)
            }
            metrics.app(app.name).record(failure)
            return text
        }

        private static func receiptText(
            of input: [UInt8], _ verifier: ReceiptVerifier, _ view: View
        ) -> (ByteBuffer, PayloadError?) {
            let writer = ReceiptWriter(form: view == .typed ? .typed : .verdict(.ndjson))
            do throws(PayloadError) {
                let receipt = try verifier.verify(file: input)
                return (ByteBuffer(bytes: writer.text(for: receipt, content: input, file: nil)), nil)
            } catch {
                return (ByteBuffer(bytes: writer.text(for: error, content: input, file: nil)), error)
            }
        }

        /// - Parameters:
        ///   - body: the text that a person pasted.
        ///   - all: whether all payloads in it are inspected, or only the first.
        private func inspection(of body: [UInt8], _ app: ServedApp, all: Bool) async throws -> ByteBuffer {
            let threads = app.threads(or: self.threads)
            let (text, failures) = try await threads.runIfActive { () throws -> (String, [PayloadError?]) in
                guard let pasted = PastedText(body) else { throw Self.emptyBody }
                if all {
                    let inspections = PastedInspections(of: pasted, app.payloads, app.receipts)
                    return (inspections.json, inspections.failures)
                }
                let inspection = PastedInspection(of: pasted.first, app.payloads) { app.receipts }
                return (inspection.json(pasted.notes), [inspection.failure])
            }
            for failure in failures { metrics.app(app.name).record(failure) }
            return ByteBuffer(string: text)
        }
    }

    extension RouteRequest {
        /// The choice that a parameter names.
        ///
        /// - Throws: a `Problem` that lists the choices.
        func view<Choice: RawRepresentable<String> & CaseIterable>(
            _: Choice.Type, named name: String = "view", default choice: Choice
        ) throws(Problem) -> Choice {
            guard let text = query(name) else { return choice }
            guard let chosen = Choice(rawValue: text) else {
                let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.badRequest, "Unknown \(name) \"\(text.prefix(64))\"; known: \(known).")
            }
            return chosen
        }
    }

    extension Response {
        /// An answer in JSON.
        static func json(_ body: ByteBuffer) -> Response {
            Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
    }
#endif
