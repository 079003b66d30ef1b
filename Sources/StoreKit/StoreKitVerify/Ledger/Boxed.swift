/// A value behind a reference.
///
/// A transaction has nearly fifty members. A value that contains one, and is copied often, contains it so: each
/// copy takes one reference, and the compiler writes no code of its own to copy every member of every type that has
/// a transaction.
@propertyWrapper
indirect enum Boxed<Value> {
    case value(Value)

    init(wrappedValue: Value) { self = .value(wrappedValue) }

    var wrappedValue: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}
