internal import CTextScanning
internal import Libc

/// The C library's vectorised searches, for spans. The compiler does not vectorise a loop with an early exit,
/// which takes ten times as long.
package enum ByteScanning {
    /// The index where the byte next occurs; `nil` if it does not occur.
    @inline(__always)
    package static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, start >= 0, start < bytes.count else { return nil }
            guard let found = unsafe memchr(base + start, Int32(byte), bytes.count - start) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// The end of a run of characters that stand for themselves in a JSON string; at most `end`.
    @inline(__always)
    static func plainEnd(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, start >= 0, start <= end, end <= bytes.count else {
                return end
            }
            return unsafe text_scanning_plain_end(base, start, end)
        }
    }

    /// The end of a run of decimal digits; at most `end`.
    @inline(__always)
    static func digitsEnd(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, start >= 0, start <= end, end <= bytes.count else {
                return end
            }
            return unsafe text_scanning_digits_end(base, start, end)
        }
    }

    /// Whether the bytes begin with a prefix.
    @inline(__always)
    package static func starts(_ bytes: Span<UInt8>, with prefix: Span<UInt8>) -> Bool {
        guard bytes.count >= prefix.count else { return false }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe prefix.withUnsafeBufferPointer { prefix in
                guard let first = bytes.baseAddress, let second = prefix.baseAddress else { return true }
                return unsafe memcmp(first, second, prefix.count) == 0
            }
        }
    }
}

extension [UInt8] {
    /// Appends bytes, in one copy.
    @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
    /// Overwrites bytes from an index on, in one copy. The destination range must exist.
    @inline(__always)
    package mutating func replace(at start: Int, with bytes: Span<UInt8>) {
        precondition(start >= 0 && bytes.count <= count - start)
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                unsafe (to + start).update(from: from, count: source.count)
            }
        }
    }
}
