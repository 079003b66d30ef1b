#if SQLite || ServerAPI
    import CommandSupport
    import Platform
    import WireFormats

    /// The lines of the file in which a fetch notes how far it has come, each a JSON object.
    ///
    /// `fetch` writes them. `ingest` reads them, because it must name the run whose payloads it has kept.
    struct FetchLog {
        /// A line.
        enum Entry {
            /// The identity of the fetch: the first line.
            case fetch(String)
            /// The span of time that is fetched, in milliseconds since 1970.
            case span(Range<Int>)
            /// The beginning of a run, and its sink.
            case run(id: String, sink: Sink)
            /// A page that was written.
            case page(Page)
        }

        /// The kind of standard output.
        enum Sink: Equatable {
            case file
            /// A pipe, by its number.
            case pipe(Int)
            /// A terminal, for instance.
            case other
        }

        /// A page that was written.
        struct Page {
            let part: String
            /// The token or revision of the part's next page; `nil` after the last page.
            let next: String?
            /// The environment of the server.
            let environment: String
            /// How many lines the run had written with this page.
            let lines: Int
            /// How long the output was with this page, in bytes; 0 if it is not a file.
            let bytes: Int
        }

        /// Why a file is not used.
        struct Failure: Error {
            let message: String
            /// Whether the system is the reason, and not the file's content.
            var isSystem = false

            init(_ message: String) { self.message = message }

            /// Runs a body, and says why the system refuses.
            static func ofSystem<Value: ~Copyable>(
                _ body: () throws(SystemError) -> Value
            ) throws(Failure) -> Value {
                do throws(SystemError) {
                    return try body()
                } catch {
                    var failure = Failure("\(error)")
                    failure.isSystem = true
                    throw failure
                }
            }
        }

        /// 1 GiB. A year of a thousand pages a day takes 60 MB.
        static let maximumBytes = 1 << 30

        /// Each line, and where it ends in the file. A last line without its end was interrupted, and is left out.
        private(set) var entries: [(entry: Entry, end: Int)] = []

        /// Reads the lines.
        ///
        /// - Throws: `Failure` with the number of the line, if a fetch did not write it.
        init(_ content: [UInt8]) throws(Failure) {
            var start = 0
            while let end = content[start...].firstIndex(of: UInt8(ascii: "\n")) {
                guard let tree = try? JSONTree(content.span.extracting(start..<end)), let entry = Entry(tree)
                else {
                    throw Failure("line \(entries.count + 1) is not the state of a fetch")
                }
                start = end + 1
                entries.append((entry, start))
            }
        }

        /// The name of the file in which `ingest` notes how much it has kept. It lies beside the state.
        static func keptName(_ state: FileName) -> FileName {
            FileName(bytes: state.bytes + Array(".kept".utf8))
        }
    }

    extension FetchLog.Entry {
        /// The last second of the year 9999, in milliseconds since 1970. Within it, no sum of instants overflows.
        private static let lastInstant = Int(CalendarTime.lastSecond) * 1000

        fileprivate init?(_ tree: JSONTree) {
            if let identity = tree["fetch"]?.stringValue {
                self = .fetch(identity)
            } else if let from = tree["from"]?.wholeNumber, let to = tree["to"]?.wholeNumber, from < to,
                (0...Self.lastInstant).contains(from), to <= Self.lastInstant
            {
                self = .span(from..<to)
            } else if let id = tree["run"]?.stringValue, let sink = tree["output"]?.stringValue {
                self = .run(
                    id: id,
                    sink: tree["pipe"]?.wholeNumber.map { .pipe($0) } ?? (sink == "file" ? .file : .other)
                )
            } else if let part = tree["part"]?.stringValue,
                let environment = tree["environment"]?.stringValue,
                let lines = tree["lines"]?.wholeNumber, let bytes = tree["bytes"]?.wholeNumber
            {
                let next = tree["next"]?.stringValue
                self = .page(
                    FetchLog.Page(
                        part: part, next: next, environment: environment, lines: lines, bytes: bytes))
            } else {
                return nil
            }
        }

        /// The line, with its end.
        var line: [UInt8] {
            var object = ObjectText()
            switch self {
            case .fetch(let identity): object.add("fetch", identity)
            case .span(let span):
                object.add("from", span.lowerBound)
                object.add("to", span.upperBound)
            case .run(let id, let sink):
                object.add("run", id)
                object.add("output", sink == .file ? "file" : sink == .other ? "other" : "pipe")
                if case .pipe(let number) = sink { object.add("pipe", number) }
            case .page(let page):
                object.add("part", page.part)
                object.add("next", page.next)
                object.add("environment", page.environment)
                object.add("lines", page.lines)
                object.add("bytes", page.bytes)
            }
            return object.utf8 + [UInt8(ascii: "\n")]
        }
    }
#endif
