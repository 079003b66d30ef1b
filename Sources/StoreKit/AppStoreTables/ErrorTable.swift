/// The errors of one of Apple's APIs for servers: the client names the codes of answers by it, and the test store answers
/// with its messages.
package struct ErrorTable: Sendable {
    /// A line of Apple's page.
    package struct Entry: Hashable, Sendable {
        /// The number. Its first three digits are the HTTP status, except in reports of external purchases.
        package let code: Int
        /// Apple's name, without the word "Error" at its end.
        package let name: String
        /// Apple's sentence, which clients may show.
        package let message: String
    }

    /// The entries, by their numbers.
    package let entries: [Int: Entry]

    /// - Parameter text: a line for each error: its number, its name and its message, as in `1 NotFound: It was not found.`
    init(_ text: String) {
        var entries: [Int: Entry] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let code = Int(parts[0]), parts[1].last == ":" else { continue }
            entries[code] = Entry(code: code, name: String(parts[1].dropLast()), message: String(parts[2]))
        }
        self.entries = entries
    }

    /// The entry of a code; `nil` if Apple's page does not have it.
    package subscript(code: Int) -> Entry? { entries[code] }

    /// The entry of a code that the table has: its texts are empty otherwise, and a test asks for every code.
    package func entry(of code: Int) -> Entry { entries[code] ?? Entry(code: code, name: "", message: "") }

    /// The codes of which Apple says that the same request may be sent again.
    package static let retryable: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001]
}
