#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Memory for the payloads of one call. Each share has a part. The parts are as long as the payloads will be if all
/// tokens are verified: then the shares' payloads already stand one behind the other, and need not be copied together.
///
/// Sendable, because shares write to parts that do not overlap, and `joined` runs after the last of them has ended.
@safe final class PayloadRegion: @unchecked Sendable {
    /// Owns the memory until `joined` hands it on.
    private var memory: GrowingBuffer<UInt8>
    private let base: UnsafeMutablePointer<UInt8>
    /// Where each share's part begins, in bytes, and the end of the last.
    private let starts: [Int]

    /// Less is not worth a region.
    private static let minimumBytes = 4 << 20
    /// Pages of this length are had for one fault each, where the system has them (madvise(2), MADV_HUGEPAGE).
    private static let pageBytes = 2 << 20

    /// - Parameter lengths: how many bytes each share's payloads may have.
    /// - Returns: `nil` if they are few, or the system has no memory for them.
    init?(_ lengths: [Int]) {
        var starts = [0]
        for length in lengths {
            let sum = starts[starts.count - 1].addingReportingOverflow(length)
            guard !sum.overflow, sum.partialValue < .max / 2 else { return nil }
            starts.append(sum.partialValue)
        }
        let bytes = (starts[starts.count - 1] + Self.pageBytes) / Self.pageBytes * Self.pageBytes
        guard bytes > Self.minimumBytes, let memory = unsafe aligned_alloc(Self.pageBytes, bytes) else {
            return nil
        }
        #if canImport(Glibc)
            unsafe madvise(memory, bytes, MADV_HUGEPAGE)
        #endif
        unsafe base = memory.assumingMemoryBound(to: UInt8.self)
        unsafe self.memory = GrowingBuffer(owning: base, count: 0, capacity: starts[starts.count - 1])
        self.starts = starts
    }

    /// A share's part.
    ///
    /// - Parameter share: the index of the share. Each part must be taken once.
    func part(_ share: Int) -> GrowingBuffer<UInt8> {
        unsafe GrowingBuffer(part: base + starts[share], capacity: starts[share + 1] - starts[share])
    }

    /// Puts the shares' payloads together, and hands the memory on. It is called once.
    ///
    /// A share whose payloads did not fit has memory of its own. Then all are copied.
    ///
    /// - Parameter shares: the payloads, in order; they are not used any more.
    /// - Returns: all payloads in one buffer that owns its memory.
    func joined(_ shares: [RowsBox]) -> GrowingBuffer<UInt8> {
        guard shares.allSatisfy({ $0.rows.payloads.bytes.isInRegion }) else {
            var joined = GrowingBuffer<UInt8>()
            for share in shares { joined.append(share.rows.payloads.bytes) }
            return joined
        }
        var end = 0
        for (index, share) in shares.enumerated() {
            let count = share.rows.payloads.bytes.count
            // Payloads that were not verified leave a gap. The move goes down only, so it overwrites no later
            // share.
            if starts[index] != end { unsafe memmove(base + end, base + starts[index], count) }
            end += count
        }
        var whole = GrowingBuffer<UInt8>()
        swap(&whole, &memory)
        whole.setCount(end)
        return whole
    }
}
