internal import Libc
internal import Synchronization

/// Threads of the operating system.
///
/// Dispatch is not suitable here. If the system refuses it a thread, it waits for ever. If it finds no
/// descriptors for itself, it ends the process.
package enum Threads {
    /// Runs the body on this thread and others. Returns when it has ended on all of them.
    ///
    /// Threads are started one by one, as work is found for them. So a small input is done before a thread
    /// has started.
    ///
    /// - Parameters:
    ///   - count: the maximum number of threads. If the system gives fewer, those do all the work.
    ///   - body: gets the thread's number, from 0, and a closure. It calls the closure if there may be work
    ///     for another thread.
    package static func run(
        _ count: Int, _ body: @escaping @Sendable (Int, _ callAnother: () -> Void) -> Void
    ) {
        let crew = Crew(places: 1..<max(1, count), body)
        body(0) { crew.callAnother() }
        // A thread calls another one only before its own end, so this finds all of them.
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

        /// Starts the next thread. If the system refuses, no further thread is tried.
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

    /// Runs the body on a thread that is not joined.
    package static func detach(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        pthread_detach(try start(body))
    }

    /// The work of a thread, behind one pointer.
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
        // The thread takes over the work. If no thread could be started, it is released here.
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
