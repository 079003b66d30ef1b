import WireFormats

/// Base64 and base64url: our two decoders on the same text. An accepted text must be the only one that
/// encodes to the bytes. A decoder must not write outside its part of the output.
package struct Base64Target: FuzzTarget {
    package static let name = "base64url"

    private let decoders = [
        (alphabet: Base64.Alphabet.url, decoder: Base64Decoder(alphabet: .url)),
        (.standard, Base64Decoder(alphabet: .standard)),
        (.url, Base64Decoder(alphabet: .url, widestVectors: 256)),
    ]

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        for (alphabet, decoder) in decoders {
            try checkDecoding(input, alphabet, decoder)
            try checkRoundTrip(input, alphabet, decoder)
        }
    }

    private func checkDecoding(
        _ text: [UInt8], _ alphabet: Base64.Alphabet, _ decoder: Base64Decoder
    ) throws(Violation) {
        // The text stands among other characters, which must not matter.
        let around = Array("-A.=".utf8)
        let surrounded = around + text + around
        let range = around.count..<around.count + text.count
        let bytes = try? Base64.decode(surrounded.span, in: range, alphabet: alphabet)
        if let bytes {
            try expect(Self.encoded(bytes, alphabet) == text, "\(alphabet): decodes what encodes otherwise")
        }
        let start = 5
        var output = [UInt8](repeating: 0xa5, count: start + (decoder.byteCount(of: text.span) ?? 0))
        let untouched = output.prefix(start)
        let isRight = decoder.decode(text.span, into: &output, at: start)
        try expect(isRight == (bytes != nil), "\(alphabet): one decoder says \(isRight), the other not")
        try expect(output.prefix(start) == untouched, "\(alphabet): bytes before the place were changed")
        if let bytes, isRight {
            try expect(Array(output[start...]) == bytes, "\(alphabet): the decoders disagree on the bytes")
        }
        guard output.count > start else { return }
        var small = Array(output.dropLast())
        try expect(!decoder.decode(text.span, into: &small, at: start), "\(alphabet): decodes without room")
    }

    private func checkRoundTrip(
        _ bytes: [UInt8], _ alphabet: Base64.Alphabet, _ decoder: Base64Decoder
    ) throws(Violation) {
        let text = Self.encoded(bytes, alphabet)
        if alphabet == .standard {
            let ours = [UInt8](capacity: text.count) { Base64.append(bytes.span, to: &$0) }
            try expect(ours == text, "standard: encodes otherwise")
        }
        let decoded = try? Base64.decode(text.span, in: 0..<text.count, alphabet: alphabet)
        try expect(decoded == bytes, "\(alphabet): does not decode what was encoded")
        var output = [UInt8](repeating: 0, count: bytes.count)
        let isRight = decoder.decode(text.span, into: &output, at: 0)
        try expect(isRight && output == bytes, "\(alphabet): does not decode at speed what was encoded")
    }

    private static func encoded(_ bytes: [UInt8], _ alphabet: Base64.Alphabet) -> [UInt8] {
        alphabet == .url ? Base64URL.encoded(bytes) : Base64URL.encodedStandard(bytes)
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] {
        line.split(separator: UInt8(ascii: ".")).filter { $0.count < 1024 }.map(Array.init)
    }

    package func mutate(_ input: [UInt8], _ tools: inout MutationTools) -> [UInt8] {
        switch tools.below(4) {
        case 0: return tools.havoc(input)
        case 1: return Self.encoded(tools.havoc(input), .url)
        case 2: return Self.encoded(tools.havoc(input), .standard)
        default:
            // A valid text, or one with a single wrong character.
            var text = Self.encoded(input, tools.oneIn(2) ? .url : .standard)
            if !text.isEmpty { text[tools.below(text.count)] = UInt8(tools.below(256)) }
            return text
        }
    }
}
