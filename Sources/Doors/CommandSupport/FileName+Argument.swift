package import ArgumentParser
package import Platform
internal import WireFormats

extension FileName: ExpressibleByArgument {
    package init(argument: String) { self.init(bytes: RawArgument.bytes(of: argument)) }

    /// How the help names a default.
    package var defaultValueDescription: String { text }

    /// Shells complete the names of files.
    package static var defaultCompletionKind: CompletionKind { .file() }

    /// The name for people, with hidden characters escaped.
    package var visible: String { HiddenCharacters.escaped(in: text) }
}

/// Text that is compared byte for byte.
package func parseText(_ argument: String) throws -> String {
    guard let text = RawArgument.text(of: argument) else {
        throw ValidationError("'\(argument)' is not UTF-8.")
    }
    return text
}
