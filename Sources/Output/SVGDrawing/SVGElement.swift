/// An element of a drawing (SVG 1.1), written as XML.
///
/// Names are part of the program. Values and text may come from anywhere: they are escaped.
public struct SVGElement: Hashable, Sendable, CustomStringConvertible {
    /// The element as XML.
    public let description: String

    /// An element without content.
    ///
    /// - Parameters:
    ///   - name: the element's name.
    ///   - attributes: its attributes, in the order in which they are written.
    public init(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]) {
        description = "<" + Self.opening(name, attributes) + "/>"
    }

    /// An element with text.
    ///
    /// - Parameters:
    ///   - name: the element's name.
    ///   - attributes: its attributes, in the order in which they are written.
    ///   - text: the text.
    public init(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], text: String
    ) {
        description = "<\(Self.opening(name, attributes))>\(Self.escaped(text))</\(name)>"
    }

    /// An element with other elements in it.
    ///
    /// - Parameters:
    ///   - name: the element's name.
    ///   - attributes: its attributes, in the order in which they are written.
    ///   - content: the elements in it.
    public init(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], _ content: [SVGElement]
    ) {
        let inner = content.map(\.description).joined()
        description = "<\(Self.opening(name, attributes))>\(inner)</\(name)>"
    }

    private static func opening(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
    ) -> String {
        attributes.reduce(into: "\(name)") {
            $0 += " \($1.key)=\"\(escaped($1.value, isAttribute: true))\""
        }
    }

    /// Text as the content of an element or of an attribute between double quotes (XML 1.0, section 2.4).
    ///
    /// Characters that are hidden, change the direction of text or may not be in XML are written in the form
    /// `\u001b`, as in the command's messages.
    private static func escaped(_ text: String, isAttribute: Bool = false) -> String {
        var output: [UInt8] = []
        for byte in text.visible.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where isAttribute: output.append(contentsOf: "&quot;".utf8)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

/// A coordinate or a length, in the drawing's units.
public struct SVGLength: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number as an attribute's value, independent of the locale.
    public let description: String

    /// The largest magnitude that is written. No screen is larger.
    private static let maximum = 1_000_000.0

    /// A whole number.
    public init(_ number: Int) { description = "\(number)" }

    /// A whole number.
    public init(integerLiteral number: Int) { self.init(number) }

    /// A number with one decimal. One that is too large is limited to a million, and one that is not a number is 0.
    public init(_ number: Double) {
        let limited = number.isNaN ? 0 : min(max(number, -Self.maximum), Self.maximum)
        let tenths = Int((limited * 10).rounded())
        description = (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension SVGElement {
    /// Text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - kind: the names of its classes in the style sheet.
    ///   - x: the place of its beginning, or of the point that the style's `text-anchor` names.
    ///   - y: its base line.
    public static func text(_ text: String, _ kind: String, x: SVGLength, y: SVGLength) -> SVGElement {
        SVGElement("text", ["class": kind, "x": x.description, "y": y.description], text: text)
    }

    /// A straight line.
    ///
    /// - Parameters:
    ///   - kind: the names of its classes in the style sheet.
    ///   - x1: where it begins.
    ///   - y1: where it begins.
    ///   - x2: where it ends.
    ///   - y2: where it ends.
    public static func line(
        _ kind: String, x1: SVGLength, y1: SVGLength, x2: SVGLength, y2: SVGLength
    ) -> SVGElement {
        SVGElement(
            "line",
            [
                "class": kind, "x1": x1.description, "y1": y1.description, "x2": x2.description,
                "y2": y2.description,
            ])
    }

    /// A rectangle with round corners.
    ///
    /// - Parameters:
    ///   - kind: the names of its classes in the style sheet.
    ///   - x: its left edge.
    ///   - y: its upper edge.
    ///   - width: its width.
    ///   - height: its height.
    ///   - radius: the radius of its corners.
    ///   - title: the text that a pointer shows over it; `nil` for no text.
    public static func rectangle(
        _ kind: String, x: SVGLength, y: SVGLength, width: SVGLength, height: SVGLength, radius: SVGLength,
        title: String? = nil
    ) -> SVGElement {
        let attributes: KeyValuePairs<StaticString, String> = [
            "class": kind, "x": x.description, "y": y.description, "width": width.description,
            "height": height.description, "rx": radius.description,
        ]
        guard let title else { return SVGElement("rect", attributes) }
        return SVGElement("rect", attributes, [SVGElement("title", text: title)])
    }
}
