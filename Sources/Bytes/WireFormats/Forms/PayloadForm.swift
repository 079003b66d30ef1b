/// The rule by which a payload's members become the properties of one of StoreKit's types: the type reads the
/// members of this list, and `ObjectWriter` writes the properties in its order.
package struct PayloadForm: Sendable {
    /// How a property is written. A value of an unexpected type counts as absent.
    package enum Form: Sendable {
        /// A text.
        case text
        /// A text that is left out if it is empty. Old payloads do not have it.
        case textUnlessEmpty
        /// A text that is empty if it is absent.
        case textOrEmpty
        /// The texts of an array, unless there are none.
        case texts
        /// A string of digits, because many readers would lose digits of a number.
        case identifier
        /// The same, but 0 is left out.
        case identifierUnlessZero
        /// An identifier that is written as a number.
        case count
        /// A whole number.
        case integer
        /// A whole number that is 1 if it is absent.
        case integerOrOne
        /// A Boolean that is false if it is absent.
        case flag
        /// Whether a number is 1.
        case isOne
        /// A decimal that the payload has in thousandths.
        case thousandths
        /// A decimal that the payload has as a text.
        case decimal
        /// A date.
        case date
        /// A date that is left out if it is the Unix epoch.
        case dateUnlessEpoch
        /// A UUID, in lower case.
        case uuid
        /// The same, or the nil UUID if it is absent.
        case uuidOrNil
        /// A duration of one unit.
        case period
        /// Bytes in base64, unless there are none.
        case bytes
        /// A word that a number stands for, or its absence.
        case word
        /// A nested object.
        case object
        /// The objects of an array, unless there are none.
        case objects
        /// An object of the same payload object's members.
        case group
        /// Properties of which all are left out if a required one is absent.
        case together
    }

    /// Gives the word that a number stands for; `nil` is the member's absence. The word needs no escapes.
    package typealias Word = @Sendable (Int?) -> String

    /// A property, and the member that it is read from.
    package struct Property: Sendable {
        fileprivate let name: String
        fileprivate let form: Form
        fileprivate let member: String
        fileprivate var isRequired = false
        /// The member that must be 1, or the property is left out.
        fileprivate var condition: String?
        /// The properties of each object, if the property has objects.
        fileprivate var inner: PayloadForm?
        /// Gives the word, if the property has one.
        fileprivate var word: Word?
        /// The properties of a group.
        fileprivate var group: [Property] = []

        /// A property that every value of the type has.
        package static func required(_ name: String, _ form: Form, _ member: String) -> Self {
            Self(name: name, form: form, member: member, isRequired: true)
        }

        /// A property that a value may lack.
        package static func optional(
            _ name: String, _ form: Form, _ member: String, ifOne condition: String? = nil
        )
            -> Self
        {
            Self(name: name, form: form, member: member, condition: condition)
        }

        /// A property that is an object in the payload.
        package static func object(_ name: String, _ inner: PayloadForm) -> Self {
            Self(name: name, form: .object, member: name, inner: inner)
        }

        /// A property that is an array of objects in the payload.
        package static func objects(_ name: String, _ inner: PayloadForm) -> Self {
            Self(name: name, form: .objects, member: name, inner: inner)
        }

        /// An object that the payload has not. Its members are those of the object around it.
        package static func group(_ name: String, _ group: [Property]) -> Self {
            Self(name: name, form: .group, member: "", group: group)
        }

        /// A property that is the word for a number.
        package static func word(_ name: String, _ member: String, _ word: @escaping Word) -> Self {
            Self(name: name, form: .word, member: member, word: word)
        }

        /// Properties of which all are left out if a required one is absent.
        package static func together(_ group: [Property]) -> Self {
            Self(name: "", form: .together, member: "", group: group)
        }

        /// The member without which the property is surely absent.
        fileprivate var needed: String? {
            switch form {
            case .textOrEmpty, .integerOrOne, .flag, .isOne, .uuidOrNil, .word: nil
            case .group, .together: group.first(where: \.isRequired)?.member
            default: member
            }
        }

        /// The members that the property is read from.
        fileprivate var members: [String] {
            ([member, condition ?? ""] + group.flatMap(\.members)).filter { !$0.isEmpty }
        }
    }

    /// A property with its names looked up.
    package struct Row: Sendable {
        package let form: Form
        let isRequired: Bool
        /// The place of its name in `keys`, with a comma before and a colon behind.
        let key: Range<Int>
        /// The number of its member among `names`.
        package let member: Int
        /// The number of the member that must be 1.
        let condition: Int?
        /// The index of its form in `inner`, or of its word in `words`.
        let inner: Int
        /// The number of rows behind this one that belong to it.
        package let groupCount: Int
        /// The member without which the property is surely absent.
        let needed: Int?
    }

    /// The type, as messages name it.
    package let type: String
    /// The members to find.
    package let names: MemberNames
    package private(set) var rows: [Row] = []
    private(set) var keys: [UInt8] = []
    private(set) var inner: [PayloadForm] = []
    private(set) var words: [Word] = []

    /// - Parameter unwritten: members that the type reads, and that are not written.
    package init(_ type: String, _ properties: [Property], unwritten: [String] = []) {
        self.type = type
        var members: [String] = []
        for member in properties.flatMap(\.members) + unwritten where !members.contains(member) {
            members.append(member)
        }
        names = MemberNames(members)
        for property in properties { add(property) }
    }

    /// The number of a member that the type reads. The members are constants of this package: no input reaches the trap.
    package func number(of member: String) -> Int {
        guard let number = names.index(of: member) else {
            preconditionFailure("\(type) has no member \(member)")
        }
        return number
    }

    private mutating func add(_ property: Property) {
        let start = keys.count
        keys += ",\"\(property.name)\":".utf8
        rows.append(
            Row(
                form: property.form, isRequired: property.isRequired, key: start..<keys.count,
                member: property.member.isEmpty ? 0 : number(of: property.member),
                condition: property.condition.map(number),
                inner: property.word == nil ? inner.count : words.count, groupCount: property.group.count,
                needed: property.needed.map(number)))
        if let form = property.inner { inner.append(form) }
        if let word = property.word { words.append(word) }
        for member in property.group { add(member) }
    }
}
