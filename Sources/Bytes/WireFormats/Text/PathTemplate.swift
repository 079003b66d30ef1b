/// A path of a server's table. A segment in braces, such as `{name}`, stands for any text that is not empty.
package struct PathTemplate: Sendable {
    /// The path as it was declared.
    package let text: String
    private let segments: [Substring]

    /// - Parameter text: begins with a slash.
    package init(_ text: String) {
        self.text = text
        segments = Self.segments(of: text)
    }

    /// Whether a segment is in braces. A path without one can be looked up by its text.
    package var hasParameters: Bool { segments.contains { $0.hasPrefix("{") } }

    /// Cuts a path at its slashes. It is still percent-encoded.
    package static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The decoded texts of a path, by the names in braces; `nil` if the path is another one.
    ///
    /// The other segments are compared as they were sent. Only parameters are decoded, so an encoded slash stays within
    /// one.
    ///
    /// - Parameter path: the path's segments.
    package func parameters(of path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (sent, own) in zip(path, segments) {
            if own.hasPrefix("{") {
                guard !sent.isEmpty, let text = PercentEncoding.decoded(sent) else { return nil }
                parameters[String(own.dropFirst().dropLast())] = text
            } else if sent != own {
                return nil
            }
        }
        return parameters
    }
}
