internal import Essentials
internal import StoreKitVerify

/// A property of an app receipt that gives a column's value.
package struct ReceiptSource: Sendable {
    /// A value of a property.
    enum Value {
        case text(String?)
        case date(Date?)
    }

    /// The property's name.
    package let property: String
    let value: @Sendable (AppReceipt) -> Value

    static func text(_ property: String, _ value: @escaping @Sendable (AppReceipt) -> String?) -> Self {
        Self(property: property) { .text(value($0)) }
    }

    static func identifier(_ property: String, _ value: @escaping @Sendable (AppReceipt) -> UInt64?) -> Self {
        Self(property: property) { .text(value($0).map { String($0) }) }
    }

    static func date(_ property: String, _ value: @escaping @Sendable (AppReceipt) -> Date?) -> Self {
        Self(property: property) { .date(value($0)) }
    }

    /// Bytes in base64.
    static func bytes(_ property: String, _ value: @escaping @Sendable (AppReceipt) -> Data?) -> Self {
        Self(property: property) { .text(value($0)?.base64EncodedString()) }
    }
}
