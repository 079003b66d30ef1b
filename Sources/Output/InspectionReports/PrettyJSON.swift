internal import WireFormats

/// A JSON text laid out on lines. Its numbers and strings stay as they were written.
struct PrettyJSON {
    /// The notes beside the values of a text, and the texts in place of them.
    struct Notes {
        /// The note beside the number of this member; `nil` for no note.
        var number: (_ member: String, _ written: String) -> String? = { _, _ in nil }
        /// The text in place of the string at this path; `nil` to show the string itself.
        var string: (_ path: [String], _ byteCount: Int) -> String? = { _, _ in nil }
    }

    /// A line and the note beside it.
    private struct Line {
        var text: String
        var note: String?
    }

    /// The longest string or number that a line shows in full. Longer values are base64 or an attack, and
    /// `--json` shows them in full.
    private static let maximumBytes = 160
    /// The last column in which notes may begin. A note of 24 characters, a date, then fits on a line of 80.
    private static let maximumNoteColumn = 50
    /// How many bytes of a longer value are shown.
    private static let shownBytes = 48

    private let json: [UInt8]
    private let notes: Notes
    private var lines = [Line(text: "")]
    /// The member names that lead to the current place; empty for the elements of arrays.
    private var path: [String] = []
    private var isFirst = true
    private var followsName = false

    private init(_ json: [UInt8], _ notes: Notes) {
        self.json = json
        self.notes = notes
    }

    /// The lines without the braces of the outermost object; `nil` if the text is not strict JSON.
    static func lines(_ json: [UInt8], notes: Notes, style: TerminalStyle) -> [String]? {
        var layout = PrettyJSON(json, notes)
        do throws(JSONError) {
            try layout.read()
        } catch {
            return nil
        }
        layout.dropOuterBraces()
        return layout.joinedLines(style)
    }

    /// Drops the outermost braces. The title above takes their place, and each payload needs two lines less.
    private mutating func dropOuterBraces() {
        guard lines.count > 2, lines.first?.text == "{", lines.last?.text == "}" else { return }
        lines = lines.dropFirst().dropLast().map { Line(text: String($0.text.dropFirst(2)), note: $0.note) }
    }

    /// The lines with their notes in one column. Notes of longer lines follow their line.
    private func joinedLines(_ style: TerminalStyle) -> [String] {
        let widths = lines.compactMap { $0.note == nil ? nil : $0.text.count }
        let column = widths.filter { $0 <= Self.maximumNoteColumn }.max() ?? 0
        return lines.map { line in
            guard let note = line.note else { return line.text }
            return TextLayout.padded(line.text, column + 2) + style.faint("// " + note)
        }
    }

    private mutating func read() throws(JSONError) {
        var reader = JSONReader(0..<json.count)
        while let event = try reader.next(in: json.span) {
            switch event {
            case .beginObject, .beginArray:
                begin(reader.depth - 1)
                append(event == .beginObject ? "{" : "[")
                path.append("")
                isFirst = true
            case .endObject, .endArray:
                if !isFirst { lines.append(Line(text: TextLayout.spaces(2 * reader.depth))) }
                append(event == .endObject ? "}" : "]")
                path.removeLast()
                isFirst = false
            case .name(let name):
                begin(reader.depth)
                path[path.count - 1] = name.value(in: json.span)
                append("\"" + written(name.range) + "\": ")
                followsName = true
            case .string(let string):
                begin(reader.depth)
                append(text(of: string))
            case .number(let range):
                begin(reader.depth)
                append(written(range))
                lines[lines.count - 1].note = note(onNumber: range)
            case .true, .false, .null:
                begin(reader.depth)
                append(event == .true ? "true" : event == .false ? "false" : "null")
            }
        }
    }

    /// Begins a line for a name, or for a value without one.
    private mutating func begin(_ depth: Int) {
        if !followsName, depth > 0 {
            if !isFirst { append(",") }
            lines.append(Line(text: TextLayout.spaces(2 * depth)))
        }
        followsName = false
        isFirst = false
    }

    private mutating func append(_ text: String) { lines[lines.count - 1].text += text }

    private func text(of string: JSONString) -> String {
        notes.string(path, string.range.count) ?? "\"" + written(string.range, closing: "\"")
    }

    private func note(onNumber range: Range<Int>) -> String? {
        guard let member = path.last, !member.isEmpty, range.count <= Self.maximumBytes else { return nil }
        return notes.number(member, String(decoding: json[range], as: UTF8.self))
    }

    /// The text in a range, cut if it is long.
    private func written(_ range: Range<Int>, closing: String = "") -> String {
        guard range.count > Self.maximumBytes else {
            return visible(String(decoding: json[range], as: UTF8.self)) + closing
        }
        // A cut inside a character leaves a harmless replacement character.
        let start = String(decoding: json[range.prefix(Self.shownBytes)], as: UTF8.self)
        return visible(start) + "…" + closing
            + " (\(TextLayout.bytes(range.count)), cut here; --json has them all)"
    }
}
