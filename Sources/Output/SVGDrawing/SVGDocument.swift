/// A drawing with its style sheet, as a document that needs no other file.
public struct SVGDocument: Sendable {
    private let size: (width: Int, height: Int)
    private let title: String
    private let summary: String?
    private let style: StaticString
    private let body: [SVGElement]

    /// - Parameters:
    ///   - width: the width, in pixels unless the page says otherwise.
    ///   - height: the height.
    ///   - title: the drawing's name for a screen reader.
    ///   - summary: the same as the drawing, in words. A screen reader has nothing else of it.
    ///   - style: the style sheet.
    ///   - body: the elements, the lowest first.
    public init(
        width: Int, height: Int, title: String, summary: String? = nil, style: StaticString,
        _ body: [SVGElement]
    ) {
        size = (width, height)
        self.title = title
        self.summary = summary
        self.style = style
        self.body = body
    }

    /// The document. Each element has a line.
    public var text: String {
        let open =
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(size.width) \#(size.height)" "#
            + #"width="\#(size.width)" height="\#(size.height)" role="img">"#
        var lines = [open, SVGElement("title", text: title).description]
        if let summary { lines.append(SVGElement("desc", text: summary).description) }
        lines.append("<style>\n\(style)\n</style>")
        return (lines + body.map(\.description) + ["</svg>"]).joined(separator: "\n") + "\n"
    }
}
