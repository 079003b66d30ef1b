internal import WireFormats

/// Signs any payload, with one key and one header.
///
/// No payload is refused: it may be malformed, or not JSON at all.
package struct TokenMinter: Sendable {
    /// The header members beside `x5c`.
    package enum HeaderForm: Sendable {
        /// `{"alg":"ES256","x5c":[…]}`, as the App Store writes it. All tokens of a leaf have the same bytes.
        case appStore
        /// With `kid` and `typ`, and slashes escaped, as Xcode writes it.
        case xcode
    }

    package var key: TestKey
    /// The header's JSON, which may be any bytes.
    package var header: [UInt8]

    package init(key: TestKey, x5c: [[UInt8]], form: HeaderForm = .appStore) {
        self.key = key
        self.header = Self.header(x5c: x5c, form: form)
    }

    /// - Parameter header: the JSON, or any bytes in its place.
    package init(key: TestKey, header: [UInt8]) {
        self.key = key
        self.header = header
    }

    /// The compact JWS of a payload.
    package func token(payload: [UInt8]) throws(MintingError) -> String {
        try segments(payload: payload).compact
    }

    package func token(payload: String) throws(MintingError) -> String {
        try token(payload: Array(payload.utf8))
    }

    /// The JWS of a payload in three segments, so that tests can change them.
    package func segments(payload: [UInt8]) throws(MintingError) -> TokenSegments {
        let header = Base64.text(header, alphabet: .url)
        let payload = Base64.text(payload, alphabet: .url)
        return try signed(header: header, payload: payload)
    }

    /// Signs two segments unchanged, even if they are malformed.
    package func signed(header: String, payload: String) throws(MintingError) -> TokenSegments {
        let signature = try key.signature(of: Array("\(header).\(payload)".utf8))
        return TokenSegments(
            header: header, payload: payload, signature: Base64.text(signature.raw, alphabet: .url))
    }

    /// The header for these certificates.
    ///
    /// - Parameter x5c: certificates in DER, the leaf first (RFC 7515, 4.1.6).
    package static func header(x5c: [[UInt8]], form: HeaderForm = .appStore) -> [UInt8] {
        let list = x5c.map { "\"\(Base64.text($0, alphabet: .standard))\"" }.joined(separator: ",")
        switch form {
        case .appStore:
            return Array(#"{"alg":"ES256","x5c":[\#(list)]}"#.utf8)
        case .xcode:
            let escaped = list.split(separator: "/", omittingEmptySubsequences: false).joined(
                separator: #"\/"#)
            let members = #""kid":"Apple_Xcode_Key","typ":"JWT","alg":"ES256""#
            return Array(#"{\#(members),"x5c":[\#(escaped)]}"#.utf8)
        }
    }
}

/// A compact JWS in its three segments.
package struct TokenSegments: Sendable, Equatable {
    package var header: String
    package var payload: String
    package var signature: String

    package var compact: String { "\(header).\(payload).\(signature)" }

    /// The bytes that the signature covers (RFC 7515, 5.1, step 5).
    package var signingInput: [UInt8] { Array("\(header).\(payload)".utf8) }
}
