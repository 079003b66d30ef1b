internal import StoreKitTestSession
internal import WireFormats

/// Checks the tokens of requests as the App Store does.
///
/// The header names the algorithm ES256 and a known key. The payload names that key's issuer, the audience of the API
/// and the app, and ends at most an hour after it begins.
struct ServerAPIAuthorization: Sendable {
    /// The longest time for which a token may be valid, in seconds.
    private static let longestLifetime = 3600

    private let bundleID: String
    let tokens: ServerTokens

    init(_ keys: [ServerAPIKey], bundleID: String) {
        self.bundleID = bundleID
        tokens = ServerTokens(keys)
    }

    /// Whether a request may be answered.
    ///
    /// - Parameters:
    ///   - header: the value of `Authorization`.
    ///   - now: the real time, in seconds since 1970.
    func accepts(_ header: String?, at now: Int) -> Bool {
        let words = header?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return (try? tokens.open(Array(words[1].utf8)) { holds($0, $1, now) }) != nil
    }

    /// The members are those of Apple's page "Generating JSON Web Tokens for API requests".
    private func holds(_ payload: JSONTree, _ key: ServerAPIKey, _ now: Int) -> Bool {
        guard payload["iss"] == .string(key.issuerID), payload["aud"] == .string(ServerTokens.audience),
            payload["bid"] == .string(bundleID), let end = payload["exp"]?.wholeNumber, end > now
        else { return false }
        // Apple's Python library sends no `iat`.
        let start = payload["iat"].map { $0.wholeNumber ?? .max } ?? now
        return (0...now + ServerTokens.tolerance).contains(start) && end - start <= Self.longestLifetime
    }
}
