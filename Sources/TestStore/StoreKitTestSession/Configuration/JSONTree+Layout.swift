internal import WireFormats

extension JSONTree {
    /// The differences between files in Xcode's layout.
    struct Layout: Hashable, Sendable {
        /// Whether slashes are escaped, as some versions of Apple's writer do.
        var escapesSlashes = false
        /// Whether a line break ends the file.
        var endsWithLineBreak = true

        init() {}

        /// The layout of a file.
        init(of text: [UInt8]) {
            escapesSlashes = zip(text, text.dropFirst()).contains {
                $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "/")
            }
            endsWithLineBreak = text.last == UInt8(ascii: "\n")
        }
    }

    /// The document in the layout that Xcode gives to its files.
    func text(_ layout: Layout = Layout()) -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output, indent: 0, layout)
        if layout.endsWithLineBreak { output.append(UInt8(ascii: "\n")) }
        return output
    }

    private func append(to output: inout [UInt8], indent: Int, _ layout: Layout) {
        switch self {
        case .object(let members):
            Self.append(members, brackets: ("{", "}"), to: &output, indent: indent) { member, output in
                Self.append(member.name, to: &output, layout)
                output.append(contentsOf: " : ".utf8)
                member.value.append(to: &output, indent: indent + 2, layout)
            }
        case .array(let elements):
            Self.append(elements, brackets: ("[", "]"), to: &output, indent: indent) { element, output in
                element.append(to: &output, indent: indent + 2, layout)
            }
        case .string(let text): Self.append(text, to: &output, layout)
        case .number(let digits): output.append(contentsOf: digits.utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        }
    }

    private static func append(_ text: String, to output: inout [UInt8], _ layout: Layout) {
        let start = output.count
        appendJSON(text, to: &output)
        guard layout.escapesSlashes, text.utf8.contains(UInt8(ascii: "/")) else { return }
        let written = output[start...].flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
        output.replaceSubrange(start..., with: written)
    }

    private static func append<Element>(
        _ elements: [Element], brackets: (open: String, close: String), to output: inout [UInt8], indent: Int,
        _ appendElement: (Element, inout [UInt8]) -> Void
    ) {
        output.append(contentsOf: (brackets.open + "\n").utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(contentsOf: ",\n".utf8) }
            output.append(contentsOf: String(repeating: " ", count: indent + 2).utf8)
            appendElement(element, &output)
        }
        output.append(contentsOf: ("\n" + String(repeating: " ", count: indent) + brackets.close).utf8)
    }
}
