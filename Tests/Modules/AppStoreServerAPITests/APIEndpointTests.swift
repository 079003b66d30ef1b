#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Testing
    import WireFormats

    @Suite struct APIEndpointTests {
        @Test func `There is an endpoint for each method and path once`() {
            let names = APIEndpoint.all.map { $0.method.rawValue + " " + $0.path }
            #expect(names.count == 46)
            #expect(Set(names).count == names.count)
        }

        @Test(arguments: APIEndpoint.all) func `A limit is at least one request a second`(
            endpoint: APIEndpoint
        ) {
            #expect(endpoint.requestsPerSecond >= 1)
            #expect(endpoint.path.hasPrefix("/"))
        }

        @Test(arguments: [
            ("https://api.example.com", true), ("http://localhost", true), ("http://127.0.0.1:8081/", true),
            ("http://[::1]:8081", true), ("http://localhost:8081@example.com", false),
            ("http://localhost.example.com", false), ("http://127.0.0.1/path", false),
            ("http://example.com", false), ("ftp://localhost", false), ("", false),
        ])
        func `a token goes over TLS, or to this computer`(address: String, isSafe: Bool) {
            #expect(AppStoreServerAPIClient.Server.isSafe(address) == isSafe)
        }

        @Test(arguments: [0, 784_111_777, 951_782_400, 1_795_768_000, 253_402_300_799] as [Int64])
        func `a date of an answer is read`(second: Int64) {
            #expect(CalendarTime.seconds(http: CalendarTime.httpDate(second)) == second)
        }

        @Test(arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37.5 GMT",
        ])
        func `another form of a date is none`(text: String) {
            #expect(CalendarTime.seconds(http: text) == nil)
        }
    }
#endif
