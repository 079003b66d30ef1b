/// The address of an OCSP responder, taken from a certificate and checked before anything is opened.
struct ResponderAddress: Hashable, Sendable {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    let host: String
    /// From 1 to 65535; 80 if the address does not name it.
    let port: UInt16
    /// The path and the query, with a slash at the beginning.
    let path: String

    /// The value of the header `Host` (RFC 9110, section 7.2).
    var hostHeader: String {
        (host.contains(":") ? "[\(host)]" : host) + (port == Self.standardPort ? "" : ":\(port)")
    }

    private static let standardPort: UInt16 = 80

    /// Reads an address of the form `http://host:port/path?query` (RFC 3986).
    ///
    /// A space, a control character or a byte beyond ASCII is refused: each could end a line of the request.
    /// User information and fragments are refused too, because an HTTP request has no place for them.
    ///
    /// - Throws: `OCSPHTTPError.scheme` for `https`, and `OCSPHTTPError.address` for other mistakes.
    init(_ url: String) throws(OCSPHTTPError) {
        guard url.utf8.count <= RevocationLimits.urlBytes, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw .address }
        let (scheme, rest) = Self.split(url[...], before: ":")
        switch scheme.lowercased() {
        case "http": break
        case "https": throw .scheme("https")
        default: throw .address
        }
        guard rest.hasPrefix("://"), !rest.contains("#") else { throw .address }
        let (authority, path) = Self.split(rest.dropFirst(3), before: "/", "?")
        (host, port) = try Self.hostAndPort(authority)
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }

    private static func hostAndPort(_ authority: Substring) throws(OCSPHTTPError) -> (String, UInt16) {
        let (host, port): (Substring, Substring)
        if authority.hasPrefix("[") {
            (host, port) = split(authority.dropFirst(), before: "]")
            guard port.hasPrefix("]"), host.contains(":"), host.utf8.allSatisfy(isIPv6Character) else {
                throw .address
            }
            return (String(host), try number(port.dropFirst()))
        }
        (host, port) = split(authority, before: ":")
        // Percent signs and `@`, which ends user information, are among the characters that a host may not
        // have.
        guard !host.isEmpty, host.utf8.allSatisfy(isHostCharacter) else { throw .address }
        return (String(host), try number(port))
    }

    /// The number of a port, after a colon.
    private static func number(_ text: Substring) throws(OCSPHTTPError) -> UInt16 {
        guard let colon = text.first else { return standardPort }
        let digits = text.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw .address }
        return port
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isIPv6Character(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), 0x30...0x39,
            UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The text before the first of some characters, and the rest, which begins with it.
    private static func split(_ text: Substring, before ends: Character...) -> (Substring, Substring) {
        let end = text.firstIndex { ends.contains($0) } ?? text.endIndex
        return (text[..<end], text[end...])
    }
}
