package import WireFormats

/// The product's former way to find members in an object, as an oracle for today's `JSONObject`. Names are compared
/// with plain arrays and sets, which the product did not do.
package struct FormerJSONObject {
    /// The object's range in the text.
    package let range: Range<Int>
    /// The wanted names that occur more than once.
    package private(set) var duplicates: [String] = []
    /// The value of each wanted member that was found.
    package private(set) var values: [JSONValue?]
    private let wanted: [[UInt8]]
    /// The names that each open object has so far, the innermost last; `nil` if they may occur twice.
    private var openNames: [Set<[UInt8]>]?

    /// Checks that the range holds exactly one JSON object, and finds the wanted members.
    package init(
        _ text: Span<UInt8>, in range: Range<Int>? = nil, wanted: [[UInt8]], requiresUniqueNames: Bool = false
    ) throws(JSONError) {
        let whole = range ?? 0..<text.count
        self.range = whole
        self.wanted = wanted
        values = [JSONValue?](repeating: nil, count: wanted.count)
        var reader = FormerJSONReader(whole)
        guard let first = try reader.next(in: text) else {
            throw JSONError(.unexpectedEnd(expected: .object), at: whole.lowerBound)
        }
        guard first == .beginObject else {
            while try reader.next(in: text) != nil {}
            let start = Self.start(of: whole, in: text)
            throw JSONError(.unexpectedByte(text[start], expected: .object), at: start)
        }
        if requiresUniqueNames { openNames = [[]] }
        try readMembers(with: &reader, from: text)
        openNames = nil
    }

    private mutating func readMembers(
        with reader: inout FormerJSONReader, from text: Span<UInt8>
    ) throws(JSONError) {
        var pending: Int?
        var containerStart = 0
        while let event = try reader.next(in: text) {
            try note(event, in: text)
            // What stands deeper only has to be JSON.
            guard reader.depth <= 2 else { continue }
            if reader.depth == 2 {
                if event == .beginObject || event == .beginArray { containerStart = reader.position - 1 }
                continue
            }
            switch event {
            case .name(let name):
                let bytes = name.bytes(in: text)
                pending = wanted.firstIndex(of: bytes)
            case .beginObject, .beginArray: break
            case .endObject: keep(.object(containerStart..<reader.position), &pending)
            case .endArray: keep(.array(containerStart..<reader.position), &pending)
            case .string(let string): keep(.string(string), &pending)
            case .number(let number): keep(.number(number), &pending)
            case .true: keep(.true, &pending)
            case .false: keep(.false, &pending)
            case .null: keep(.null, &pending)
            }
        }
    }

    /// Keeps the value of the member that was named last, if that one is wanted.
    private mutating func keep(_ value: JSONValue, _ pending: inout Int?) {
        guard let index = pending else { return }
        pending = nil
        guard values[index] == nil else {
            let name = String(decoding: wanted[index], as: UTF8.self)
            if !duplicates.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { duplicates.append(name) }
            return
        }
        values[index] = value
    }

    /// Throws at a name that the innermost object has already.
    private mutating func note(_ event: JSONEvent, in text: Span<UInt8>) throws(JSONError) {
        guard let innermost = openNames.map({ $0.count - 1 }) else { return }
        switch event {
        case .beginObject: openNames?.append([])
        case .endObject: openNames?.removeLast()
        case .name(let name):
            if openNames?[innermost].insert(name.bytes(in: text)).inserted == false {
                throw JSONError(.duplicateName(name.value(in: text)), at: name.range.lowerBound - 1)
            }
        default: break
        }
    }

    private static func start(of range: Range<Int>, in text: Span<UInt8>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound - 1, text[index] <= 0x20 { index += 1 }
        return index
    }
}
