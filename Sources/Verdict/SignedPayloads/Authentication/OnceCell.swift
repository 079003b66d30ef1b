internal import Synchronization

/// A value that is made once, when it is first asked for.
final class OnceCell<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// The value, if it was made.
    var present: Value? { stored.withLock(\.self) }

    /// The value. A caller that asks while the value is being made waits for it.
    func value(_ make: () -> Value) -> Value {
        stored.withLock { stored in
            if let value = stored { return value }
            let value = make()
            stored = value
            return value
        }
    }
}
