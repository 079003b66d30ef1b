internal import SignedPayloads
internal import WireFormats

/// The members of a JSON object, read as the properties of one of StoreKit's types.
///
/// A type's initializer reads each property through a value of this type, with the property's name, the rule, and
/// the member's name. That is the only place where the three stand: on `declaration` the same initializer reads
/// nothing and lists the properties, and that list is the type's `PayloadForm`. So the initializer must read
/// every property on every way through it.
///
/// A member of an unexpected type counts as absent.
struct PayloadProperties {
    /// The object; `nil` while the type is declared.
    private let fields: PayloadFields?
    /// The type, as messages name it.
    private let type: String
    /// The properties that were read so far, while the type is declared.
    fileprivate private(set) var declared: [PayloadForm.Property] = []

    private init(_ fields: PayloadFields?, _ type: String) {
        self.fields = fields
        self.type = type
    }

    /// The members of a signed payload.
    ///
    /// - Throws: `PayloadError` if the payload is of another type and has all that this one requires: a transaction read
    ///   as renewal information would say that nothing renews.
    init(_ content: SignedContent, _ form: PayloadForm) throws(PayloadError) {
        let fields: PayloadFields
        do throws(JSONError) {
            fields = try PayloadFields(Array(content.payloadData), names: form.names)
        } catch {
            throw PayloadError(.payloadJSON(error))
        }
        if let found = content.kind?.form, found.type != form.type, form.required.allSatisfy(fields.has) {
            throw PayloadError(.memberType("kind", found: found.type, expected: form.type))
        }
        self.init(fields, form.type)
    }

    /// No payload, for a declaration.
    fileprivate init(declaring type: String) { self.init(nil, type) }

    /// Whether a member is present and not null.
    func has(_ member: String) -> Bool { fields?.has(member) ?? false }

    // MARK: - Values

    /// A property that every value of the type has.
    ///
    /// - Throws: `PayloadError` if the member is missing.
    mutating func required<Value>(
        _ name: String, _ rule: PropertyRule<Value>, _ member: String
    ) throws(PayloadError) -> Value {
        guard let fields else {
            declared.append(PayloadForm.Property(name, rule.form, member, isRequired: true))
            return rule.absent
        }
        guard let value = fields.value(member, rule.read) else {
            throw PayloadError(.missingProperty(member: member, of: type))
        }
        return value
    }

    /// A property that a value may lack.
    ///
    /// - Parameters:
    ///   - name: StoreKit's name; `nil` if typed output does not have the property.
    ///   - condition: the member that must be 1, or the property is absent.
    mutating func optional<Value>(
        _ name: String?, _ rule: PropertyRule<Value>, _ member: String, ifOne condition: String? = nil
    ) -> Value? {
        guard let fields else {
            declared.append(PayloadForm.Property(name, rule.form, member, ifOne: condition))
            return nil
        }
        if let condition, fields.integer(condition) != 1 { return nil }
        return fields.value(member, rule.read)
    }

    /// A property that has the rule's value if the member is absent.
    ///
    /// - Parameter isRequired: whether typed output leaves out the properties around this one without it.
    mutating func value<Value>(
        _ name: String, _ rule: PropertyRule<Value>, _ member: String, isRequired: Bool = false
    ) -> Value {
        guard let fields else {
            declared.append(PayloadForm.Property(name, rule.form, member, isRequired: isRequired))
            return rule.absent
        }
        return fields.value(member, rule.read) ?? rule.absent
    }

    /// A property that is made of a number or its absence, and written as a word.
    mutating func word<Value>(
        _ name: String, _ member: String, _ value: @escaping @Sendable (Int?) -> Value,
        _ word: @escaping @Sendable (Value) -> String
    ) -> Value {
        if fields == nil {
            declared.append(PayloadForm.Property(name, .word, member) { word(value($0)) })
        }
        return value(fields?.integer(member))
    }

    // MARK: - Objects

    /// A property that is an object; `nil` if the object lacks a member that its type requires.
    ///
    /// - Parameters:
    ///   - isWritten: whether typed output has the property as an object.
    ///   - read: reads the object's properties.
    mutating func object<Value>(
        _ name: String, _ form: PayloadForm, isWritten: Bool = true,
        _ read: (inout PayloadProperties) throws(PayloadError) -> Value
    ) -> Value? {
        guard let fields else {
            declared.append(PayloadForm.Property(isWritten ? name : nil, .object, name, inner: form))
            return nil
        }
        guard let object = fields.object(name, names: form.names) else { return nil }
        var properties = PayloadProperties(object, form.type)
        return try? read(&properties)
    }

    /// A property that is an array of objects. Elements of other types are left out.
    mutating func objects<Value>(
        _ name: String, _ form: PayloadForm,
        _ read: (inout PayloadProperties) throws(PayloadError) -> Value
    ) -> [Value] {
        guard let fields else {
            declared.append(PayloadForm.Property(name, .objects, name, inner: form))
            return []
        }
        return (fields.objects(name, names: form.names) ?? []).compactMap { object in
            var properties = PayloadProperties(object, form.type)
            return try? read(&properties)
        }
    }

    /// An object that the payload has not: its members are those of the object around it.
    mutating func group<Value, Failure: Error>(
        _ name: String, _ read: (inout PayloadProperties) throws(Failure) -> Value
    ) throws(Failure) -> Value { try collect(.group, name, read) }

    /// Reads properties that typed output has together: if a required one is absent, it leaves out all.
    mutating func together<Value>(_ read: (inout PayloadProperties) -> Value) -> Value {
        collect(.together, "", read)
    }

    private mutating func collect<Value, Failure: Error>(
        _ form: PayloadForm.Form, _ name: String,
        _ read: (inout PayloadProperties) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard fields == nil else { return try read(&self) }
        var group = PayloadProperties(declaring: type)
        let value = try read(&group)
        declared.append(PayloadForm.Property(name, form, "", group: group.declared))
        return value
    }
}

extension PayloadForm {
    /// The properties that an initializer reads.
    init<Value>(_ type: String, _ read: (inout PayloadProperties) throws(PayloadError) -> Value) {
        var properties = PayloadProperties(declaring: type)
        // Nothing is missing in a declaration.
        _ = try? read(&properties)
        self.init(type, properties.declared)
    }
}
