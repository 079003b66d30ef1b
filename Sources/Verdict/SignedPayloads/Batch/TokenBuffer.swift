internal import Synchronization

/// A bounded buffer between the task that reads a sequence and the task that consumes its elements.
final class TokenBuffer<Element: Sendable, Failure: Error>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// How the sequence ended, if it has ended.
        var end: Result<Void, Failure>?
        /// The continuations of the task that waits for elements, and of the task that waits for room.
        var consumer: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?
        /// Whether the consumer has stopped.
        var isClosed = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element, and waits until there is room for another.
    func add(_ element: Element) async {
        let (isFull, consumer) = state.withLock { state in
            if !state.isClosed { state.elements.append(element) }
            return (state.elements.count >= capacity, state.consumer.take())
        }
        consumer?.resume()
        guard isFull else { return }
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                guard !state.isClosed, state.elements.count >= capacity else { return true }
                state.producer = continuation
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Ends the sequence.
    func finish(_ end: Result<Void, Failure>) {
        let consumer = state.withLock { state in
            state.end = end
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Tells the buffer that the consumer has stopped. A task that waits for room continues.
    func close() {
        let producer = state.withLock { state in
            state.isClosed = true
            state.elements = []
            return state.producer.take()
        }
        producer?.resume()
    }

    /// Waits for elements.
    ///
    /// - Returns: all elements that are there; empty at the sequence's end.
    /// - Throws: the sequence's error, after all elements before it were taken.
    func take() async throws(Failure) -> [Element] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.elements.isEmpty, state.end == nil else { return true }
                state.consumer = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        let (elements, end, producer) = state.withLock { state in
            let elements = state.elements
            state.elements = []
            return (elements, state.end, state.producer.take())
        }
        producer?.resume()
        if elements.isEmpty { try end?.get() }
        return elements
    }
}
