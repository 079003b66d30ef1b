/// The rule by which a payload's members become the properties of one of StoreKit's types: the type reads the
/// members of this list, and `ObjectWriter` writes the properties in its order. The types declare their properties
/// where they read them, and the list is made of that (`PayloadProperties`).
package struct PayloadForm: Sendable {
    /// How a property is written. A value of an unexpected type counts as absent.
    package enum Form: Sendable {
        /// A text.
        case text
        /// A text that is left out if it is empty. Old payloads do not have it.
        case textUnlessEmpty
        /// A text that is empty if it is absent.
        case textOrEmpty
        /// The texts of an array; absent if it is empty.
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
        /// A date; the beginning of the year 1 for a value that is not a date, or is outside the years 1 to 9999.
        case revocation
        /// A UUID, in lower case.
        case uuid
        /// The same, or the nil UUID if it is absent.
        case uuidOrNil
        /// An array of UUIDs, in lower case; absent if it is empty.
        case uuids
        /// A duration of one unit.
        case period
        /// Bytes in base64; absent if they are empty.
        case bytes
        /// A word that a number stands for, or its absence.
        case word
        /// A nested object.
        case object
        /// The objects of an array; absent if it is empty.
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
        fileprivate let name: String?
        fileprivate let form: Form
        fileprivate let member: String
        fileprivate let isRequired: Bool
        fileprivate let condition: String?
        fileprivate let inner: PayloadForm?
        fileprivate let word: Word?
        fileprivate let group: [Property]

        /// - Parameters:
        ///   - name: StoreKit's name; `nil` for a member that is read and not written.
        ///   - member: the member's name in the payload; empty for a group.
        ///   - isRequired: whether every value of the type has the property.
        ///   - condition: the member that must be 1, or the property is left out.
        ///   - inner: the properties of each object, if the member has objects.
        ///   - word: gives the word, if the property is one.
        ///   - group: the properties of a group.
        package init(
            _ name: String?, _ form: Form, _ member: String, isRequired: Bool = false,
            ifOne condition: String? = nil, inner: PayloadForm? = nil, word: Word? = nil,
            group: [Property] = []
        ) {
            self.name = name
            self.form = form
            self.member = member
            self.isRequired = isRequired
            self.condition = condition
            self.inner = inner
            self.word = word
            self.group = group
        }

        /// The member without which the property is surely absent.
        fileprivate var needed: String? {
            switch form {
            case .textOrEmpty, .integerOrOne, .flag, .isOne, .uuidOrNil, .word: nil
            case .group, .together: group.first(where: \.isRequired)?.member
            default: member
            }
        }

        /// The property, and those of its group.
        fileprivate var all: [Property] { [self] + group.flatMap(\.all) }
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

    /// How each member is read, by its number; `nil` for a member that is only a condition.
    private let rules: [Form?]

    /// - Parameters:
    ///   - type: the type, as messages name it.
    ///   - properties: its properties, in the order in which they are written.
    package init(_ type: String, _ properties: [Property]) {
        self.type = type
        var members: [String] = []
        let all = properties.flatMap(\.all)
        for member in all.flatMap({ [$0.member, $0.condition ?? ""] })
        where !member.isEmpty && !members.contains(member) {
            members.append(member)
        }
        names = MemberNames(members)
        rules = members.map { member in all.first { $0.member == member }?.form }
        for property in properties where property.name != nil { add(property) }
    }

    /// The members that a value of the type requires.
    package var required: [String] {
        rows.indices.filter { rows[$0].isRequired && !isInGroup($0) }.map { names.names[rows[$0].member] }
    }

    private func isInGroup(_ row: Int) -> Bool {
        rows[..<row].indices.contains { $0 + rows[$0].groupCount >= row }
    }

    /// How the type reads a member; `nil` for a member that it does not read.
    package func rule(of member: String) -> Form? { names.index(of: member).flatMap { rules[$0] } }

    private mutating func add(_ property: Property) {
        let start = keys.count
        keys += ",\"\(property.name ?? "")\":".utf8
        // A group has no member, and its number is not used.
        rows.append(
            Row(
                form: property.form, isRequired: property.isRequired, key: start..<keys.count,
                member: names.index(of: property.member) ?? 0,
                condition: property.condition.flatMap(names.index),
                inner: property.word == nil ? inner.count : words.count, groupCount: property.group.count,
                needed: property.needed.flatMap(names.index)))
        if let form = property.inner { inner.append(form) }
        if let word = property.word { words.append(word) }
        for member in property.group { add(member) }
    }
}
