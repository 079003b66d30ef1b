#if SQLite || ServerAPI
    internal import CLibcurl
    internal import Platform

    /// What is sent, by when, and who waits for it.
    struct TransferRequest: Sendable {
        let message: HTTPMessage
        let limit: AnswerLimit
        let deadline: ContinuousClock.Instant
        /// The time for a connection, TLS included; `nil` for no other limit than the deadline.
        let connecting: Duration?
        /// A file with the roots that are trusted; `nil` for this computer's.
        let trustedCertificates: String?
        let result: CheckedContinuation<Result<HTTPAnswer, HTTPFailure>, Never>
    }

    /// Owns one request at libcurl. It stays on the thread of its loop.
    @safe
    final class Transfer {
        private let pointer: UnsafeMutablePointer<clibcurl_transfer>
        private let request: TransferRequest
        private var reader: AnswerReader

        deinit { unsafe clibcurl_transfer_free(pointer) }

        /// - Parameter number: what `CurlMulti.ended` names the request by.
        /// - Returns: `nil` if there is no memory, or libcurl refuses a text.
        init?(_ request: TransferRequest, number: Int) {
            let message = request.message
            let rest = ContinuousClock().now.duration(to: request.deadline)
            guard
                let pointer = unsafe clibcurl_transfer_new(
                    message.method, message.url, rest.milliseconds)
            else {
                return nil
            }
            unsafe self.pointer = pointer
            self.request = request
            reader = AnswerReader(request.limit)
            let isComplete =
                unsafe (!message.hasBody || clibcurl_set_body(pointer, message.body, message.body.count) == 1)
                && clibcurl_set_security(pointer, request.trustedCertificates) == 1
                && message.lines.allSatisfy { line in unsafe clibcurl_add_field(pointer, line) == 1 }
            guard isComplete else { return nil }
            // What stays on this machine is no proxy's affair, whatever the environment says.
            let isDirect = LoopbackAddress.contains(message.host)
            unsafe clibcurl_set_connecting(
                pointer, request.connecting?.milliseconds ?? 0, isDirect ? 1 : 0,
                message.mayArriveTwice ? 0 : 1)
            unsafe clibcurl_set_number(pointer, number)
            // libcurl calls back only while the loop holds this object.
            unsafe clibcurl_set_receivers(
                pointer,
                { bytes, size, count, context in
                    unsafe Transfer.take(bytes, size * count, context) { $0.takeLine($1) }
                },
                { bytes, size, count, context in
                    unsafe Transfer.take(bytes, size * count, context) { $0.takeBody($1) }
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        /// libcurl's handle.
        var handle: UnsafeMutableRawPointer? { unsafe pointer.pointee.easy }

        /// Tells the result to who waits for it.
        func end(_ result: CURLcode) { request.result.resume(returning: outcome(result)) }

        /// Ends a request that is not waited for any more.
        func cancel() {
            request.result.resume(returning: .failure(.cancelled(wasSent: wasSent)))
        }

        /// Ends a request that the loop cannot go on with.
        func fail(_ reason: String) {
            request.result.resume(returning: .failure(HTTPFailure(.shortage, reason, wasSent: wasSent)))
        }

        private var wasSent: Bool { unsafe clibcurl_was_sent(pointer) == 1 }

        /// Gets bytes of the answer. Returns another number than theirs where the request is to end.
        private static func take(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
            _ take: (inout AnswerReader, [UInt8]) -> Bool
        ) -> Int {
            guard let context = unsafe context else { return count + 1 }
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let copy = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
            return take(&transfer.reader, copy) ? count : count + 1
        }

        private func outcome(_ result: CURLcode) -> Result<HTTPAnswer, HTTPFailure> {
            if let early = reader.early { return early }
            if result == CURLE_OK {
                if let answer = reader.answer { return .success(answer) }
                return .failure(
                    HTTPFailure(.breaking, "the connection was closed within the answer", wasSent: true))
            }
            if result == CURLE_OPERATION_TIMEDOUT { return .failure(timeout) }
            let (cause, words) = Self.cause(result, isInAnswer: reader.answer != nil)
            let system = unsafe clibcurl_system_error(pointer)
            let number = cause == .connecting && system != 0 ? SystemError(number: system).description : nil
            return .failure(HTTPFailure(cause, words ?? number ?? told(result), wasSent: wasSent))
        }

        private var timeout: HTTPFailure {
            // libcurl counts in milliseconds.
            let isOver = ContinuousClock().now >= request.deadline - .milliseconds(20)
            guard !isOver, let connecting = request.connecting else { return .deadline(wasSent: wasSent) }
            return HTTPFailure(.connecting, "no connection within \(connecting)", wasSent: wasSent)
        }

        /// libcurl's words. They may quote the server, so that only plain characters pass.
        private func told(_ result: CURLcode) -> String {
            let text = unsafe String(cString: clibcurl_reason(pointer, result))
            return String(text.unicodeScalars.map { (" "..."~").contains($0) ? Character($0) : "?" })
        }

        /// What a result of libcurl means, and words where libcurl's own would change from one time to the next.
        private static func cause(_ result: CURLcode, isInAnswer: Bool) -> (HTTPFailure.Cause, String?) {
            switch result {
            case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: (.malformed, nil)
            case CURLE_COULDNT_RESOLVE_HOST: (.name, "the host's name has no address")
            case CURLE_COULDNT_RESOLVE_PROXY: (.name, "the proxy's name has no address")
            case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: (.connecting, nil)
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
                (.security, nil)
            case CURLE_GOT_NOTHING: (.breaking, "the connection was closed without an answer")
            case CURLE_PARTIAL_FILE: (.breaking, "the connection was closed within the answer")
            case CURLE_RECV_ERROR where isInAnswer: (.breaking, "the connection broke within the answer")
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR: (.breaking, nil)
            case CURLE_UNSUPPORTED_PROTOCOL: (.unreadable, "the answer is not HTTP/1.1")
            // libcurl has a bound for a line of the head, and no other word for it.
            case CURLE_OUT_OF_MEMORY where !isInAnswer:
                (.unreadable, "a line of the answer's head is too long")
            case CURLE_OUT_OF_MEMORY: (.shortage, nil)
            default: (.unreadable, nil)
            }
        }
    }

    extension Duration {
        /// At least one, and at most some 24 days, which is as far as libcurl counts everywhere.
        fileprivate var milliseconds: Int { Int(min(max(self / .milliseconds(1), 1), 2e9)) }
    }
#endif
