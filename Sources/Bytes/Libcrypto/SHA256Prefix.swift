internal import CLibcrypto
internal import CSHA256

/// SHA-256 (FIPS 180-4) of messages that begin with the same bytes. Those bytes are hashed only once.
package struct SHA256Prefix: Sendable {
    /// A copy of it continues the hash: OpenSSL's state is plain memory without pointers.
    private let state: SHA256_CTX
    /// The state after the prefix, for the code that hashes several messages at a time.
    fileprivate let beginning: sha256_beginning

    /// Hashes the common beginning of the messages.
    package init(_ bytes: Span<UInt8>) {
        var state = SHA256_CTX()
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_init(&state)
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        self.state = state
        // OpenSSL keeps the bytes behind the whole blocks in its buffer.
        var beginning = sha256_beginning()
        beginning.state = state.h
        unsafe withUnsafeMutableBytes(of: &beginning.rest) { rest in
            unsafe withUnsafeBytes(of: state.data) { unsafe rest.copyMemory(from: $0) }
        }
        beginning.bytes = UInt64(bytes.count)
        self.beginning = beginning
    }

    /// The 32-byte hash of the common beginning followed by these bytes. Allocates nothing.
    @inline(__always)
    package func digest(continuedBy bytes: Span<UInt8>) -> InlineArray<32, UInt8> {
        var state = state
        var digest = InlineArray<32, UInt8>(repeating: 0)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe clibcrypto_sha256_update(&state, bytes.baseAddress, bytes.count)
        }
        var output = digest.mutableSpan
        unsafe output.withUnsafeMutableBufferPointer {
            _ = unsafe clibcrypto_sha256_final($0.baseAddress, &state)
        }
        return digest
    }
}

/// SHA-256 of several messages together, two at a time with the processor's SHA instructions; by libcrypto, one by one, if
/// the processor has none.
///
/// The messages' ends are parts of one text. Adding, hashing and emptying again allocates nothing.
package struct SHA256Batch: Sendable {
    /// The messages as the instructions take them.
    private typealias Messages = InlineArray<64, sha256_end>

    /// The maximum number of messages.
    package static let capacity = unsafe Messages.count

    /// The code that hashes. All give the same hashes.
    package enum Instructions: CaseIterable, Sendable {
        case libcrypto
        case pairs

        /// The engines that this processor has, the fastest first.
        package static var available: [Instructions] {
            sha256_available() ? [.pairs, .libcrypto] : [.libcrypto]
        }
    }

    private let instructions: Instructions
    private var prefixes: [SHA256Prefix] = []
    /// The prefixes again, as C takes them, in one array.
    private var beginnings: [sha256_beginning] = []
    /// Where each message's own bytes stand in the text.
    private var ends: [Range<Int>] = []
    /// The hashes, 32 bytes each.
    package private(set) var digests = [UInt8](repeating: 0, count: SHA256Batch.capacity * 32)

    /// - Parameter instructions: some that this processor has; `nil` takes the fastest.
    package init(_ instructions: Instructions? = nil) {
        let available = Instructions.available
        self.instructions = instructions.flatMap { available.contains($0) ? $0 : nil } ?? available[0]
        prefixes.reserveCapacity(Self.capacity)
        beginnings.reserveCapacity(Self.capacity)
        ends.reserveCapacity(Self.capacity)
    }

    /// The number of messages.
    package var count: Int { ends.count }

    /// Adds a message: a beginning, and the range of its end in the text. There must be fewer than `capacity`.
    package mutating func add(_ prefix: SHA256Prefix, _ end: Range<Int>) {
        prefixes.append(prefix)
        beginnings.append(prefix.beginning)
        ends.append(end)
    }

    /// Hashes the messages, whose ends are in this text, and forgets them. `digests` has their hashes, in their order.
    package mutating func hash(_ text: Span<UInt8>) {
        switch instructions {
        case .libcrypto:
            for index in ends.indices {
                let digest = prefixes[index].digest(continuedBy: text.extracting(ends[index]))
                for byte in 0..<32 { digests[index * 32 + byte] = digest[byte] }
            }
        case .pairs: hashPairs(text)
        }
        prefixes.removeAll(keepingCapacity: true)
        beginnings.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The pointers hold for this call alone: `sha256_many` does not keep them.
    private mutating func hashPairs(_ text: Span<UInt8>) {
        let ends = ends
        unsafe text.withUnsafeBufferPointer { text in
            unsafe beginnings.withUnsafeBufferPointer { beginnings in
                unsafe digests.withUnsafeMutableBufferPointer { digests in
                    guard let text = text.baseAddress, let first = beginnings.baseAddress,
                        let digests = digests.baseAddress
                    else { return }
                    var messages = unsafe Messages { index in
                        guard index < ends.count else { return unsafe sha256_end() }
                        return unsafe sha256_end(
                            beginning: first + index, bytes: text + ends[index].lowerBound,
                            count: ends[index].count, digest: digests + index * 32)
                    }
                    var span = unsafe messages.mutableSpan
                    unsafe span.withUnsafeMutableBufferPointer {
                        unsafe sha256_many($0.baseAddress, ends.count)
                    }
                }
            }
        }
    }
}
