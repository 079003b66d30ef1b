#if SQLite || ServerAPI
    /// How much of an answer is read.
    package enum AnswerLimit: Sendable {
        /// The status counts. A body is read only if the head says that it has at most so many bytes, so that the connection
        /// can be kept. All else is not waited for.
        case status(short: Int)
        /// The whole answer. A body of more bytes is a failure.
        case whole(Int)
    }

    /// Reads one answer within bounds, as libcurl hands it over: line by line of the head, then the body.
    ///
    /// A server may send whatever it likes, for ever. Every byte that is kept counts, in interim answers and trailers too.
    struct AnswerReader {
        /// How many bytes all heads of an answer and its trailers may have.
        ///
        /// 64 KiB. Heads of genuine servers have less than two.
        static let longestHead = 64 << 10

        private let limit: AnswerLimit
        private var headBytes = 0
        private var status: Int?
        private var fields: [HTTPMessage.Field] = []
        private var body: [UInt8] = []
        private var bodyBytes = 0
        /// Whether the final answer's head is complete. Lines that come later are trailers.
        private var isInBody = false
        /// The result, where reading ends before the answer does.
        private(set) var early: Result<HTTPAnswer, HTTPFailure>?

        init(_ limit: AnswerLimit) { self.limit = limit }

        /// The final answer, as far as it was read; `nil` without its head.
        var answer: HTTPAnswer? {
            guard isInBody, let status else { return nil }
            return HTTPAnswer(status: status, fields: fields, body: body)
        }

        /// Takes a line of a head or a trailer, with its end. Returns whether more is wanted.
        mutating func takeLine(_ line: [UInt8]) -> Bool {
            headBytes += line.count
            guard headBytes <= Self.longestHead else {
                let reason = "the head of the answer is longer than \(Self.longestHead >> 10) KiB"
                early = .failure(HTTPFailure(.unreadable, reason, wasSent: true))
                return false
            }
            guard !isInBody else { return true }
            let text = String(decoding: line, as: UTF8.self).trimmed
            if text.isEmpty { return endHead() }
            if text.hasPrefix("HTTP/") {
                (status, fields) = (Self.status(of: text), [])
            } else if let colon = text.firstIndex(of: ":") {
                fields.append((String(text[..<colon]), String(text[text.index(after: colon)...]).trimmed))
            }
            return true
        }

        /// Takes bytes of the body. Returns whether more is wanted.
        mutating func takeBody(_ bytes: [UInt8]) -> Bool {
            bodyBytes += bytes.count
            switch limit {
            case .status(let short):
                guard bodyBytes > short else { return true }
                return endEarly()
            case .whole(let most):
                guard bodyBytes <= most else {
                    let reason = "the answer is longer than \(most) bytes"
                    early = .failure(HTTPFailure(.tooLong(limit: most), reason, wasSent: true))
                    return false
                }
                body += bytes
                return true
            }
        }

        /// Ends the head of an answer, which is a final one or not.
        private mutating func endHead() -> Bool {
            // 101 is an interim answer by its number. No request asks for another protocol, so no other answer follows.
            guard let status, status >= 200 || status == 101 else { return true }
            isInBody = true
            guard case .status(let short) = limit else { return true }
            let lengths = Set(fields.filter { $0.name.lowercased() == "content-length" }.map(\.value))
            let isCoded = fields.contains { $0.name.lowercased() == "transfer-encoding" }
            let length = lengths.count == 1 && !isCoded ? lengths.first.flatMap { Int($0) } : nil
            let isShort = [204, 304].contains(status) || length.map { (0...short).contains($0) } == true
            return isShort ? true : endEarly()
        }

        /// The status is known, and the rest does not matter.
        private mutating func endEarly() -> Bool {
            early = answer.map { .success($0) }
            return false
        }

        /// The number in `HTTP/1.1 200 OK`.
        private static func status(of line: String) -> Int? {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count > 1, words[1].utf8.count == 3 else { return nil }
            return Int(words[1])
        }
    }

    extension String {
        /// Without white space and ends of lines around it.
        fileprivate var trimmed: String {
            var rest = utf8[...]
            func isBlank(_ byte: UInt8?) -> Bool {
                byte.map { [0x20, 0x09, 0x0d, 0x0a].contains($0) } == true
            }
            while isBlank(rest.first) { rest.removeFirst() }
            while isBlank(rest.last) { rest.removeLast() }
            return String(Substring(rest))
        }
    }
#endif
