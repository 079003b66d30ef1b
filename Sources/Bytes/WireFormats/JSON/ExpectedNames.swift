/// The member names that followed each other in the objects read so far. The next object most likely has them again, and
/// then a name is compared with the expected one, instead of being read and looked up.
///
/// This is only about speed: a name that is not the expected one, to the byte, is read as usual.
struct ExpectedNames: Sendable {
    /// A name as most writers write it: between quotation marks, without escapes, a colon right behind it.
    struct Name: Sendable {
        /// The length in bytes, with marks and colon; 0 if there is no name.
        fileprivate(set) var count = 0
        /// The name's number among the wanted ones; `nil` for another name.
        fileprivate(set) var index: Int?
        /// The bytes: the first eight, two words at `middle`, and the last eight. They overlap unless there are 32.
        fileprivate var words = InlineArray<4, UInt64>(repeating: 0)
        fileprivate var middle = (8, 16)
        /// The place of the names that follow this one.
        fileprivate var place = 0

        /// The range of the name without marks, if its colon ends here.
        @inline(__always)
        func range(endingAt end: Int) -> Range<Int> { end &- count &+ 1..<end &- 2 }
    }

    /// Names of fewer bytes, with marks and colon, are read as usual.
    private static let minimum = 8
    /// Names of more bytes are read as usual, too, because there are four words. Of Apple's names, only a few about
    /// commitments are longer.
    private static let maximum = 32
    private static let places = 64

    /// Two names for each place, the later one first: an optional member, and the member that follows if it is absent.
    private var names: [Name] = []
    private var place = 0

    mutating func beginObject() {
        if names.isEmpty { names = Array(repeating: Name(), count: 2 * Self.places) }
        place = 0
    }

    /// The expected name, if it is the one that begins here.
    @inline(__always)
    mutating func match(_ text: Span<UInt8>, at start: Int, before end: Int) -> Name? {
        guard !names.isEmpty else { return nil }
        let first = 2 * place
        let number = begins(first, text, start, end) ? first : first + 1
        guard number == first || begins(number, text, start, end) else { return nil }
        place = names[number].place
        return names[number]
    }

    /// Whether a name is the one that begins here.
    @inline(__always)
    private func begins(_ number: Int, _ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let names = names.span
        let (count, middle) = (names[number].count, names[number].middle)
        guard count > 0, count <= end &- start else { return false }
        return Self.word(text, at: start) == names[number].words[0]
            && Self.word(text, at: start &+ middle.0) == names[number].words[1]
            && Self.word(text, at: start &+ middle.1) == names[number].words[2]
            && Self.word(text, at: start &+ count &- 8) == names[number].words[3]
    }

    /// Expects a name, which was read as usual, behind the one before it.
    ///
    /// - Parameters:
    ///   - range: the name's range with its marks, and as far as behind the colon.
    ///   - index: its number among the wanted names.
    mutating func learn(_ name: JSONString, _ range: Range<Int>, index: Int?, in text: Span<UInt8>) {
        guard !names.isEmpty else { return }
        let isUsual = !name.hasEscapes && range.count == name.range.count + 3
        guard isUsual, (Self.minimum...Self.maximum).contains(range.count) else { return place = 0 }
        let last = range.count - 8
        let middle = (min(8, last), min(16, last))
        let words: InlineArray<4, UInt64> = [
            Self.word(text, at: range.lowerBound), Self.word(text, at: range.lowerBound + middle.0),
            Self.word(text, at: range.lowerBound + middle.1), Self.word(text, at: range.lowerBound + last),
        ]
        // The fraction of the golden ratio spreads the sums evenly. The first place is that of an object's beginning.
        let sum = (words[0] ^ words[1] &+ words[2] ^ words[3]) &* 0x9e37_79b9_7f4a_7c15
        let next = 1 + Int(sum >> 32) % (Self.places - 1)
        names[2 * place + 1] = names[2 * place]
        names[2 * place] = Name(count: range.count, index: index, words: words, middle: middle, place: next)
        place = next
    }

    @inline(__always)
    private static func word(_ text: Span<UInt8>, at start: Int) -> UInt64 {
        unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    }
}
