/// Reads the output of `openssl speed -mr`.
package enum OpenSSLSpeed {
    /// The algorithms whose verification serves for comparison.
    package enum Algorithm: String, Sendable {
        case ecdsaP256 = "ecdsap256"
        case rsa2048

        /// The first and the third field of the line with the number of verifications.
        fileprivate var line: (name: Substring, bits: Substring) {
            switch self {
            case .ecdsaP256: ("+R6", "256")
            case .rsa2048: ("+R2", "2048")
            }
        }
    }

    /// Verifications a second, from the line `+R6:COUNT:256:SECONDS` or the one for RSA.
    ///
    /// Some versions write rates in the line `+F4` at the end, others write their inverses. This line has not
    /// changed.
    package static func verificationsPerSecond(
        in text: String, of algorithm: Algorithm = .ecdsaP256
    ) -> Double? {
        let line = algorithm.line
        for found in text.split(whereSeparator: \.isNewline) {
            let fields = found.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 4, fields[0] == line.name, fields[2] == line.bits,
                let count = Double(fields[1]), let seconds = Double(fields[3]), seconds > 0
            else { continue }
            return count / seconds
        }
        return nil
    }
}
