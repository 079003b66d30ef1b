import StrictJSON

/// A JSON text laid out on lines, its numbers and strings as they were written.
enum PrettyJSON {
    /// The text laid out; `nil` where it is not strict JSON.
    static func text(_ json: [UInt8]) -> String? {
        let source = json.span
        var reader = JSONReader(0..<json.count)
        var output = ""
        var isFirst = true
        var followsName = false
        func begin(_ depth: Int) {
            if !followsName, depth > 0 { output += (isFirst ? "\n" : ",\n") + spaces(depth) }
            followsName = false
            isFirst = false
        }
        do throws(JSONError) {
            while let event = try reader.next(in: source) {
                switch event {
                case .beginObject, .beginArray:
                    begin(reader.depth - 1)
                    output += event == .beginObject ? "{" : "["
                    isFirst = true
                case .endObject, .endArray:
                    if !isFirst { output += "\n" + spaces(reader.depth) }
                    output += event == .endObject ? "}" : "]"
                    isFirst = false
                case .name(let name):
                    begin(reader.depth)
                    output += "\"" + written(json[name.range]) + "\": "
                    followsName = true
                case .string(let string):
                    begin(reader.depth)
                    output += "\"" + written(json[string.range]) + "\""
                case .number(let range):
                    begin(reader.depth)
                    output += written(json[range])
                case .true, .false, .null:
                    begin(reader.depth)
                    output += event == .true ? "true" : event == .false ? "false" : "null"
                }
            }
        } catch {
            return nil
        }
        return output
    }

    private static func spaces(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private static func written(_ bytes: ArraySlice<UInt8>) -> String {
        visible(String(decoding: bytes, as: UTF8.self))
    }
}

/// Text for people, with every character escaped that could move a terminal's cursor, turn its writing around or hide.
func visible(_ text: String) -> String { HiddenCharacters.escaped(in: text) }
