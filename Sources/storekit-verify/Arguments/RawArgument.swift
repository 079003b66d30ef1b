/// Arguments byte for byte as the system gives them, in strings that the parser of arguments takes.
///
/// Swift's own strings of the arguments have U+FFFD in place of what is not UTF-8, so that two arguments can become one
/// string. Here a byte stands as a private character, U+10FF00 and the byte, where it is not part of UTF-8, and where it
/// is a control character, which a message must not echo. The bytes of such a private character in an argument are
/// taken as not UTF-8. So each argument has one string, and each string stands for one argument.
enum RawArgument {
    private static let privateCharacters: ClosedRange<UInt32> = 0x10FF00...0x10FFFF

    /// The arguments of the process, the command's name left out.
    static func all() -> [String] {
        let arguments = unsafe UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe arguments.dropFirst().compactMap { argument in
            guard let argument = unsafe argument else { return nil }
            let bytes = unsafe UnsafeBufferPointer(start: argument, count: length(of: argument))
            return unsafe string(of: bytes.map { UInt8(bitPattern: $0) })
        }
    }

    /// The string of an argument's bytes.
    static func string(of bytes: [UInt8]) -> String {
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

    /// The bytes of an argument, or of a text around some, by its string.
    static func bytes(of string: String) -> [UInt8] {
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

    /// An argument that must be text, by its string; `nil` where it is not UTF-8.
    static func text(of string: String) -> String? { String(validating: bytes(of: string), as: UTF8.self) }

    /// Bytes as text in which no two sequences of bytes look alike: one that is not part of UTF-8 in the form `\xff`,
    /// and a backslash before an `x` as `\x5c`.
    static func written(_ bytes: [UInt8]) -> String {
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

    /// A message around arguments, line by line, for people.
    static func visible(message: String) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { storekit_verify.visible(written(bytes(of: String($0)))) }
            .joined(separator: "\n")
    }

    /// The first character, unless a private one must stand for its bytes.
    private static func firstScalar(of bytes: ArraySlice<UInt8>) -> UnicodeScalar? {
        guard let scalar = scalar(at: bytes), !privateCharacters.contains(scalar.value),
            scalar.value >= 0x20, scalar.value != 0x7f
        else { return nil }
        return scalar
    }

    /// The first character; `nil` where the bytes do not begin with strict UTF-8.
    private static func scalar(at bytes: ArraySlice<UInt8>) -> UnicodeScalar? {
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }

    private static func length(of argument: UnsafeMutablePointer<CChar>) -> Int {
        var length = 0
        while unsafe argument[length] != 0 { length += 1 }
        return length
    }
}
