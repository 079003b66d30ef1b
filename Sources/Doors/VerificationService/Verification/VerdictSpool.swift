#if Service
    internal import CoreMetrics
    internal import NIOCore
    internal import Platform
    internal import Synchronization

    /// Where verdicts wait that a batch's client does not read yet, and how many bytes of them there may be.
    struct SpoolRoom: Sendable {
        let folder: FileName
        /// The bytes that the files of all batches may have together.
        let budget: ByteBudget
        let metrics: ServiceMetrics
    }

    /// Why verdicts cannot wait.
    enum SpoolError: Error {
        /// All batches together have as many bytes as the limit.
        case full(limit: Int)
        /// This batch alone has.
        case tooLong(limit: Int)
        /// A file cannot be made, written or read: the disk is full, for instance.
        case file(SystemError)
    }

    /// The verdicts of one batch that its client has not read: the first ones in memory, and the others in a file without a
    /// name, which is gone with this value, and with the process.
    ///
    /// Its calls wait for the disk, so no event loop makes them. One task appends, and one takes.
    final class VerdictSpool: Sendable {
        private struct State: ~Copyable {
            var memory = ByteBuffer()
            var file: Platform.FileDescriptor?
            /// The bytes of the file that are not taken yet. Its room is free again when all are taken: only then is the
            /// file emptied.
            var start = 0
            var end = 0
        }

        /// One megabyte, some 500 verdicts: most batches need no file. Sixteen batches have it at a time.
        private static let memoryBytes = 1 << 20
        /// The bytes of a file that are taken at a time, a quarter of a megabyte: a client's next few reads.
        private static let takenBytes = 1 << 18

        private let room: SpoolRoom
        private let state = Mutex(State())

        init(_ room: SpoolRoom) { self.room = room }

        deinit { state.withLock { give($0.end) } }

        /// Adds verdicts behind the others.
        ///
        /// - Throws: if there is no room for them. Nothing is added then, and the same verdicts may be added later.
        func append(_ verdicts: ByteBuffer) throws(SpoolError) {
            try state.withLock { state throws(SpoolError) in
                let count = verdicts.readableBytes
                if state.end == 0, state.memory.readableBytes + count <= Self.memoryBytes {
                    _ = state.memory.writeImmutableBuffer(verdicts)
                    return
                }
                guard room.budget.take(count) else {
                    let limit = room.budget.limit
                    throw state.end + count > limit ? .tooLong(limit: limit) : .full(limit: limit)
                }
                do throws(SystemError) {
                    if state.file == nil { state.file = try .unnamed(in: room.folder) }
                    try state.file?.write(Array(buffer: verdicts), at: state.end)
                } catch {
                    room.budget.give(count)
                    throw .file(error)
                }
                room.metrics.spooledBytes.increment(by: Double(count))
                state.end += count
            }
        }

        /// Takes the oldest verdicts, as many as are handed on at a time.
        ///
        /// - Parameter bytes: at most this many, which have been added. Others may be being added meanwhile.
        func take(atMost bytes: Int) throws(SpoolError) -> ByteBuffer {
            try state.withLock { state throws(SpoolError) in
                let inMemory = min(bytes, state.memory.readableBytes)
                if inMemory > 0, let taken = state.memory.readSlice(length: inMemory) {
                    // Bytes that were handed on are not kept.
                    state.memory.discardReadBytes()
                    return taken
                }
                do throws(SystemError) {
                    let count = min(bytes, Self.takenBytes, state.end - state.start)
                    let bytes = try state.file?.read(count, at: state.start) ?? []
                    // Another program cannot have shortened it, so this does not happen.
                    guard bytes.count == count else { throw .shortFile }
                    state.start += count
                    if state.start == state.end, state.end > 0 {
                        try state.file?.empty()
                        give(state.end)
                        (state.start, state.end) = (0, 0)
                    }
                    return ByteBuffer(bytes: bytes)
                } catch {
                    throw .file(error)
                }
            }
        }

        private func give(_ bytes: Int) {
            room.budget.give(bytes)
            room.metrics.spooledBytes.decrement(by: Double(bytes))
        }
    }
#endif
