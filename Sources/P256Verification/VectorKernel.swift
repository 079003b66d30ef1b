internal import CP256Vector

/// The vector kernel's door: the only Swift that calls it.
enum VectorKernel {
    /// Whether this machine can run it.
    static let isSupported = p256_vector_is_supported()

    /// A verdict of the kernel's.
    enum Verdict: UInt8 {
        case invalid = 0
        case valid = 1
        /// One of the few that its formulas cannot judge.
        case undecided = 2
    }

    /// Memory that the kernel works in.
    @safe struct Workspace: ~Copyable {
        private let scratch: UnsafeMutableRawPointer?
        private let capacity: Int
        private var keys: [UnsafePointer<UInt64>?] = unsafe []
        private(set) var verdicts: [UInt8]

        init(capacity: Int) {
            self.capacity = capacity
            verdicts = [UInt8](repeating: 0, count: capacity)
            unsafe keys.reserveCapacity(capacity)
            guard VectorKernel.isSupported else {
                unsafe scratch = nil
                return
            }
            unsafe scratch = UnsafeMutableRawPointer.allocate(
                byteCount: p256_vector_scratch_bytes(capacity), alignment: 64)
        }

        deinit { unsafe scratch?.deallocate() }

        /// Verifies signatures that stand one after the other, under keys whose tables have windows of one
        /// width; `verdicts` then has what came of each.
        ///
        /// - Returns: false, with nothing done, where there are more than there is room for.
        mutating func verify(
            digests: [UInt8], signatures: [UInt8], keys tables: [P256KeyTable], generator: P256KeyTable
        ) -> Bool {
            let count = tables.count
            guard let scratch = unsafe scratch, let first = tables.first, count <= capacity,
                digests.count == count * 32, signatures.count == count * 64
            else { return false }
            unsafe keys.removeAll(keepingCapacity: true)
            for table in tables { unsafe keys.append(table.words) }
            var description = unsafe p256_vector_tables(
                generator: generator.words, generator_bits: UInt32(generator.windowBits),
                key_bits: UInt32(first.windowBits))
            // The tables outlive the call: the arrays that hold them do.
            withExtendedLifetime((tables, generator)) {
                unsafe p256_vector_verify(&description, count, keys, digests, signatures, &verdicts, scratch)
            }
            return true
        }
    }
}
