import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Threads of the system's own.
///
/// Dispatch will not do for the command: where the system has no thread to give it waits for one for ever, and it ends
/// the process where it finds no descriptors for itself.
enum Threads {
    /// Runs the body on this thread, and comes back when it has ended on all threads.
    ///
    /// Threads are started one by one, as work is found for them: a small input is done before a thread has begun.
    ///
    /// - Parameters:
    ///   - count: on how many threads to run it at most. Where the system gives fewer, those do it all.
    ///   - body: gets the thread's place, from 0, and what it calls if there may be work for one thread more.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int, _ callAnother: () -> Void) -> Void) {
        let crew = Crew(places: 1..<max(1, count), body)
        body(0) { crew.callAnother() }
        // Whoever called another thread did so before its own end.
        while let thread = crew.takeThread() { pthread_join(thread, nil) }
    }

    /// Threads that call one another.
    private final class Crew: Sendable {
        private let state: Mutex<(places: Range<Int>, threads: [pthread_t])>
        private let body: @Sendable (Int, () -> Void) -> Void

        init(places: Range<Int>, _ body: @escaping @Sendable (Int, () -> Void) -> Void) {
            state = Mutex((places, []))
            self.body = body
        }

        /// Starts a thread for the next place. If the system has none, no other place is tried.
        func callAnother() {
            state.withLock { state in
                guard let place = state.places.first else { return }
                state.places.removeFirst()
                do throws(SystemError) {
                    state.threads.append(try start { self.body(place) { self.callAnother() } })
                } catch {
                    state.places = place..<place
                }
            }
        }

        func takeThread() -> pthread_t? { state.withLock { $0.threads.popLast() } }
    }

    /// Runs the body on a thread that nobody waits for.
    static func detach(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        pthread_detach(try start(body))
    }

    /// What a thread does, behind one pointer.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        // The thread takes the work over; where there is none, it is let go of here.
        let work = unsafe Unmanaged.passRetained(Work(body))
        let failure = unsafe pthread_create(
            &thread, nil,
            { context in
                let context: UnsafeMutableRawPointer? = unsafe context
                if let context = unsafe context {
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                }
                return nil
            }, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            throw SystemError(number: failure)
        }
        #if canImport(Glibc)
            return thread
        #else
            guard let thread else { throw SystemError(number: EAGAIN) }
            return thread
        #endif
    }
}
