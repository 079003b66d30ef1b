/// Apple's conditions for an image (page "Upload Image"): a PNG file without transparency, and the size.
///
/// The image data is not read (ISO/IEC 15948, sections 5 and 11).
struct PNGImage {
    let width: Int
    let height: Int
    /// Whether no pixel can be transparent: there is neither an alpha channel nor a list of transparent colours.
    let isOpaque: Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// Reads the file's chunks; `nil` if it does not begin with a header, or ends within a chunk.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var rest = bytes.dropFirst(Self.signature.count)
        guard let header = Self.chunk(&rest), header.name == "IHDR", header.content.count == 13 else {
            return nil
        }
        let content = Array(header.content)
        width = Self.number(content[0..<4])
        height = Self.number(content[4..<8])
        guard width > 0, height > 0 else { return nil }
        // Colour types 4 and 6 have an alpha channel.
        var isOpaque = content[9] & 4 == 0
        while !rest.isEmpty {
            guard let chunk = Self.chunk(&rest) else { return nil }
            if chunk.name == "tRNS" { isOpaque = false }
            if chunk.name == "IEND" { break }
        }
        self.isOpaque = isOpaque
    }

    /// Whether it can stand above a message: 3840 pixels wide, and 160 to 2160 high.
    var isFullSize: Bool { width == 3840 && (160...2160).contains(height) }

    /// Takes the next chunk: its length, its name, its content and a checksum, which is not compared.
    private static func chunk(_ rest: inout ArraySlice<UInt8>) -> (name: String, content: ArraySlice<UInt8>)?
    {
        guard rest.count >= 12 else { return nil }
        let length = number(rest.prefix(4))
        guard length <= rest.count - 12 else { return nil }
        let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
        let content = rest.dropFirst(8).prefix(length)
        rest = rest.dropFirst(12 + length)
        return (name, content)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
