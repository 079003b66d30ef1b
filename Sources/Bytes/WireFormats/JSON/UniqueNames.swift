extension JSONObject {
    /// The member names that must not occur twice.
    package enum UniqueNames: Sendable {
        /// Only the wanted names; `duplicates` lists those that occur again.
        case noted
        /// All names, also in nested objects: a second one is an error. RFC 7515, section 4, requires this of
        /// headers.
        case required
    }
}

/// The member names seen so far in each object: one open-addressing table for all of them.
///
/// No name is copied: the table holds their places in the text. It is kept small, because most of the time that it
/// takes goes into memory that is not at hand.
struct OpenObjectNames {
    private struct Object {
        let number: UInt32
        /// Its first name, until there is a second one that could be the same.
        var first: JSONString?
        var hasNames = false
    }

    /// A place in the text has 40 bits: no text of 2⁴⁰ bytes fits into memory.
    private static let placeBits: UInt64 = 40

    /// In the lower 40 bits a name's place, above them a part of its hash; 0 where there is none, since a text has a
    /// brace at place 0.
    private var slots: [UInt64] = []
    /// The object of the name in each slot.
    private var objects: [UInt32] = []
    /// The innermost last.
    private var open: [Object] = []
    private var objectCount: UInt32 = 0
    private let slotCount: Int

    /// - Parameter bytes: the length of the text.
    init(bytes: Int) {
        // A name takes four bytes at least (`{"":`), so that one slot stays free, at which a search ends.
        var slotCount = 16
        while slotCount <= bytes / 4 { slotCount *= 2 }
        self.slotCount = slotCount
    }

    /// Follows the text; throws at a name that the innermost object has already.
    @inline(__always)
    mutating func note(_ event: JSONEvent, in text: Span<UInt8>) throws(JSONError) {
        switch event {
        case .name(let name): try note(name, in: text)
        case .beginObject: beginObject()
        case .endObject: open.removeLast()
        default: break
        }
    }

    /// A new object is open.
    mutating func beginObject() {
        objectCount &+= 1
        open.append(Object(number: objectCount))
    }

    private mutating func note(_ name: JSONString, in text: Span<UInt8>) throws(JSONError) {
        let last = open.count - 1
        guard open[last].hasNames else {
            open[last].hasNames = true
            open[last].first = name
            return
        }
        if let first = open[last].first {
            open[last].first = nil
            _ = insert(first, in: text, object: open[last].number)
        }
        guard insert(name, in: text, object: open[last].number) else {
            throw JSONError(.duplicateName(name.value(in: text)), at: name.range.lowerBound - 1)
        }
    }

    /// Adds a name to an object; returns whether it was not there.
    private mutating func insert(_ name: JSONString, in text: Span<UInt8>, object: UInt32) -> Bool {
        if slots.isEmpty {
            slots = [UInt64](repeating: 0, count: slotCount)
            objects = [UInt32](repeating: 0, count: slotCount)
        }
        let hash = NameHash.hash(name, of: UInt64(object), in: text)
        let tag = hash >> Self.placeBits
        var index = Int(truncatingIfNeeded: hash) & (slotCount - 1)
        while slots[index] != 0 {
            if slots[index] >> Self.placeBits == tag, objects[index] == object {
                let place = Int(slots[index] & (1 << Self.placeBits - 1))
                if name.isSame(as: JSONString(startingAt: place, in: text), in: text) { return false }
            }
            index = (index + 1) & (slotCount - 1)
        }
        slots[index] = tag << Self.placeBits | UInt64(name.range.lowerBound)
        objects[index] = object
        return true
    }
}

/// Hashes names so that a sender cannot aim for collisions.
private enum NameHash {
    /// The prime 2⁶¹ − 1.
    private static let prime: UInt64 = 1 << 61 - 1
    /// Chosen by chance for each process.
    private static let point = UInt64.random(in: 1 << 32..<prime)

    /// A polynomial over the field of the prime, whose coefficients are the object and seven bytes of the name each, at
    /// the secret point: two names of n bytes collide with a probability of n / 2⁶¹.
    @inline(__always)
    static func hash(_ name: JSONString, of object: UInt64, in text: Span<UInt8>) -> UInt64 {
        let point = point
        var sum = product(object, point)
        // The leading one separates names of different lengths.
        var word: UInt64 = 1
        _ = name.forEachByte(in: text) { byte in
            word = word << 8 | UInt64(byte)
            if word >> 56 != 0 {
                sum = product(sum + word, point)
                word = 1
            }
            return true
        }
        return mixed(product(sum + word, point))
    }

    /// A product modulo the prime, below 2⁶²; both factors are below 2⁶³.
    @inline(__always)
    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        // The product is below 2¹²⁴: 2⁶¹ stands for one.
        let folded = (low & prime) + (high << 3 | low >> 61)
        return (folded & prime) + folded >> 61
    }

    /// Spreads the bits, by the finalizer of MurmurHash3: names that resemble each other get slots far apart.
    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value ^ value >> 33
        value = value &* 0xff51_afd7_ed55_8ccd
        return value ^ value >> 33
    }
}
