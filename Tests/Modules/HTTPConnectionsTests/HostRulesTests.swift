#if Service || TestServer
    import HTTPConnections
    import HTTPTypes
    import Testing

    /// Whose pages may ask a server, and under which names.
    @Suite struct HostRulesTests {
        private func status(_ rules: HostRules, _ host: String?, origin: String? = nil) -> Int? {
            var request = HTTPRequest(method: .post, scheme: "http", authority: host, path: "/")
            request.headerFields[.origin] = origin
            return rules.refusal(of: request)?.status.code
        }

        @Test func `a server on the loopback address has its names, and those that are allowed`() {
            let rules = HostRules(listeningOn: "127.0.0.1", allowing: ["Verify.Example"])
            for host in [
                "127.0.0.1:80", "127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:80", "verify.example",
                "VERIFY.example:1", nil,
            ] {
                #expect(status(rules, host) == nil, "\(host ?? "")")
            }
            for host in [
                "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.1", "",
                "localhost:x", "verify.example.evil",
            ] {
                #expect(status(rules, host) == 421, "\(host)")
            }
        }

        @Test func `a page of another origin is refused`() {
            let rules = HostRules(listeningOn: "127.0.0.1", allowing: ["verify.example"])
            for origin in [
                "http://127.0.0.1:80", "https://127.0.0.1:80", "https://verify.example",
                "https://verify.example:8443",
            ] {
                #expect(status(rules, "127.0.0.1:80", origin: origin) == nil, "\(origin)")
            }
            for origin in [
                "http://evil.example", "null", "http://127.0.0.1", "http://localhost:1",
                "http://evil.example/127.0.0.1:80",
            ] {
                #expect(status(rules, "127.0.0.1:80", origin: origin) == 403, "\(origin)")
            }
        }

        @Test func `a server that others reach has every address`() {
            let rules = HostRules(listeningOn: "0.0.0.0", allowing: [])
            for host in ["192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80", "localhost"] {
                #expect(status(rules, host) == nil, "\(host)")
            }
            for host in ["evil.example", "1.evil", ""] { #expect(status(rules, host) == 421, "\(host)") }
        }
    }
#endif
