import ArgumentParser
import VerificationReports

/// The name of a file, byte for byte as the system gave it. Not every name is UTF-8.
struct FileName: Hashable, Sendable, ExpressibleByArgument {
    /// The name that stands for standard input.
    static let standardInput = FileName(bytes: [UInt8(ascii: "-")])

    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(argument: String) { bytes = RawArgument.bytes(of: argument) }

    /// How the help names a default.
    var defaultValueDescription: String { text }

    /// Shells complete the names of files.
    static var defaultCompletionKind: CompletionKind { .file() }

    /// The name as text; different names give different texts. A byte that is not part of UTF-8 becomes
    /// `\xff`, and a backslash before an `x` becomes `\x5c`.
    var text: String { RawArgument.written(bytes) }

    /// The name that a verdict gives: one alone is named only on request.
    func label(among files: [FileName], always: Bool = false) -> FileName? {
        files.count > 1 || always && self != .standardInput ? self : nil
    }

    /// The name for people, with hidden characters escaped.
    var visible: String { VerificationReports.visible(text) }
}
