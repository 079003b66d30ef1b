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
