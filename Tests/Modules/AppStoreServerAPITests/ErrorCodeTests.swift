#if ServerAPI && TestServer
    import AppStoreServerAPI
    import AppStoreTables
    import Foundation
    import StoreKitTestSession
    import TestServerAPI
    import Testing

    /// Every error of Apple's pages.
    @Suite struct ErrorCodeTests {
        /// The codes of which Apple says "Please try again", and the one of the limit.
        private static let retryable = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001]

        @Test
        func `every code of the Server API has a name and an advice, and is retryable if Apple says so`()
            async throws
        {
            let scene = try await ClientScene(options: Self.unrepeated) { request in
                let code = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
                return .answer(code / 10_000, body: #"{"errorCode":\#(code),"errorMessage":"Why."}"#)
            }
            #expect(ErrorTable.server.entries.count == 93)
            for (code, entry) in ErrorTable.server.entries {
                let error = try await failure { () async throws(AppStoreServerAPIError) in
                    try await scene.client.send(.transactionInfo(of: String(code)))
                }
                #expect(error.code?.rawValue == code && error.name == entry.name + "Error")
                #expect(error.isRetryable == Self.retryable.contains(code), "\(error)")
                #expect(error.advice.hasSuffix(".") && error.message == "Why.")
                #expect(error.mayHaveBeenExecuted == (code >= 5_000_000))
            }
        }

        @Test func `the test store sends every code of the Server API`() async throws {
            let scene = try await ClientScene(options: Self.unrepeated)
            for (code, entry) in ErrorTable.server.entries {
                _ = try scene.local("/test/errors", String(code))
                let error = try await failure { () async throws(AppStoreServerAPIError) in
                    try await scene.client.send(.transactionInfo(of: "1"))
                }
                #expect(error.code?.rawValue == code && error.name == entry.name + "Error")
                #expect(error.status == code / 10_000 && error.message.hasSuffix("."), "\(error)")
                #expect(error.isRetryable == Self.retryable.contains(code), "\(error)")
            }
        }

        @Test func `every code of Advanced Commerce that the test store sends has a name`() async throws {
            let scene = try await ClientScene(options: Self.unrepeated)
            for (code, entry) in ErrorTable.advancedCommerce.entries {
                _ = try scene.local("/test/errors", String(code))
                let error = try await failure { () async throws(AppStoreServerAPIError) in
                    try await scene.client.send(.advancedCommerce(.cancel(.init(UUID())), of: "1"))
                }
                #expect(error.code?.rawValue == code && error.name == entry.name + "Error")
                #expect(error.status == code / 10_000 && error.message.hasSuffix("."), "\(error)")
            }
            #expect(ErrorTable.advancedCommerce.entries.count == 130)
        }

        @Test func `the test store sends every code of a report`() async throws {
            let scene = try await ClientScene(options: Self.unrepeated)
            #expect(ErrorTable.externalPurchase.entries.count == 35)
            for code in ErrorTable.externalPurchase.entries.keys {
                _ = try scene.local("/test/errors", String(code))
                let error = try await failure { () async throws(AppStoreServerAPIError) in
                    try await scene.client.send(.externalPurchaseReport(UUID()))
                }
                #expect(error.status == 400 && error.reportErrors.map(\.code.rawValue) == [code])
                #expect(error.reportErrors.allSatisfy { $0.message.hasSuffix(".") }, "\(error)")
            }
        }

        @Test func `every code of a report has a name`() async throws {
            let scene = try await ClientScene { _ in
                let errors = (1...35).map { #"{"errorCode":\#($0),"errorMessage":"Why.","fieldName":"f"}"# }
                return .answer(400, body: #"{"errors":[\#(errors.joined(separator: ","))]}"#)
            }
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.externalPurchaseReport(UUID()))
            }
            #expect(error.reportErrors.map(\.code.rawValue) == Array(1...35))
            #expect(error.reportErrors.allSatisfy { $0.code.name(in: .externalPurchase) != nil })
        }

        private static var unrepeated: AppStoreServerAPIClient.Options {
            var options = AppStoreServerAPIClient.Options.unlimited
            options.retries.maximum = 0
            return options
        }
    }
#endif
