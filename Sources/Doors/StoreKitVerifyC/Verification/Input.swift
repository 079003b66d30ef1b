internal import WireFormats

/// Bytes of a caller, borrowed for the duration of a call. The caller promises that nothing changes them meanwhile.
///
/// It is `Sendable`, because the threads of a call only read it, and all of them end before the call returns.
@safe struct BorrowedBytes: @unchecked Sendable {
    private let base: UnsafeRawPointer?
    let count: Int

    /// - Returns: `nil` if there should be bytes, and there is no pointer, or they are more than a process can have.
    init?(_ base: UnsafeRawPointer?, _ count: Int) {
        guard count >= 0, unsafe base != nil || count == 0 else { return nil }
        unsafe self.base = base
        self.count = count
    }

    /// Lends the bytes.
    func withSpan<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result
    {
        let buffer = unsafe UnsafeRawBufferPointer(start: base, count: count)
        return try unsafe body(buffer.bindMemory(to: UInt8.self).span)
    }

    /// A copy of the bytes.
    var array: [UInt8] {
        withSpan { bytes in
            var array: [UInt8] = []
            array.append(bytes)
            return array
        }
    }
}

/// Where the tokens of a buffer begin and end, as in Arrow's arrays of strings.
///
/// One of the two pointers is set. A branch on it costs less than offsets that are copied to one width.
///
/// It is `Sendable`, because the threads of a call only read it, and all of them end before the call returns.
@safe struct TokenOffsets: @unchecked Sendable {
    private let narrow: UnsafePointer<Int32>?
    private let wide: UnsafePointer<Int64>?
    /// The number of tokens.
    let count: Int

    /// - Returns: `nil` if there are tokens, and no pointer.
    init?(_ offsets: UnsafePointer<Int32>?, count: Int) {
        guard count >= 0, unsafe offsets != nil || count == 0 else { return nil }
        unsafe (narrow, wide, self.count) = (offsets, nil, count)
    }

    /// Offsets of eight bytes.
    ///
    /// - Returns: `nil` if there are tokens, and no pointer.
    init?(_ offsets: UnsafePointer<Int64>?, count: Int) {
        guard count >= 0, unsafe offsets != nil || count == 0 else { return nil }
        unsafe (narrow, wide, self.count) = (nil, offsets, count)
    }

    /// An offset, from 0 to `count`; 0 if there are no tokens.
    ///
    /// Not checked against `count`: callers stay within it, and `ascend(to:)` has read every offset.
    @inline(__always)
    subscript(index: Int) -> Int {
        if let narrow = unsafe narrow { return unsafe Int(narrow[index]) }
        if let wide = unsafe wide { return unsafe Int(wide[index]) }
        return 0
    }

    /// Whether each offset is at least the one before it, the first at least 0, and the last at most `limit`.
    ///
    /// - Complexity: linear in the tokens; nothing of the data is read.
    func ascend(to limit: Int) -> Bool {
        guard count > 0 else { return true }
        var last = self[0]
        guard last >= 0 else { return false }
        for index in 1...count {
            let offset = self[index]
            guard offset >= last else { return false }
            last = offset
        }
        return last <= limit
    }

    /// How many bytes the payloads of tokens have. The headers of tokens mostly have one length, so that few are searched for
    /// their end.
    ///
    /// The answer decides only how much memory is taken. A token in another form may make it wrong.
    ///
    /// - Parameter atMost: whether more than they have will do, which needs no look at them.
    func payloadBytes(of tokens: Range<Int>, in data: BorrowedBytes, atMost: Bool) -> Int {
        if atMost { return (self[tokens.upperBound] - self[tokens.lowerBound]) / 4 * 3 + 3 }
        return data.withSpan { buffer in
            var (bytes, header) = (0, 0)
            for index in tokens {
                let token = buffer.extracting(self[index]..<self[index + 1])
                if header >= token.count || token[header] != UInt8(ascii: ".") {
                    header = ByteScanning.firstIndex(of: UInt8(ascii: "."), in: token, from: 0) ?? token.count
                }
                // Behind the payload are a dot and a signature of 86 characters.
                bytes += max(0, token.count - header - 1 - 87) * 3 / 4
            }
            return bytes
        }
    }

    /// Divides the tokens into shares of about the same number of bytes.
    ///
    /// - Returns: the index of the first token of each share, and the number of tokens.
    /// - Complexity: a binary search for each share.
    func shares(_ wanted: Int) -> [Int] {
        guard count > 0 else { return [] }
        let bytes = self[count] - self[0]
        let shares = max(1, min(wanted, bytes / Self.minimumShareBytes, count))
        var bounds = [0]
        for share in 1..<max(1, shares) {
            let target = self[0] + bytes / shares * share
            // The first token that begins at the target or behind it.
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if self[middle] < target { low = middle + 1 } else { high = middle }
            }
            // A share begins with a byte of Arrow's bitmaps.
            low &= ~7
            if let last = bounds.last, low > last, low < count { bounds.append(low) }
        }
        return bounds + [count]
    }

    /// Less is not worth a thread.
    private static let minimumShareBytes = 256 << 10
}
