/// Colour and signs, if the reader wants them.
package struct TerminalStyle {
    private let isColored: Bool

    /// - Parameters:
    ///   - isColored: whether the output is a terminal.
    ///   - environment: the variables. `NO_COLOR` (<https://no-color.org>) and `TERM=dumb` turn colour off.
    package init(isColored: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        self.isColored = isColored && !isRefused && environment["TERM"] != "dumb"
    }

    package func bold(_ text: String) -> String { wrapped(text, "1") }
    package func faint(_ text: String) -> String { wrapped(text, "2") }
    package func good(_ text: String) -> String { wrapped(text, "32") }
    package func bad(_ text: String) -> String { wrapped(text, "1;31") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
