internal import Synchronization

/// A value that is made when it is first asked for, once.
final class OnceCell<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// The value; whoever asks while it is being made waits for it.
    func value(_ make: () -> Value) -> Value {
        stored.withLock { stored in
            if let value = stored { return value }
            let value = make()
            stored = value
            return value
        }
    }
}
