internal import Essentials
internal import WireFormats

/// How the value of a member becomes a property, and how the property is written.
struct PropertyRule<Value: Sendable>: Sendable {
    /// How the property is written.
    let form: PayloadForm.Form
    /// The property's value if the payload does not have it, and while the type is declared.
    let absent: Value
    /// Reads a value; `nil` if it is of another type.
    let read: @Sendable (JSONValue, Span<UInt8>) -> Value?

    private init(
        _ form: PayloadForm.Form, absent: Value,
        _ read: @escaping @Sendable (JSONValue, Span<UInt8>) -> Value?
    ) {
        self.form = form
        self.absent = absent
        self.read = read
    }
}

extension PropertyRule where Value == String {
    /// A text, with its escapes decoded.
    static var text: Self { Self(.text, absent: "") { $0.string(in: $1) } }
    /// A text that is not written if it is empty.
    static var textUnlessEmpty: Self { Self(.textUnlessEmpty, absent: "") { $0.string(in: $1) } }
    /// A text that is written as an empty one if it is absent.
    static var textOrEmpty: Self { Self(.textOrEmpty, absent: "") { $0.string(in: $1) } }
}

extension PropertyRule where Value == [String] {
    /// The texts of an array. Elements of other types are left out.
    static var texts: Self { Self(.texts, absent: []) { $0.strings(in: $1) } }
}

extension PropertyRule where Value == UInt64 {
    /// A string of decimal digits, or a number.
    static var identifier: Self { Self(.identifier, absent: 0) { $0.identifier(in: $1) } }
    /// An identifier for which 0 stands for its absence.
    static var identifierUnlessZero: Self {
        Self(.identifierUnlessZero, absent: 0) { value, json in
            value.identifier(in: json).flatMap { $0 == 0 ? nil : $0 }
        }
    }
    /// An identifier that is written as a number.
    static var count: Self { Self(.count, absent: 0) { $0.identifier(in: $1) } }
}

extension PropertyRule where Value == Int {
    /// A whole number.
    static var integer: Self { Self(.integer, absent: 0) { $0.integer(in: $1) } }
    /// A whole number that is 1 if it is absent.
    static var integerOrOne: Self { Self(.integerOrOne, absent: 1) { $0.integer(in: $1) } }
}

extension PropertyRule where Value == Bool {
    /// A Boolean.
    static var flag: Self { Self(.flag, absent: false) { value, _ in value.bool } }
    /// Whether a number is 1.
    static var isOne: Self { Self(.isOne, absent: false) { $0.integer(in: $1) == 1 } }
}

extension PropertyRule where Value == Decimal {
    /// A price or a percentage in thousandths of its unit.
    static var thousandths: Self { Self(.thousandths, absent: 0) { $0.thousandths(in: $1) } }
    /// The sum of the price tiers of seats.
    static var seatCharge: Self {
        Self(.objects, absent: 0) { value, json in
            SeatCharge.amount(of: value, in: json)
        }
    }
    /// A decimal that the payload has as a text.
    static var decimal: Self {
        Self(.decimal, absent: 0) { value, json in value.string(in: json).flatMap { Decimal(string: $0) } }
    }
}

extension PropertyRule where Value == Date {
    /// A date, in milliseconds since 1970.
    static var date: Self { Self(.date, absent: .unixEpoch) { $0.date(in: $1) } }
    /// When the App Store took something back. A value that is not a date of the calendar counts as a date that has passed:
    /// a refunded product must not count as owned because its date cannot be read.
    static var revocation: Self {
        Self(.revocation, absent: .unixEpoch) { value, json in
            guard value != .null else { return nil }
            guard let date = value.date(in: json), date.calendarMilliseconds != nil else {
                return firstOfCalendar
            }
            return date
        }
    }
    /// The first instant that every output can write.
    private static var firstOfCalendar: Date {
        Date(timeIntervalSince1970: Double(CalendarTime.firstSecond))
    }
    /// A date that is not written if it is the Unix epoch.
    static var dateUnlessEpoch: Self { Self(.dateUnlessEpoch, absent: .unixEpoch) { $0.date(in: $1) } }
}

extension PropertyRule where Value == UUID {
    static var uuid: Self { Self(.uuid, absent: .nilUUID) { $0.uuid(in: $1) } }
    /// A UUID that is written as the nil UUID if it is absent.
    static var uuidOrNil: Self { Self(.uuidOrNil, absent: .nilUUID) { $0.uuid(in: $1) } }
}

extension PropertyRule where Value == [UUID] {
    /// The UUIDs of an array. Elements of other types are left out.
    static var uuids: Self {
        Self(.uuids, absent: []) { value, json in
            value.elements(in: json)?.compactMap { $0.uuid(in: json) }
        }
    }
}

extension PropertyRule where Value == Data {
    /// Bytes in base64 (RFC 4648, section 4).
    static var bytes: Self { Self(.bytes, absent: Data()) { $0.data(in: $1) } }
}

extension PropertyRule where Value == Product.SubscriptionPeriod {
    /// A duration of one unit, in the form of ISO 8601.
    static var period: Self {
        Self(.period, absent: Product.SubscriptionPeriod(value: 0, unit: .day)) { value, json in
            value.string(in: json).flatMap(Product.SubscriptionPeriod.init(iso8601:))
        }
    }
}

extension Date {
    /// The date that stands for an absent one.
    static var unixEpoch: Date { Date(timeIntervalSince1970: 0) }
}

extension UUID {
    /// The UUID that stands for an absent one (RFC 9562, section 5.9).
    static var nilUUID: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
