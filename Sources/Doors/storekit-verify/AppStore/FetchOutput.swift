#if ServerAPI
    import AppStoreServerAPI
    import CommandSupport
    import Platform
    import SignedPayloads
    import Synchronization

    /// Verifies the pages of a fetch, and writes them to standard output, one payload a line, as `verify` and `ingest` read
    /// them. A payload that is refused is reported, and not written.
    final class FetchOutput: Sendable {
        /// The numbers of fetched payloads.
        struct Counts {
            var payloads = 0
            var refused = 0
            var pages = 0
        }

        private struct State: ~Copyable {
            var state: FetchState?
            var counts = Counts()
            var progress: Progress
        }

        /// Held while a page is written, so that pages are whole, and the state follows them. A reader that stalls thus holds
        /// up all parts, and nothing piles up in memory.
        private let state: Mutex<State>
        private let verifier: BatchVerifier
        private let start = ContinuousClock.now

        init(_ verifier: SignedPayloadVerifier, _ state: consuming FetchState?, _ progress: Progress) {
            self.verifier = BatchVerifier(verifier)
            self.state = Mutex(State(state: state, progress: progress))
        }

        var counts: Counts { state.withLock { $0.counts } }

        /// How far a part has come: the token or revision of its next page, and the environment of its server.
        func place(of part: FetchPart) -> (next: String, environment: String)? {
            state.withLock { state in
                guard let page = state.state?.pages[part.name], let next = page.next else { return nil }
                return (next, page.environment)
            }
        }

        /// Writes a page.
        ///
        /// - Throws: why the output or the state could not be written.
        func write(
            _ response: APIResponse<TokenPage>, of part: FetchPart, next: String?
        ) throws(FetchFailure) {
            let tokens = response.value.tokens
            let verdicts = verifier.verify(tokens)
            var (lines, count): ([UInt8], Int) = ([], 0)
            for (token, verdict) in zip(tokens, verdicts) where (try? verdict.get()) != nil {
                lines.append(contentsOf: token.utf8)
                lines.append(UInt8(ascii: "\n"))
                count += 1
            }
            try state.withLock { (state) throws(FetchFailure) in
                // The output first: a process that is killed between the two writes the page again, and leaves no gap.
                do throws(SystemError) {
                    try StandardOutput.write(lines: lines)
                } catch {
                    throw .output(error)
                }
                state.counts.payloads += count
                state.counts.pages += 1
                do throws(FetchLog.Failure) {
                    try state.state?.add(
                        part: part.name, next: next, environment: response.server.environment.rawValue,
                        lines: count, bytes: lines.count)
                } catch {
                    throw .state(error)
                }
                for case .failure(let error) in verdicts {
                    state.counts.refused += 1
                    state.progress.clear()
                    StandardError.say("\(part.name): a payload was refused: \(error.message)")
                }
                let counts = state.counts
                state.progress.update { text(about: counts) }
            }
        }

        /// Says something about a part.
        func say(_ message: String) {
            state.withLock { state in
                state.progress.clear()
                StandardError.say(message)
            }
        }

        private func text(about counts: Counts) -> String {
            let rate = Double(counts.payloads) / max(0.1, start.duration(to: .now) / .seconds(1))
            return "\(counts.payloads) payloads in \(counts.pages) pages, \(Int(rate)) a second"
        }

        /// Removes the progress.
        func end() { state.withLock { $0.progress.clear() } }
    }

    /// Why a fetch ended early.
    enum FetchFailure: Error {
        /// Standard output could not be written.
        case output(SystemError)
        /// The state could not be written.
        case state(FetchLog.Failure)
        /// The App Store does not answer, or not to this key.
        case server(AppStoreServerAPIError)
        /// A stop was requested.
        case stopped
    }
#endif
