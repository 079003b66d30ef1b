/// A value of Apple's that has a name in StoreKit and words for people.
///
/// Every door takes both from here, so that a value is called the same everywhere.
package protocol WordedValue<RawValue>: RawRepresentable, Equatable, Sendable {
    /// The known values. `WordsTests` fails if one is missing.
    static var words: [Words<Self>] { get }
}

/// A value's name in StoreKit, and its name for people, without a capital or a full stop.
package struct Words<Value: Sendable>: Sendable {
    package let value: Value
    package let name: String
    package let text: String

    init(_ value: Value, _ name: String, _ text: String) {
        self.value = value
        self.name = name
        self.text = text
    }
}

extension WordedValue {
    /// The value's name for people; `nil` for an unknown one.
    package var text: String? { Self.words(for: rawValue)?.text }

    /// The text as a sentence begins; `nil` for an unknown value.
    var capitalizedText: String? { text.map { $0.prefix(1).uppercased() + $0.dropFirst() } }

    /// The name for people of a payload's value; `nil` for an unknown one.
    package static func text(of rawValue: RawValue) -> String? { words(for: rawValue)?.text }

    /// StoreKit's name for a value of a payload.
    package static func name(of rawValue: RawValue) -> String? { words(for: rawValue)?.name }

    private static func words(for rawValue: RawValue) -> Words<Self>? {
        Self(rawValue: rawValue).flatMap { value in words.first { $0.value == value } }
    }
}
