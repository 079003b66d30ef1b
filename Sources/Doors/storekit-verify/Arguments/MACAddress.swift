import ArgumentParser
import WireFormats

/// A network interface's hardware address: six bytes that identify a Mac.
///
/// On a Mac, receipts are bound to this address instead of a UUID (Apple's page "Validating receipts on the
/// device").
struct MACAddress: ExpressibleByArgument {
    let bytes: [UInt8]

    /// Reads six bytes in hexadecimal, such as `3c:07:54:0a:1b:2c`, with colons, hyphens or no separators.
    ///
    /// One kind of separator throughout: a mixture is a slip of the hand.
    init?(argument: String) {
        let separators = argument.utf8.filter { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") }
        let isPlain = separators.isEmpty && argument.utf8.count == 12
        let parts =
            isPlain
            ? stride(from: 0, to: 12, by: 2).map { argument.dropFirst($0).prefix(2) }
            : argument.split(separator: separators.first == UInt8(ascii: ":") ? ":" : "-" as Character)
        let bytes = parts.compactMap { part in
            let digits = Array(part.utf8)
            return digits.count == 2 ? byte(hexadecimal: digits[0], digits[1]) : nil
        }
        guard bytes.count == 6, parts.count == 6, isPlain || separators.count == 5 else { return nil }
        self.bytes = bytes
    }
}
