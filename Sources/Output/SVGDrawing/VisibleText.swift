internal import WireFormats

extension String {
    /// The text with hidden characters, and those that change the direction of text or may not be in XML, in the form
    /// `\u001b`, as in the command's messages. It stands apart from `SVGElement`, which the benchmarks compile without this.
    var visible: String { HiddenCharacters.escaped(in: self) }
}
