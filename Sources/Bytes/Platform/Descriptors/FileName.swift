/// The name of a file, byte for byte as the system gave it. Not every name is UTF-8.
package struct FileName: Hashable, Sendable {
    /// The name that stands for standard input.
    package static let standardInput = FileName(bytes: [UInt8(ascii: "-")])

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter path: a name that is text.
    package init(path: String) { bytes = Array(path.utf8) }

    /// The name as text; different names give different texts. A byte that is not part of UTF-8 becomes
    /// `\xff`, and a backslash before an `x` becomes `\x5c`.
    package var text: String { RawArgument.written(bytes) }

    /// The name that a verdict gives: one alone is named only on request.
    package func label(among files: [FileName], always: Bool = false) -> FileName? {
        files.count > 1 || always && self != .standardInput ? self : nil
    }
}
