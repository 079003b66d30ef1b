#if Service
    internal import AppReceipts
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

        /// What the answer shows of a payload.
        private enum View: String, CaseIterable {
            /// The payload as it was signed.
            case payload
            /// The payload by StoreKit's names.
            case typed
            /// Header, chain, dates and every check, as `inspect --json` writes them.
            case inspect
        }

        func respond(to request: RouteRequest) async throws -> Response {
            try request.allowQuery(["app", "view"])
            let app = try apps.app(for: request)
            let view = try request.view(View.self, default: .payload)
            let json = try await bodies.withBytes(of: request.request) { body in
                var input = Self.input(of: body)
                guard !input.isEmpty else {
                    throw Problem(
                        .badRequest,
                        "The body is empty; send a token, a JSON object with signedPayload or the like, or a receipt."
                    )
                }
                // A receipt is a file, with its line breaks.
                let isReceipt = Self.isReceipt(input)
                if isReceipt { input = body }
                return view == .inspect
                    ? try await inspection(of: input, app, isReceipt: isReceipt)
                    : try await verdict(on: input, app, view, request.eventLoop, isReceipt: isReceipt)
            }
            return .json(json)
        }

        /// The body without what a shell or an editor has put around the payload: line breaks at its end, and white space before
        /// an object.
        private static func input(of body: [UInt8]) -> [UInt8] {
            var end = body.count
            while end > 0, body[end - 1] == 0x0a || body[end - 1] == 0x0d { end -= 1 }
            let start = body.prefix(end).firstIndex { $0 > 0x20 } ?? end
            let begin = start < end && body[start] == UInt8(ascii: "{") ? start : 0
            return begin == 0 && end == body.count ? body : Array(body[begin..<end])
        }

        private func verdict(
            on input: [UInt8], _ app: ServedApp, _ view: View, _ eventLoop: any EventLoop, isReceipt: Bool
        ) async throws -> ByteBuffer {
            if isReceipt { return try await receiptVerdict(on: input, app, view) }
            let answer = await app.batch.answer(on: input, executor: ClosureExecutor(eventLoop)) {
                verdict, results in
                Self.answer(to: verdict, results, view)
            }
            metrics.record(answer.failure)
            return ByteBuffer(bytes: answer.text)
        }

        /// A token begins with the base64 of a brace and a quotation mark. That is decided without a look at the rest.
        private static func isReceipt(_ input: [UInt8]) -> Bool {
            !input.starts(with: "eyJ".utf8) && ReceiptText.isLikely(file: input)
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

        // MARK: - What takes longer

        /// Receipts and inspections ask about revocation on their thread, so that thread is not an event loop's.
        ///
        /// - Throws: only if the service is ending and its pool takes no more work.
        private func receiptVerdict(on input: [UInt8], _ app: ServedApp, _ view: View) async throws
            -> ByteBuffer
        {
            let (text, failure) = try await threads.runIfActive {
                Self.receiptText(of: input, app.receipts, view)
            }
            metrics.record(failure)
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

        private func inspection(of input: [UInt8], _ app: ServedApp, isReceipt: Bool) async throws
            -> ByteBuffer
        {
            let (text, failure) = try await threads.runIfActive { () -> (String, PayloadError?) in
                if isReceipt {
                    let inspection = app.receipts.inspect(file: input)
                    return (InspectionJSON.text(for: inspection), inspection.verdict.failure)
                }
                let inspection = app.payloads.inspect(line: input.span)
                return (InspectionJSON.text(for: inspection), inspection.verdict.failure)
            }
            metrics.record(failure)
            return ByteBuffer(string: text + "\n")
        }
    }

    extension Result where Failure == PayloadError {
        /// Why there is no success; `nil` if there is.
        fileprivate var failure: PayloadError? {
            if case .failure(let error) = self { error } else { nil }
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
                throw Problem(.badRequest, "There is no \(name) \"\(text.prefix(64))\"; there are: \(known).")
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
