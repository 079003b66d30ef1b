internal import CStoreKitVerify
internal import SignedPayloads
internal import WireFormats

/// The tokens of an Arrow array of strings or binary, which is borrowed for the duration of a call (Arrow C data
/// interface; Arrow columnar format, "Variable-size Binary Layout" and "Variable-size Binary View Layout").
///
/// It is `Sendable`, because the threads of a call only read it, and all of them end before the call returns.
@safe struct ArrowTokens: @unchecked Sendable {
    private enum Layout {
        /// One buffer, and where each token begins.
        case offsets(TokenOffsets, BorrowedBytes)
        /// A view of 16 bytes for each token.
        case views(Views)
    }

    private let layout: Layout
    /// `nil` if no token is null. A null count of -1 means that it is not known, so the bitmap is read.
    private let validity: UnsafePointer<UInt8>?
    /// How many elements the array skips at the beginning of its buffers (`ArrowArray.offset`).
    private let offset: Int
    /// The number of tokens, nulls included.
    let count: Int

    /// The most elements that a buffer can have: a view takes 16 bytes, and no place may be beyond all memory.
    private static let maximumEnd = Int.max / 16

    /// The number of buffers, the offsets and the views are checked before a byte is read. The interface has
    /// no lengths for the other buffers, so these cannot be checked.
    ///
    /// - Throws: the fault of the array.
    init(_ array: ArrowArray, _ schema: ArrowSchema) throws(CallFailure) {
        guard let format = unsafe schema.format.map({ unsafe String(cString: $0) }) else {
            throw CallFailure(.invalidArrow, "the Arrow schema has no format")
        }
        guard unsafe schema.dictionary == nil, ["u", "U", "z", "Z", "vu", "vz"].contains(format) else {
            let found = HiddenCharacters.escaped(in: String(format.prefix(32)))
            throw CallFailure(
                .invalidArrow,
                "the Arrow array must be of the format u, U, z, Z, vu or vz and without a dictionary, not \(found)"
            )
        }
        let isView = format.first == "v"
        guard let count = unsafe Int(exactly: array.length), let offset = unsafe Int(exactly: array.offset),
            count >= 0, (0...Self.maximumEnd).contains(offset), count <= Self.maximumEnd - offset,
            unsafe isView ? array.n_buffers >= 3 : array.n_buffers == 3, let buffers = unsafe array.buffers
        else { throw CallFailure(.invalidArrow, "the Arrow array's length, offset or buffers are damaged") }
        self.count = count
        self.offset = offset
        unsafe validity = array.null_count == 0 ? nil : buffers[0]?.assumingMemoryBound(to: UInt8.self)
        if isView {
            guard let views = unsafe Views(buffers, Int(array.n_buffers), count: count, offset: offset) else {
                throw CallFailure(.invalidArrow, "a view of the Arrow array is outside its buffers")
            }
            layout = .views(views)
            return
        }
        let places: TokenOffsets? =
            if format == "u" || format == "z" {
                unsafe TokenOffsets(
                    buffers[1]?.assumingMemoryBound(to: Int32.self).advanced(by: offset), count: count)
            } else {
                unsafe TokenOffsets(
                    buffers[1]?.assumingMemoryBound(to: Int64.self).advanced(by: offset), count: count)
            }
        // The interface does not have the length of the data: the last offset is it.
        guard let places, places.ascend(to: .max),
            let data = unsafe BorrowedBytes(buffers[2], count == 0 ? 0 : places[count])
        else { throw CallFailure(.invalidArrow, "the Arrow array's offsets do not ascend from 0 or more") }
        layout = .offsets(places, data)
    }

    /// Whether a token is null.
    ///
    /// - Parameter index: from 0 to `count` - 1; the offset of the array is added here.
    @inline(__always)
    func isNull(_ index: Int) -> Bool {
        guard let validity = unsafe validity else { return false }
        let bit = offset + index
        return unsafe validity[bit >> 3] >> UInt8(bit & 7) & 1 == 0
    }

    /// Where shares of about the same size begin, and the number of tokens.
    ///
    /// - Parameter wanted: at most so many shares; fewer if they would be too small for a thread.
    func shares(_ wanted: Int) -> [Int] {
        switch layout {
        case .offsets(let offsets, _): offsets.shares(wanted)
        case .views: Self.evenShares(of: count, wanted)
        }
    }

    /// How many bytes the payloads of a share have, if all tokens are compact JWS; `nil` for views.
    var payloadBytes: ((Range<Int>, _ isLast: Bool) -> Int)? {
        guard case .offsets(let offsets, let data) = layout else { return nil }
        return { offsets.payloadBytes(of: $0, in: data, atMost: $1) }
    }

    /// Views have their lengths one by one, so the shares have the same number of tokens and not of bytes.
    private static func evenShares(of count: Int, _ wanted: Int) -> [Int] {
        guard count > 0 else { return [] }
        let shares = max(1, min(wanted, count / BatchPipeline.maximumLines))
        // A share begins with a byte of Arrow's bitmaps.
        return (0..<shares).map { $0 * (count / shares) & ~7 } + [count]
    }

    /// Has a verifier find the verdicts on a share. The body gets each token's index, bytes and verdict, in order.
    ///
    /// - Complexity: linear in the bytes. The bytes of views are copied, those of offsets are not.
    func forEachVerdict(
        by verifier: Verifier, on share: Range<Int>,
        _ body: (Int, Span<UInt8>, LineVerdict, borrowing BatchResults) -> Void
    ) {
        let limits = verifier.limits
        switch layout {
        case .offsets(let offsets, let data):
            data.withSpan { buffer in
                verifier.forEachVerdict(on: share, of: buffer) {
                    BatchLine(offsets[$0]..<offsets[$0 + 1], of: buffer, limits)
                } body: {
                    body($0, buffer.extracting(offsets[$0]..<offsets[$0 + 1]), $1, $2)
                }
            }
        case .views(let views):
            var (buffer, ranges): ([UInt8], [Range<Int>]) = ([], [])
            var next = share.lowerBound
            while next < share.upperBound {
                let first = next
                buffer.removeAll(keepingCapacity: true)
                ranges.removeAll(keepingCapacity: true)
                repeat {
                    let start = buffer.count
                    if !isNull(next) { views.append(next, to: &buffer) }
                    ranges.append(start..<buffer.count)
                    next += 1
                } while next < share.upperBound && ranges.count < BatchPipeline.maximumLines
                    && buffer.count < Self.copiedBytes
                verifier.forEachVerdict(on: ranges.indices, of: buffer.span) {
                    BatchLine(ranges[$0], of: buffer.span, limits)
                } body: {
                    body(first + $0, buffer.span.extracting(ranges[$0]), $1, $2)
                }
            }
        }
    }

    /// How many bytes of views are copied before they are verified: with their results, they stay in the core's
    /// cache.
    private static let copiedBytes = 3 << 18

    /// The views of an array: a length, and either at most twelve bytes or a place in another buffer.
    ///
    /// The buffers are validity, views, any number of data buffers, and the lengths of these in 64 bits
    /// (Arrow C data interface).
    @safe private struct Views {
        private let views: UnsafePointer<Int32>?
        private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>

        /// A sum of two numbers of 32 bits cannot overflow 64, so a place is compared without a check.
        ///
        /// - Returns: `nil` if a view is outside its buffer.
        init?(_ buffers: UnsafeMutablePointer<UnsafeRawPointer?>, _ bufferCount: Int, count: Int, offset: Int)
        {
            unsafe self.buffers = buffers
            unsafe views = buffers[1]?.assumingMemoryBound(to: Int32.self).advanced(by: 4 * offset)
            guard unsafe views != nil || count == 0 else { return nil }
            let dataCount = bufferCount - 3
            let sizes = unsafe buffers[bufferCount - 1]?.assumingMemoryBound(to: Int64.self)
            guard let views = unsafe views else { return }
            for index in 0..<count {
                let length = unsafe views[4 * index]
                guard length >= 0 else { return nil }
                guard length > Self.inlineBytes else { continue }
                let (buffer, start) = unsafe (Int(views[4 * index + 2]), Int64(views[4 * index + 3]))
                guard let sizes = unsafe sizes, buffer >= 0, buffer < dataCount, start >= 0,
                    unsafe start + Int64(length) <= sizes[buffer], unsafe buffers[buffer + 2] != nil
                else { return nil }
            }
        }

        /// A view of 16 bytes has a length of four, so that twelve are left.
        private static let inlineBytes: Int32 = 12

        /// Appends a token's bytes.
        func append(_ index: Int, to output: inout [UInt8]) {
            guard let views = unsafe views else { return }
            let view = unsafe views.advanced(by: 4 * index)
            let length = unsafe Int(view.pointee)
            let start: UnsafeRawPointer? =
                unsafe length > Int(Self.inlineBytes)
                ? buffers[Int(view[2]) + 2]?.advanced(by: Int(view[3])) : UnsafeRawPointer(view + 1)
            unsafe output.append(
                contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length))
        }
    }
}
