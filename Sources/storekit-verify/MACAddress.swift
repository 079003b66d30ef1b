import ArgumentParser

/// A network interface's hardware address: six bytes, which Macs are told apart by.
struct MACAddress: ExpressibleByArgument {
    let bytes: [UInt8]

    /// Six bytes in hexadecimal with colons or hyphens between them, such as `3c:07:54:0a:1b:2c`.
    init?(argument: String) {
        let separator: Character = argument.contains(":") ? ":" : "-"
        let parts = argument.split(separator: separator, omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self.bytes = bytes
    }
}
