#if ServerAPI
    import Platform
    import Essentials

    /// How far a fetch has come, in a file of a `FetchLog`.
    ///
    /// A page counts if the output has it. A file has it if the file is long enough; the reader of a pipe has it if
    /// `ingest --state` says so. All other pages are fetched again, so that an interruption leaves no gap. A file is cut
    /// behind its last page that counts, so that nothing is in it twice.
    ///
    /// Neither the state nor the output is forced to the disk. After a loss of power, the state can know of pages that the
    /// output has lost.
    struct FetchState: ~Copyable {
        private let file: FileDescriptor
        private let sink: FetchLog.Sink
        /// Where the state ends in its file, in bytes.
        private var length = 0
        /// The last page of each part that was begun.
        private(set) var pages: [String: FetchLog.Page] = [:]
        /// The span of time that is fetched, in milliseconds since 1970.
        private(set) var span: Range<Int>?
        /// How many lines this run has written. A pipe's reader counts them too.
        private var lines = 0
        /// How long standard output is, if it is a file.
        private var outputBytes = 0

        /// Opens the file, or makes it, and begins a run.
        ///
        /// - Parameter identity: the identity of the fetch. The file of another fetch is refused.
        static func open(_ name: FileName, of identity: String) throws(FetchLog.Failure) -> FetchState {
            let file = try FetchLog.Failure.ofSystem { () throws(SystemError) in
                try FileDescriptor.update(name)
            }
            var state = FetchState(file)
            try state.begin(identity, FetchLog.keptLines(name))
            return state
        }

        private init(_ file: consuming FileDescriptor) {
            let output = FileDescriptor(borrowing: FileDescriptor.standardOutput)
            sink = output.regularFileBytes.map { _ in .file } ?? output.pipeNumber.map { .pipe($0) } ?? .other
            outputBytes = output.regularFileBytes ?? 0
            self.file = file
        }

        /// Reads the notes of earlier runs, and begins a run.
        private mutating func begin(
            _ identity: String, _ keptLines: (run: String, count: Int)?
        ) throws(FetchLog.Failure) {
            guard try FetchLog.Failure.ofSystem({ () throws(SystemError) in try file.lock() }) else {
                throw FetchLog.Failure("another fetch uses it")
            }
            let content = try FetchLog.Failure.ofSystem { () throws(SystemError) in
                try file.read(FetchLog.maximumBytes, at: 0)
            }
            let log = try FetchLog(content)
            if let first = log.entries.first {
                guard case .fetch(identity) = first.entry else {
                    throw FetchLog.Failure(
                        "it is the state of another fetch; give another file, or remove it")
                }
            } else {
                // A run that was killed at once may have left a part of the first line. Anything else is a file of the
                // caller's, given by mistake, and is not to be overwritten.
                guard FetchLog.Entry.fetch(identity).line.starts(with: content) else {
                    throw FetchLog.Failure("it is not the state of a fetch")
                }
            }
            let kept = try log.kept(sink, outputBytes: outputBytes, keptLines)
            length = kept.last?.end ?? 0
            for (entry, _) in kept {
                if case .span(let span) = entry { begin(span) }
                if case .page(let page) = entry {
                    pages[page.part] = page
                    outputBytes = page.bytes
                }
            }
            if kept.isEmpty { try add(.fetch(identity)) }
            try FetchLog.Failure.ofSystem { () throws(SystemError) in
                try file.cut(to: length)
                if sink == .file {
                    try FileDescriptor(borrowing: FileDescriptor.standardOutput).cut(to: outputBytes)
                }
            }
            try add(.run(id: UUID().uuidString, sink: sink))
        }

        /// Begins a span of time.
        mutating func add(_ span: Range<Int>) throws(FetchLog.Failure) {
            begin(span)
            try add(.span(span))
        }

        /// The pages of an earlier span do not count for this one: its parts have other names.
        private mutating func begin(_ span: Range<Int>) {
            self.span = span
            pages = [:]
        }

        /// Adds a page that was written.
        mutating func add(
            part: String, next: String?, environment: String, lines count: Int, bytes: Int
        ) throws(FetchLog.Failure) {
            lines += count
            outputBytes += bytes
            let page = FetchLog.Page(
                part: part, next: next, environment: environment, lines: lines,
                bytes: sink == .file ? outputBytes : 0)
            pages[part] = page
            try add(.page(page))
        }

        /// Writes a line at its place. A line that is written in part has no end, and the next run writes over it.
        private mutating func add(_ entry: FetchLog.Entry) throws(FetchLog.Failure) {
            let (line, offset) = (entry.line, length)
            length += line.count
            try FetchLog.Failure.ofSystem { () throws(SystemError) in try file.write(line, at: offset) }
        }
    }

    extension FetchLog {
        /// The lines up to the first page that the output lacks. Of the pages behind it some may be there, and are fetched
        /// again: their number of lines or bytes counts from the ones before.
        ///
        /// - Parameters:
        ///   - outputBytes: how long the output is, if it is a file.
        ///   - keptLines: how many lines of a run the reader of a pipe has kept.
        fileprivate func kept(
            _ sink: Sink, outputBytes: Int, _ keptLines: (run: String, count: Int)?
        ) throws(Failure) -> ArraySlice<(entry: Entry, end: Int)> {
            guard
                let lastRun = entries.lastIndex(where: { if case .run = $0.entry { true } else { false } }),
                case .run(let id, let lastSink) = entries[lastRun].entry
            else { return entries[...] }
            var count = 0
            switch (sink, lastSink) {
            case (.file, .file): break
            case (.pipe, .pipe): if keptLines?.run == id { count = keptLines?.count ?? 0 }
            case (.other, .other): return entries[...]
            default:
                throw Failure("it belongs to another kind of output: a file, a pipe and a terminal differ")
            }
            let isLost = { (entry: (offset: Int, element: (entry: Entry, end: Int))) -> Bool in
                guard case .page(let page) = entry.element.entry else { return false }
                return sink == .file ? page.bytes > outputBytes : entry.offset > lastRun && page.lines > count
            }
            guard let lost = entries.enumerated().first(where: isLost)?.offset else { return entries[...] }
            if sink == .file, outputBytes == 0 {
                throw Failure(
                    "the output is empty, but --state says that pages were written: append to the file with >>"
                )
            }
            return entries[..<lost]
        }

        /// The run whose lines the reader of a pipe has kept, and how many; `nil` if nothing is noted.
        fileprivate static func keptLines(_ name: FileName) -> (run: String, count: Int)? {
            let words = (try? keptName(name).read(maximumBytes: 1000)).map {
                String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            }
            guard let words, words.count == 2, let count = Int(words[1]) else { return nil }
            return (String(words[0]), count)
        }
    }
#endif
