internal import Libc

/// Arguments byte for byte as the system gives them, in strings for the argument parser.
///
/// Swift's own strings replace bytes that are not UTF-8 by U+FFFD, so different arguments can become one
/// string. Here a private character, U+10FF00 plus the byte, stands for each byte that is not part of UTF-8.
/// It also stands for a control character, which a message must not echo. If an argument itself holds such a
/// private character, its bytes are treated as not UTF-8. So each argument has one string, and each string
/// stands for one argument.
package enum RawArgument {
    private static let privateCharacters: ClosedRange<UInt32> = 0x10FF00...0x10FFFF

    /// The arguments of the process, the command's name left out; `nil` if the system does not give them.
    ///
    /// On Linux, Swift reads them in `/proc`. A command that went on without them would not make the checks that they
    /// ask for.
    package static func all() -> [String]? {
        guard CommandLine.argc > 0 else { return nil }
        let arguments = unsafe UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe arguments.dropFirst().compactMap { argument in
            guard let argument = unsafe argument else { return nil }
            // The system ends each argument with a NUL.
            let bytes = unsafe UnsafeBufferPointer(start: argument, count: Int(strlen(argument)))
            return unsafe string(of: bytes.map { UInt8(bitPattern: $0) })
        }
    }

    package static func string(of bytes: [UInt8]) -> String {
        var output = String.UnicodeScalarView()
        var rest = bytes[...]
        while !rest.isEmpty {
            if let scalar = firstScalar(of: rest) {
                output.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else if let byte = rest.popFirst(), let scalar = UnicodeScalar(0x10FF00 + UInt32(byte)) {
                output.append(scalar)
            }
        }
        return String(output)
    }

    /// The bytes of an argument, or of a text that holds arguments, from its string.
    ///
    /// The inverse of `string(of:)`.
    package static func bytes(of string: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in string.unicodeScalars {
            if privateCharacters.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
        return bytes
    }

    /// The text of an argument, from its string; `nil` if it is not UTF-8.
    package static func text(of string: String) -> String? {
        String(validating: bytes(of: string), as: UTF8.self)
    }

    /// Bytes as text; different bytes give different texts. A byte that is not part of UTF-8 becomes `\xff`,
    /// and a backslash before an `x` becomes `\x5c`.
    package static func written(_ bytes: [UInt8]) -> String {
        var output = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "\\"), rest.dropFirst().first == UInt8(ascii: "x") {
                output.append(contentsOf: #"\x5c"#.unicodeScalars)
                rest = rest.dropFirst()
            } else if let scalar = scalar(at: rest) {
                output.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                output.append(contentsOf: (#"\x"# + String(byte, radix: 16)).unicodeScalars)
                rest = rest.dropFirst()
            }
        }
        return String(output)
    }

    /// The first character; `nil` if a private character must stand for its bytes.
    private static func firstScalar(of bytes: ArraySlice<UInt8>) -> UnicodeScalar? {
        guard let scalar = scalar(at: bytes), !privateCharacters.contains(scalar.value),
            scalar.value >= 0x20, scalar.value != 0x7f
        else { return nil }
        return scalar
    }

    /// The first character; `nil` if the bytes do not begin with strict UTF-8.
    private static func scalar(at bytes: ArraySlice<UInt8>) -> UnicodeScalar? {
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }
}
