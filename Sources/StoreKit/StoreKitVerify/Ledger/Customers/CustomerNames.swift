package import WireFormats

/// Several customers, as a program lists them: a JSON array, or a line for each.
///
/// An element of the array is a name, or an array of names of one person. A line is one name, with or without the
/// quotation marks of JSON.
package struct CustomerNames: Hashable, Sendable {
    /// Why a list is refused.
    package enum Failure: Error, Hashable, Sendable {
        /// There is no name.
        case empty
        /// There are more customers, or more names of one, than the caller takes.
        case tooMany
        /// The body begins with [ but is not a valid JSON array.
        case notJSON(JSONError)
        /// An element is not a name: the place of the customer in the list, from 1.
        case noName(place: Int)
    }

    /// The names of each customer, in the order of the list. Each customer has a name.
    package private(set) var customers: [[Customer.Name]] = []
    private let maximum: Int

    /// - Parameters:
    ///   - body: the list.
    ///   - maximum: how many customers the caller takes, and how many names each may have.
    package init(_ body: [UInt8], atMost maximum: Int) throws(Failure) {
        self.maximum = maximum
        if body.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: "[") {
            for element in try Self.elements(of: body) { try add(element.elements ?? [element]) }
        } else {
            var scanner = LineScanner(LineLimits(maximumTokenBytes: .max))
            while let line = scanner.next(in: body.span, to: body.count, isAtEnd: true) {
                try add([Self.text(Array(body[line.place]))])
            }
        }
        guard !customers.isEmpty else { throw .empty }
    }

    private static func elements(of body: [UInt8]) throws(Failure) -> [JSONTree] {
        do throws(JSONError) {
            return try JSONTree(body.span).elements ?? []
        } catch {
            throw .notJSON(error)
        }
    }

    /// The text of a line: a JSON string's, or the line itself.
    private static func text(_ line: [UInt8]) -> JSONTree {
        (try? JSONTree(line.span)) ?? .string(String(decoding: line, as: UTF8.self))
    }

    private mutating func add(_ texts: [JSONTree]) throws(Failure) {
        guard customers.count < maximum, texts.count <= maximum else { throw .tooMany }
        let names = texts.compactMap { $0.stringValue.flatMap { Customer.Name($0) } }
        guard !names.isEmpty, names.count == texts.count else { throw .noName(place: customers.count + 1) }
        customers.append(names)
    }
}
