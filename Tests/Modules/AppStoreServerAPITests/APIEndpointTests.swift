#if ServerAPI
    import AppStoreServerAPI
    import Testing

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
    }
#endif
