/// Writes objects of payloads by StoreKit's names. It reuses its memory, and allocates nothing for ordinary
/// values.
package struct ObjectWriter: Sendable {
    package let form: PayloadForm
    private var object: JSONObject
    /// Whether there was an object to read.
    private var isPresent = false
    private var inner: [ObjectWriter]
    /// The value of a member that an object lacks, as JSON.
    package var absent: (member: Int, json: [UInt8])?

    /// Makes a writer of a form.
    package init(_ form: PayloadForm) {
        self.form = form
        object = JSONObject(wanted: form.names)
        inner = form.inner.map(ObjectWriter.init)
    }

    /// The value of a member of the object that was read last, by the number of its name; `nil` for a name that the
    /// form does not have.
    package subscript(member: Int?) -> JSONValue? {
        // Nothing changes; the compiler would copy a writer that it may not change.
        mutating get { isPresent ? member.flatMap { object[$0] } : nil }
    }

    /// Reads an object of a payload that was checked before.
    ///
    /// - Returns: whether there is one.
    package mutating func read(_ value: JSONValue?, of json: Span<UInt8>) -> Bool {
        guard case .object(let range)? = value else {
            isPresent = false
            return false
        }
        isPresent = (try? object.read(json, in: range, isChecked: true)) != nil
        return isPresent
    }

    /// Appends an object of a payload that was checked before.
    ///
    /// - Returns: whether there is one, and it has its required members. Otherwise the output is as it was.
    package mutating func append(_ value: JSONValue?, of json: Span<UInt8>, to output: inout [UInt8]) -> Bool
    {
        let start = output.count
        guard read(value, of: json) else { return false }
        guard appendProperties(of: json, to: &output) == nil else {
            output.removeLast(output.count - start)
            return false
        }
        output.closeObject(from: start)
        return true
    }

    /// Appends the properties of the object that was read, each with a comma before it.
    ///
    /// - Returns: the required member that the object lacks.
    package mutating func appendProperties(of json: Span<UInt8>, to output: inout [UInt8]) -> String? {
        guard isPresent else { return nil }
        return appendRows(form.rows.indices, of: json, to: &output).map {
            form.names.names[form.rows[$0].member]
        }
    }

    /// - Returns: the row whose required member is absent.
    private mutating func appendRows(_ rows: Range<Int>, of json: Span<UInt8>, to output: inout [UInt8])
        -> Int?
    {
        // Local values, which the compiler knows to stay the same.
        let (table, keys) = (form.rows, form.keys)
        var index = rows.lowerBound
        while index < rows.upperBound {
            let row = table[index]
            if !appendRow(row, at: index, keys.span.extracting(row.key), of: json, to: &output),
                row.isRequired
            {
                return index
            }
            index += 1 + row.groupCount
        }
        return nil
    }

    /// Appends a property with its name; returns whether it has a value.
    @inline(__always)
    private mutating func appendRow(
        _ row: PayloadForm.Row, at index: Int, _ key: Span<UInt8>, of json: Span<UInt8>,
        to output: inout [UInt8]
    ) -> Bool {
        if let needed = row.needed, object[needed] == nil { return false }
        let start = output.count
        if row.form != .together { output.append(key) }
        let isWritten =
            row.groupCount > 0
            ? appendGroup(index, of: json, to: &output) : append(row, of: json, to: &output)
        if isWritten { return true }
        output.removeLast(output.count - start)
        guard let absent, row.groupCount == 0, absent.member == row.member else { return false }
        output.append(key)
        output.append(absent.json.span)
        return true
    }

    private mutating func appendGroup(_ index: Int, of json: Span<UInt8>, to output: inout [UInt8]) -> Bool {
        let start = output.count
        let row = form.rows[index]
        guard appendRows(index + 1..<index + 1 + row.groupCount, of: json, to: &output) == nil else {
            return false
        }
        if row.form == .group { output.closeObject(from: start) }
        return true
    }

    /// Appends the value of a property; returns whether it has one.
    @inline(__always)
    private mutating func append(_ row: PayloadForm.Row, of json: Span<UInt8>, to output: inout [UInt8])
        -> Bool
    {
        if let condition = row.condition, !isOne(object[condition], json) { return false }
        let value = object[row.member]
        switch row.form {
        case .object: return inner[row.inner].append(value, of: json, to: &output)
        case .objects:
            return output.append(elementsOf: value, of: json) {
                inner[row.inner].append($0, of: json, to: &$1)
            }
        case .texts: return output.append(elementsOf: value, of: json) { $1.append(text: $0, of: json) }
        case .uuids: return output.append(elementsOf: value, of: json) { $1.append(uuid: $0, of: json) }
        case .text: return output.append(text: value, of: json)
        case .textUnlessEmpty: return value?.isEmptyText != true && output.append(text: value, of: json)
        case .textOrEmpty: return output.append(text: value, of: json) || output.append(literal: "\"\"")
        case .identifier: return output.append(identifier: value, of: json)
        case .identifierUnlessZero: return output.append(identifier: value, of: json, orZero: false)
        case .count: return output.append(count: value, of: json)
        case .integer: return output.append(integer: value, of: json)
        case .integerOrOne: return output.append(integer: value, of: json) || output.append(literal: "1")
        case .flag: return output.append(literal: value == .true ? "true" : "false")
        case .isOne: return output.append(literal: isOne(value, json) ? "true" : "false")
        case .thousandths: return output.append(thousandths: value, of: json)
        case .decimal: return output.append(decimal: value, of: json)
        case .date: return output.append(date: value, of: json)
        case .revocation:
            guard let value, value != .null else { return false }
            guard value.calendarMilliseconds(in: json) == nil else {
                return output.append(date: value, of: json)
            }
            return output.append(literal: "\"0001-01-01T00:00:00.000Z\"")
        case .dateUnlessEpoch: return output.append(date: value, of: json, orEpoch: false)
        case .uuid: return output.append(uuid: value, of: json)
        case .uuidOrNil:
            return output.append(uuid: value, of: json)
                || output.append(literal: "\"00000000-0000-0000-0000-000000000000\"")
        case .period: return output.append(period: value, of: json)
        case .bytes: return output.append(base64: value, of: json)
        case .word:
            let word = form.words[row.inner](value?.number(in: json))
            return output.append(literal: "\"") && output.append(literal: word)
                && output.append(literal: "\"")
        case .group, .together: return false
        }
    }

    private func isOne(_ value: JSONValue?, _ json: Span<UInt8>) -> Bool { value?.number(in: json) == 1 }
}
