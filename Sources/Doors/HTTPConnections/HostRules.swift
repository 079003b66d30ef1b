#if Service || TestServer
    package import HTTPTypes
    internal import Platform

    /// Under which names a server may be asked, and from whose pages.
    ///
    /// A browser sends requests of every page to servers that only its machine or network reaches: those of a form, and
    /// any if the page's own name leads there (DNS rebinding). The field Origin tells the first, and Host the second.
    package struct HostRules: Sendable {
        private let allowed: Set<String>
        private let own: Set<String>
        private let ownsAddresses: Bool

        /// - Parameters:
        ///   - host: the address that the server listens on. On other addresses than the loopback ones, each is its own.
        ///   - names: the other names that it has, without a port.
        package init(listeningOn host: String, allowing names: [String]) {
            allowed = Set(names.map { $0.lowercased() })
            own = ["localhost", "127.0.0.1", "[::1]", host.contains(":") ? "[\(host)]" : host.lowercased()]
            ownsAddresses = !LoopbackAddress.contains(host)
        }

        /// Why a request is refused, with a sentence that names the remedy; `nil` if it is not.
        package func refusal(of request: HTTPRequest) -> (status: HTTPResponse.Status, sentence: String)? {
            if let authority = request.authority, !isKnown(Self.host(of: authority)) {
                return (
                    .misdirectedRequest,
                    "The Host field names no host of this server; --allowed-host NAME adds one at its start."
                )
            }
            guard let origin = request.headerFields[.origin]?.lowercased() else { return nil }
            let authority = origin.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
            guard authority == request.authority?.lowercased() || allowed.contains(Self.host(of: authority))
            else {
                return (
                    .forbidden,
                    "A page of another origin has sent this; --allowed-host NAME allows its host at the server's start."
                )
            }
            return nil
        }

        /// Most clients write the name as it is here, so that its letters' case costs nothing.
        private func isKnown(_ host: String) -> Bool {
            if own.contains(host) || allowed.contains(host) { return true }
            let host = host.lowercased()
            if own.contains(host) || allowed.contains(host) { return true }
            // No name consists of digits (RFC 3696, section 2), so a host of digits is the address itself.
            let isAddress =
                host.hasPrefix("[") || host.utf8.allSatisfy { Array("0123456789.".utf8).contains($0) }
            return ownsAddresses && isAddress && !host.isEmpty
        }

        /// An authority without its port.
        private static func host(of authority: String) -> String {
            let end = authority.utf8.lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            let isPort = authority.utf8[end...].dropFirst().allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            return isPort ? String(authority[..<end]) : authority
        }
    }
#endif
