internal import PayloadOutput
internal import SignedPayloads
internal import StoreKitVerify
internal import WireFormats

/// The texts of results, by the numbers of the header.
enum TextColumn: Int32, CaseIterable {
    case payload = 0
    case message = 1
    case detail = 2
    case member = 3
}

/// A text of each row, one behind the other, with where they begin and end.
///
/// As in Arrow's arrays of strings: one offset more than there are rows, the first 0.
struct TextRows: ~Copyable {
    var bytes = GrowingBuffer<UInt8>()
    var offsets = GrowingBuffer<Int64>()

    /// Both pointers exist from the beginning, because callers in C are promised pointers that are not NULL.
    init() {
        offsets.append(0)
        bytes.makePointer()
    }

    /// Whether texts were lost, because the system had no more memory.
    var isExhausted: Bool { bytes.isExhausted || offsets.isExhausted }

    mutating func endRow() { offsets.append(Int64(bytes.count)) }

    mutating func append(_ other: borrowing TextRows) {
        let start = bytes.count
        bytes.append(other.bytes)
        append(offsetsOf: other, from: start)
    }

    /// Ends the texts of rows. Only the first row has a text.
    mutating func endRows(_ rows: Int) { offsets.append(repeating: Int64(bytes.count), count: rows) }

    /// Appends the offsets of texts that stand in this buffer already.
    mutating func append(offsetsOf other: borrowing TextRows, from start: Int) {
        let start = Int64(start)
        guard offsets.reserve(other.offsets.count) else { return }
        other.offsets.withSpan { others in
            for index in 1..<max(1, others.count) { offsets.append(start + others[index]) }
        }
    }
}

/// The verdicts on tokens, as arrays.
struct ResultRows: ~Copyable {
    var codes = GrowingBuffer<UInt8>()
    var kinds = GrowingBuffer<UInt8>()
    var payloads = TextRows()
    var messages = TextRows()
    var details = TextRows()
    var members = TextRows()
    private(set) var verifiedCount = 0
    private let keepsPayloads: Bool
    /// Writes payloads by StoreKit's names; `nil` if they are given as they were signed.
    private var typedWriter: TypedWriter?
    private var scratch: [UInt8] = []
    private var lastFailure: (error: PayloadError, message: [UInt8])?

    /// - Parameter part: where payloads go, if the call has a region for them.
    init(_ flags: ResultFlags, part: consuming GrowingBuffer<UInt8>? = nil) {
        keepsPayloads = !flags.contains(.withoutPayloads)
        typedWriter = flags.contains(.typed) ? TypedWriter() : nil
        codes.makePointer()
        kinds.makePointer()
        if let part { payloads.bytes = part }
    }

    /// Whether rows were lost, because the system had no more memory.
    var isExhausted: Bool {
        codes.isExhausted || kinds.isExhausted || payloads.isExhausted || messages.isExhausted
            || details.isExhausted || members.isExhausted
    }

    mutating func append(_ verdict: LineVerdict, _ results: borrowing BatchResults) {
        var verdict = verdict
        if var typedWriter {
            self.typedWriter = nil
            var typed: [UInt8] = []
            swap(&typed, &scratch)
            typed.removeAll(keepingCapacity: true)
            let isWritten = typedWriter.appendValue(of: &verdict, results, to: &typed)
            if isWritten, keepsPayloads { payloads.bytes.append(typed.span) }
            swap(&typed, &scratch)
            self.typedWriter = typedWriter
            if isWritten { return appendVerified(verdict.kind) }
        }
        switch verdict {
        case .batched(let payload):
            if keepsPayloads { results.withJSON(of: payload) { append($0) } }
            appendVerified(payload.kind)
        case .verified(let payload):
            if keepsPayloads { append(payload.json.span) }
            appendVerified(payload.kind)
        case .failed(let error): append(error)
        case .refused(let chain): append(chain.error)
        }
    }

    /// Appends the JSON of a verified payload.
    private mutating func append(_ json: Span<UInt8>) {
        if json.isOnOneLine { return payloads.bytes.append(json) }
        var joined: [UInt8] = []
        appendJSON(onOneLine: json, to: &joined)
        payloads.bytes.append(joined.span)
    }

    private mutating func appendVerified(_ kind: SignedPayloadKind?) {
        codes.append(0)
        kinds.append(kind?.number ?? 0)
        verifiedCount += 1
        endRow()
    }

    mutating func append(_ receipt: VerifiedReceipt) {
        if keepsPayloads {
            if typedWriter != nil {
                payloads.bytes.append(ObjectText(AppReceipt(receipt)).json.utf8Span.span)
            } else {
                append(receipt.receipt.json.span)
            }
        }
        appendVerified(.receipt)
    }

    mutating func append(_ error: PayloadError) {
        codes.append(error.code.number)
        kinds.append(0)
        // An archive under the wrong root fails with one message a million times.
        if lastFailure?.error != error {
            lastFailure = (error, Array(error.message.utf8))
        }
        if let lastFailure { messages.bytes.append(lastFailure.message.span) }
        details.bytes.append(error.detail.utf8Span.span)
        if let member = error.member { members.bytes.append(member.utf8Span.span) }
        endRow()
    }

    /// Appends a row of a token that is null.
    mutating func appendNull() {
        codes.append(Self.null)
        kinds.append(0)
        endRow()
    }

    /// The code of a row without a token.
    static let null: UInt8 = 255

    private mutating func endRow() {
        payloads.endRow()
        messages.endRow()
        details.endRow()
        members.endRow()
    }

    /// Appends another share's rows.
    ///
    /// - Parameter start: where its payloads begin in this one's, if they stand there already.
    mutating func append(_ other: borrowing ResultRows, payloadsFrom start: Int? = nil) {
        codes.append(other.codes)
        kinds.append(other.kinds)
        if let start {
            payloads.append(offsetsOf: other.payloads, from: start)
        } else {
            payloads.append(other.payloads)
        }
        messages.append(other.messages)
        details.append(other.details)
        members.append(other.members)
        verifiedCount += other.verifiedCount
    }
}
