#if Service
    internal import Synchronization

    /// How many bytes all requests together may take of something, such as memory.
    ///
    /// A counter and no allocator: bytes are taken from it before they are kept.
    final class ByteBudget: Sendable {
        let limit: Int
        private let used = Atomic<Int>(0)

        init(limit: Int) { self.limit = limit }

        /// Takes bytes. Returns whether there are enough.
        ///
        /// - Parameter bytes: at least 0. They are given back by the same number, also after a failure.
        func take(_ bytes: Int) -> Bool {
            let before = used.add(bytes, ordering: .relaxed).oldValue
            if before + bytes <= limit { return true }
            used.subtract(bytes, ordering: .relaxed)
            return false
        }

        func give(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
    }
#endif
