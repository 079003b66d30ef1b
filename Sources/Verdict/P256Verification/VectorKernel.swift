internal import CP256Vector

/// Calls the vector kernels. No other Swift code does.
enum VectorKernel {
    private static let supportsAVX512 = p256_vector_is_supported(P256_VECTOR_AVX512)
    private static let supportsAVX2 = p256_vector_is_supported(P256_VECTOR_AVX2)

    /// The kernel's name for an arithmetic's instructions; `nil` if it uses no vectors or this machine cannot
    /// run it.
    fileprivate static func instructions(
        _ arithmetic: P256Verifier.Arithmetic
    ) -> p256_vector_instructions? {
        switch arithmetic {
        case .avx512 where supportsAVX512: P256_VECTOR_AVX512
        case .avx2 where supportsAVX2: P256_VECTOR_AVX2
        default: nil
        }
    }

    /// Whether this machine can run the kernel of an arithmetic.
    static func isSupported(_ arithmetic: P256Verifier.Arithmetic) -> Bool { instructions(arithmetic) != nil }

    /// Makes a level of a table; see `p256_vector_add_level`. Returns whether it was made.
    ///
    /// - Parameter steps: eight words for each window.
    static func addLevel(
        _ arithmetic: P256Verifier.Arithmetic, to table: UnsafeMutablePointer<UInt64>, windows: Int,
        entries: Int,
        present: Int, steps: [UInt64]
    ) -> Bool {
        guard let instructions = instructions(arithmetic), present % 8 == 0 else { return false }
        let stepBytes = steps.count * 8
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: stepBytes + p256_vector_level_scratch_bytes(instructions), alignment: 64)
        defer { unsafe memory.deallocate() }
        let words = unsafe memory.bindMemory(to: UInt64.self, capacity: steps.count)
        for (index, word) in steps.enumerated() { unsafe words[index] = word }
        return unsafe p256_vector_add_level(
            instructions, table, UInt32(windows), UInt32(entries), UInt32(present),
            words, memory + stepBytes)
    }

    /// A verdict of the kernel.
    enum Verdict: UInt8 {
        case invalid = 0
        case valid = 1
        /// The kernel's formulas cannot judge this signature; it is one of a few.
        case undecided = 2
    }

    /// Memory that the kernels work in.
    @safe struct Workspace: ~Copyable {
        private let scratch: UnsafeMutableRawPointer?
        private let capacity: Int
        private var keys: [UnsafePointer<UInt64>?] = unsafe []
        private(set) var verdicts: [UInt8]

        init(capacity: Int) {
            self.capacity = capacity
            verdicts = [UInt8](repeating: 0, count: capacity)
            unsafe keys.reserveCapacity(capacity)
            // Enough for every kernel.
            let byteCount = P256Verifier.Arithmetic.allCases.lazy.compactMap(VectorKernel.instructions)
                .map { p256_vector_scratch_bytes($0, capacity) }.max()
            unsafe scratch = byteCount.map {
                UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 64)
            }
        }

        deinit { unsafe scratch?.deallocate() }

        /// Verifies contiguous signatures, under keys whose tables have the same window width. `verdicts`
        /// then holds the results.
        ///
        /// - Returns: false, without any work done, if this machine has no kernel for the arithmetic, or
        ///   there are more signatures than there is room for.
        mutating func verify(
            _ arithmetic: P256Verifier.Arithmetic, digests: [UInt8], signatures: [UInt8],
            keys tables: [P256KeyTable], generator: P256KeyTable
        ) -> Bool {
            let count = tables.count
            guard let instructions = VectorKernel.instructions(arithmetic), let scratch = unsafe scratch,
                let first = tables.first, count <= capacity,
                digests.count == count * 32, signatures.count == count * 64
            else { return false }
            unsafe keys.removeAll(keepingCapacity: true)
            // By index: an iteration would count a reference for each signature.
            for index in tables.indices { unsafe keys.append(tables[index].words) }
            var description = unsafe p256_vector_tables(
                generator: generator.words, generator_bits: UInt32(generator.windowBits),
                key_bits: UInt32(first.windowBits))
            // The tables outlive the call, because the arrays that hold them do.
            withExtendedLifetime((tables, generator)) {
                unsafe p256_vector_verify(
                    instructions, &description, count, keys, digests, signatures, &verdicts, scratch)
            }
            return true
        }
    }
}
