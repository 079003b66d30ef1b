/// A piece of a JSON text. Ranges are byte offsets in the text.
package enum JSONEvent: Hashable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    case name(JSONString)
    case string(JSONString)
    case number(Range<Int>)
    case `true`
    case `false`
    case null
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
