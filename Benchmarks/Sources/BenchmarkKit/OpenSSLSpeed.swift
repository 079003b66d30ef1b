/// What `openssl speed -mr ecdsap256` writes.
package enum OpenSSLSpeed {
    /// Verifications a second: from the line `+R6:COUNT:256:SECONDS`.
    ///
    /// The line `+F4` at the end has rates in some versions and their inverses in others; this one has not
    /// changed.
    package static func verificationsPerSecond(in text: String) -> Double? {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 4, fields[0] == "+R6", fields[2] == "256",
                let count = Double(fields[1]), let seconds = Double(fields[3]), seconds > 0
            else { continue }
            return count / seconds
        }
        return nil
    }
}
