#if SQLite
    internal import Foundation
    internal import WireFormats

    /// A notification's body as the file keeps it: an eighth of its bytes.
    ///
    /// The App Store's body is a token with two others inside. Most of it is three copies of the signer's header, and
    /// base64 of base64. A packed body names the headers, which the file has once, and holds base64url as
    /// bytes. Unpacked, it is the body byte for byte; a body for which that does not hold is kept as it is.
    ///
    /// It is the byte 1, the body's length, the number of headers and their numbers in the file, and parts. A part is
    /// its kind and a number: of a literal, the bytes that follow; of a header, its place among those; of base64url,
    /// the bytes of the parts inside that follow. Numbers are in LEB128.
    struct PackedBody {
        /// The first byte. No JSON and no token begins with it.
        private static let mark: UInt8 = 1
        /// The longest body that is unpacked, in bytes: the length that a file gives is a claim. Bodies that come are
        /// shorter than the longest token and some white space.
        private static let maximumBytes = 64 << 20

        private enum Kind: UInt8 { case literal, header, base64url }

        /// The headers that it names, which need numbers in the file.
        let headers: [String]
        private let parts: [UInt8]
        private let length: Int

        /// Packs a body; `nil` if it cannot be unpacked again, or has none of the headers.
        ///
        /// - Parameter headers: the headers of the verified tokens inside, in base64url.
        init?(_ body: [UInt8], headers: Set<String>) {
            self.headers = headers.sorted()
            let places = Dictionary(
                uniqueKeysWithValues: self.headers.enumerated().map { (Array($1.utf8), $0) })
            parts = Self.parts(of: body, places)
            length = body.count
            var unpacking = Unpacking(headers: self.headers.map { Array($0.utf8) }, maximumBytes: length)
            guard parts.count < body.count, unpacking.append(parts[...]), unpacking.bytes == body else {
                return nil
            }
        }

        /// The bytes for the file.
        ///
        /// - Parameter numbers: those of the headers in the file, in their order.
        func bytes(_ numbers: [Int64]) -> Data {
            var bytes = [Self.mark]
            Self.append(length, to: &bytes)
            Self.append(numbers.count, to: &bytes)
            for number in numbers { Self.append(Int(number), to: &bytes) }
            return Data(bytes + parts)
        }

        /// The body that a file's bytes stand for; `nil` if they are no packed body.
        ///
        /// - Parameter header: gives the text of a header by its number.
        static func body(of stored: Data, header: (Int64) throws -> String?) rethrows -> Data? {
            guard stored.first == mark else { return stored }
            var rest = Array(stored)[1...]
            guard let length = number(&rest), length <= maximumBytes, let count = number(&rest),
                count <= rest.count
            else { return nil }
            var headers: [[UInt8]] = []
            for _ in 0..<count {
                guard let number = number(&rest), let text = try header(Int64(number)) else { return nil }
                headers.append(Array(text.utf8))
            }
            var unpacking = Unpacking(headers: headers, maximumBytes: length)
            guard unpacking.append(rest), unpacking.bytes.count == length else { return nil }
            return Data(unpacking.bytes)
        }

        // MARK: - Packing

        /// A token stands behind each occurrence of a header: its payload is packed in the same way.
        private static func parts(of text: [UInt8], _ headers: [[UInt8]: Int]) -> [UInt8] {
            var (parts, written, position): ([UInt8], Int, Int) = ([], 0, 0)
            while let dot = text[position...].firstIndex(of: UInt8(ascii: ".")) {
                defer { position = max(position, dot + 1) }
                let start = text[..<dot].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
                guard start >= written, let header = headers[Array(text[start..<dot])],
                    let payload = segment(of: text, from: dot + 1),
                    text[payload.end...].first == UInt8(ascii: "."),
                    let signature = segment(of: text, from: payload.end + 1)
                else { continue }
                appendLiteral(text[written..<start], to: &parts)
                parts.append(Kind.header.rawValue)
                append(header, to: &parts)
                for segment in [payload, signature] {
                    appendLiteral([UInt8(ascii: ".")], to: &parts)
                    let inside = Self.parts(of: segment.bytes, headers)
                    parts.append(Kind.base64url.rawValue)
                    append(inside.count, to: &parts)
                    parts += inside
                }
                (written, position) = (signature.end, signature.end)
            }
            appendLiteral(text[written...], to: &parts)
            return parts
        }

        /// The bytes of a segment of base64url; `nil` if there is none.
        private static func segment(of text: [UInt8], from start: Int) -> (bytes: [UInt8], end: Int)? {
            let end = text[start...].firstIndex { !isDigit($0) } ?? text.count
            guard let bytes = try? Base64.decode(text.span, in: start..<end, alphabet: .url) else {
                return nil
            }
            return (bytes, end)
        }

        private static func isDigit(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }

        private static func appendLiteral(_ bytes: ArraySlice<UInt8>, to parts: inout [UInt8]) {
            guard !bytes.isEmpty else { return }
            parts.append(Kind.literal.rawValue)
            append(bytes.count, to: &parts)
            parts += bytes
        }

        /// - Parameter number: at least 0.
        private static func append(_ number: Int, to bytes: inout [UInt8]) {
            var rest = UInt64(bitPattern: Int64(number))
            while rest > 0x7f {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }

        // MARK: - Unpacking

        /// A number below 2^63, which is taken away from the front; `nil` if there is none.
        private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
            var (number, shift): (UInt64, UInt64) = (0, 0)
            while shift < 63, let byte = bytes.popFirst() {
                number |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return Int(number) }
                shift += 7
            }
            return nil
        }

        private struct Unpacking {
            let headers: [[UInt8]]
            /// The output never grows beyond it, whatever the parts say.
            let maximumBytes: Int
            var bytes: [UInt8] = []

            /// A body has a token and others inside it: base64url stands within base64url once.
            private static let maximumDepth = 4

            /// Returns whether the parts are well formed, and not too long.
            mutating func append(_ parts: ArraySlice<UInt8>, depth: Int = 0) -> Bool {
                var rest = parts
                while let kind = rest.popFirst() {
                    guard let number = PackedBody.number(&rest),
                        append(Kind(rawValue: kind), number, &rest, depth), bytes.count <= maximumBytes
                    else { return false }
                }
                return true
            }

            private mutating func append(
                _ kind: Kind?, _ number: Int, _ rest: inout ArraySlice<UInt8>, _ depth: Int
            ) -> Bool {
                switch kind {
                case .header:
                    guard headers.indices.contains(number) else { return false }
                    bytes += headers[number]
                    return true
                case .literal, .base64url:
                    guard number <= rest.count else { return false }
                    let inside = rest.prefix(number)
                    rest = rest.dropFirst(number)
                    guard kind == .base64url else {
                        bytes += inside
                        return true
                    }
                    return appendEncoded(inside, depth)
                case nil: return false
                }
            }

            private mutating func appendEncoded(_ parts: ArraySlice<UInt8>, _ depth: Int) -> Bool {
                var decoded = Unpacking(headers: headers, maximumBytes: maximumBytes - bytes.count)
                guard depth < Self.maximumDepth, decoded.append(parts, depth: depth + 1) else { return false }
                bytes += Base64.text(decoded.bytes, alphabet: .url).utf8
                return true
            }
        }
    }
#endif
