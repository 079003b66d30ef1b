#if SQLite
    internal import Foundation
    internal import Platform

    /// Looks for texts in the bytes of files, to prove that they are not there.
    struct FileTraces: Sendable {
        /// A shorter text may stand in a file by chance.
        private static let minimumBytes = 8
        /// Of a longer one, the end is looked for.
        private static let maximumBytes = 64
        /// How much is read at a time.
        private static let chunkBytes = 1 << 20

        /// By their last eight bytes.
        private var texts: [UInt64: Set<[UInt8]>] = [:]
        /// Whether a text may end with such bytes, by 16 bits of their hash: most places of a file need no other look.
        private var filter = [Bool](repeating: false, count: 1 << 16)

        init() {}

        /// Adds a text to look for. One of less than eight bytes is left out.
        mutating func add(_ text: some Sequence<UInt8>) {
            let text = Array(text).suffix(Self.maximumBytes)
            guard text.count >= Self.minimumBytes else { return }
            let end = text.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
            texts[end, default: []].insert(Array(text))
            filter[Self.place(of: end)] = true
        }

        /// How many texts there are.
        var count: Int { texts.values.reduce(0) { $0 + $1.count } }

        /// How often the texts stand in a database and in SQLite's log of it.
        ///
        /// - Throws: why a file cannot be read.
        /// - Complexity: linear in the files' length.
        func occurrences(inDatabase path: String) throws -> Int {
            guard let file = RawDatabaseFile(path: PayloadFile.absolute(path)),
                let length = FileName(path: path).length
            else {
                throw SQLiteStoreError(.cannotOpen, "\(path): the system allows no access to it")
            }
            var (found, search) = (0, Search())
            for start in stride(from: 0, to: length, by: Self.chunkBytes) {
                guard let bytes = file.bytes(min(Self.chunkBytes, length - start), at: start) else {
                    throw SQLiteStoreError(.system, "\(path): it cannot be read to its end")
                }
                found += search.occurrences(of: self, in: bytes)
            }
            // The log has no locks that closing it would end.
            guard let log = FileHandle(forReadingAtPath: path + "-wal") else { return found }
            defer { try? log.close() }
            search = Search()
            while let bytes = try log.read(upToCount: Self.chunkBytes), !bytes.isEmpty {
                found += search.occurrences(of: self, in: Array(bytes))
            }
            return found
        }

        /// The bytes that were read last: a text may stand in two parts of a file.
        private struct Search {
            private var kept: [UInt8] = []

            mutating func occurrences(of traces: FileTraces, in bytes: [UInt8]) -> Int {
                let all = kept + bytes
                defer { kept = Array(all.suffix(FileTraces.maximumBytes)) }
                return traces.occurrences(in: all, from: kept.count)
            }
        }

        /// How many texts end at a place or after it.
        private func occurrences(in bytes: [UInt8], from start: Int) -> Int {
            var (word, found): (UInt64, Int) = (0, 0)
            for byte in bytes[max(0, start - 7)..<start] { word = word << 8 | UInt64(byte) }
            for place in start..<bytes.count {
                word = word << 8 | UInt64(bytes[place])
                guard filter[Self.place(of: word)], let ends = texts[word] else { continue }
                found += ends.count { bytes[...place].suffix($0.count).elementsEqual($0) }
            }
            return found
        }

        private static func place(of word: UInt64) -> Int {
            Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 48)
        }
    }
#endif
