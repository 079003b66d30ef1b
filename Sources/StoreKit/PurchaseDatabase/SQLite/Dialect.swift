#if SQLite
    /// The words of the statements in `Tables` that SQLite alone understands. Another database would say them in
    /// its own way.
    enum Dialect {
        /// A set of values: the argument is a JSON array of them.
        static let list = "(SELECT value FROM json_each(?))"
        /// A blob of no bytes.
        static let noBytes = "x''"

        /// Whether a subject is a number: an original transaction. The others are texts: downloads.
        static func isNumber(_ column: String) -> String { "typeof(\(column)) = 'integer'" }

        /// The subjects that are numbers come before every text.
        static func isBeforeTexts(_ column: String) -> String { "\(column) < ''" }

        /// The lower of two values.
        static func lower(_ one: String, _ other: String) -> String { "min(\(one), \(other))" }

        /// Whether a text contains the argument.
        static func contains(_ column: String) -> String { "instr(\(column), ?) > 0" }
    }
#endif
