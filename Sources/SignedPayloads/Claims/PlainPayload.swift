package import WireFormats

/// The members that checks read, found quickly in a payload of the plain form. Nearly all payloads have this
/// form: a flat object that has each of those members once, with a whole number as its date.
///
/// It either accepts a payload or gives no result. All other payloads, and every failure, go to
/// `PayloadMembers` and the checks on it.
package struct PlainPayload {
    /// The kind of payload; never a notification.
    package let kind: SignedPayloadKind
    /// The effective date.
    package let date: EffectiveDate
    /// The value of the member that names the environment, if it is a string.
    package let environment: Range<Int>?
    /// The bundle identifier, if it is a string.
    package let bundleIdentifier: Range<Int>?

    /// Reads the object in the range.
    ///
    /// - Parameter marks: memory for the object's quotation marks.
    @inline(__always)
    package init?(
        _ text: Span<UInt8>, in range: Range<Int>, names: MemberNames, marks: inout FlatJSON.QuotationMarks
    ) {
        var reader = FlatJSON(text, in: range, marks: &marks)
        var seen: UInt64 = 0
        var dates: (signed: Int64?, receipt: Int64?) = (nil, nil)
        var (environment, receiptType, bundleIdentifier): (Range<Int>?, Range<Int>?, Range<Int>?) = (
            nil, nil, nil
        )
        while let member = reader.next(in: text, marks: marks) {
            guard let index = names.index(of: member.name, in: text) else { continue }
            guard seen & 1 << index == 0 else { return nil }
            seen |= 1 << index
            switch index {
            case MemberNames.signedDate: dates.signed = Self.integer(member, in: text)
            case MemberNames.receiptCreationDate: dates.receipt = Self.integer(member, in: text)
            case MemberNames.environment: environment = member.kind == .string ? member.value : nil
            case MemberNames.receiptType: receiptType = member.kind == .string ? member.value : nil
            case MemberNames.bundleIdentifier: bundleIdentifier = member.kind == .string ? member.value : nil
            default: break
            }
        }
        guard reader.isComplete, let kind = names.kind(seen) else { return nil }
        let date = kind == .appTransaction ? dates.receipt : dates.signed
        guard let date = date.flatMap(EffectiveDate.init(milliseconds:)) else { return nil }
        self.kind = kind
        self.date = date
        self.environment = kind == .appTransaction ? receiptType : environment
        self.bundleIdentifier = bundleIdentifier
    }

    /// Reads a number of at most eighteen digits.
    @inline(__always)
    private static func integer(_ member: FlatJSON.Member, in text: Span<UInt8>) -> Int64? {
        guard member.kind == .number, member.value.count <= 18 else { return nil }
        var value: Int64 = 0
        for index in member.value { value = value &* 10 &+ Int64(text[index] &- UInt8(ascii: "0")) }
        return value
    }
}

/// The names of members that checks read, arranged for lookup: by length, then byte by byte.
package struct MemberNames: Sendable {
    static let signedDate: UInt64 = 0
    static let receiptCreationDate: UInt64 = 1
    static let environment: UInt64 = 2
    static let receiptType: UInt64 = 3
    static let bundleIdentifier: UInt64 = 4

    private static let longest = 31

    /// All names, grouped by length, and the offset at which each length begins.
    private let bytes: [UInt8]
    private let entries: [(start: Int, index: UInt64)]
    private let firstEntry: [Int]
    private let kinds: [(kind: SignedPayloadKind, members: UInt64)]
    /// The members that a plain payload must not have.
    private let notPlain: UInt64

    package init() {
        let fixed = ["signedDate", "receiptCreationDate", "environment", "receiptType", "bundleId"]
        let others = PayloadMembers.wanted.filter { !fixed.contains($0) }
        let names = fixed + others
        func mask(_ members: [String]) -> UInt64 {
            members.reduce(0) { mask, name in
                names.firstIndex(of: name).map { mask | 1 << UInt64($0) } ?? mask
            }
        }
        kinds = SignedPayloadKind.identifyingMembers.map { ($0.kind, mask($0.members)) }
        notPlain = mask(PayloadMembers.notificationParts)
        var (bytes, entries, firstEntry): ([UInt8], [(start: Int, index: UInt64)], [Int]) = ([], [], [])
        for length in 0...Self.longest {
            firstEntry.append(entries.count)
            for (index, name) in names.enumerated() where name.utf8.count == length {
                entries.append((bytes.count, UInt64(index)))
                bytes.append(contentsOf: name.utf8)
            }
        }
        firstEntry.append(entries.count)
        self.bytes = bytes
        self.entries = entries
        self.firstEntry = firstEntry
    }

    /// The index of the name; `nil` if it is not in the table.
    @inline(__always)
    func index(of name: Range<Int>, in text: Span<UInt8>) -> UInt64? {
        guard name.count <= Self.longest else { return nil }
        for entry in firstEntry[name.count]..<firstEntry[name.count + 1] {
            let (start, index) = entries[entry]
            var offset = 0
            while offset < name.count, bytes[start + offset] == text[name.lowerBound + offset] { offset += 1 }
            if offset == name.count { return index }
        }
        return nil
    }

    /// The kind of a payload that has these members; `nil` for notifications.
    @inline(__always)
    func kind(_ seen: UInt64) -> SignedPayloadKind? {
        guard seen & notPlain == 0 else { return nil }
        for (kind, members) in kinds where seen & members != 0 { return kind == .notification ? nil : kind }
        return .unknown
    }
}
