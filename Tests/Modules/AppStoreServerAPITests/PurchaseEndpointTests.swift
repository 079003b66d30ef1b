#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// The endpoints of purchases, subscriptions and notifications, against the test store.
    @Suite struct PurchaseEndpointTests {
        @Test func `a transaction and the app transaction are verified values`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            let transaction = try await scene.client.send(.transactionInfo(of: id)).payloadValue
            #expect(String(transaction.id) == id)
            #expect(transaction.productID == ClientScene.seeds)
            let app = try await scene.client.send(.appTransactionInfo(of: id)).payloadValue
            #expect(app.bundleID == ClientScene.bundleID)
        }

        @Test func `a history comes in pages, and goes on after any of them`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            for _ in 0..<44 { _ = try scene.buy(ClientScene.seeds) }
            var (counts, first): ([Int], String?) = ([], nil)
            for try await page in scene.client.transactionHistory(of: id) {
                counts.append(page.transactions.count)
                first = first ?? page.continuation
                #expect(page.bundleID == ClientScene.bundleID)
                #expect(page.environment == .sandbox)
                #expect(
                    try page.transactions.allSatisfy { try $0.payloadValue.productID == ClientScene.seeds })
            }
            #expect(counts == [20, 20, 5])
            var rest = 0
            for try await page in scene.client.transactionHistory(of: id, after: first) {
                rest += page.transactions.count
            }
            #expect(rest == 25)
        }

        @Test func `a page is asked for when the reader wants it`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            for _ in 0..<44 { _ = try scene.buy(ClientScene.seeds) }
            for try await _ in scene.client.transactionHistory(of: id) { break }
            #expect(scene.server.requests.count == 1)
        }

        @Test func `a filter has Apple's names`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            _ = try scene.buy(ClientScene.monthly)
            var filter = HistoryFilter()
            filter.productIDs = [ClientScene.monthly]
            filter.productTypes = [.autoRenewable]
            filter.ownershipType = .purchased
            filter.order = .descending
            filter.revoked = false
            filter.startDate = Date(timeIntervalSince1970: 1_700_000_000)
            filter.endDate = Date(timeIntervalSince1970: 1_900_000_000)
            let page = try await scene.client.send(.transactionHistory(of: id, filter))
            #expect(try page.transactions.map { try $0.payloadValue.productID } == [ClientScene.monthly])
            #expect(
                scene.server.requests.last?.target.hasSuffix(
                    "?startDate=1700000000000&endDate=1900000000000&productId=com.example.garden.plus.monthly"
                        + "&productType=AUTO_RENEWABLE&inAppOwnershipType=PURCHASED&sort=DESCENDING&revoked=false"
                )
                    == true)
        }

        @Test func `statuses are those of the store`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.monthly)
            let statuses = try await scene.client.send(.subscriptionStatuses(of: id))
            let last = try #require(statuses.groups.first?.lastTransactions.first)
            #expect(last.status == .subscribed)
            #expect(last.originalTransactionID == id)
            #expect(try last.renewalInfo.payloadValue.willAutoRenew)
            #expect(try String(last.transaction.payloadValue.id) == id)
            let expired = try await scene.client.send(.subscriptionStatuses(of: id, [.expired]))
            #expect(expired.groups.flatMap(\.lastTransactions).isEmpty)
        }

        @Test func `an account token is set, and consumption is told`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            let account = UUID()
            try await scene.client.send(.setAppAccountToken(account, of: id))
            let transaction = try await scene.client.send(.transactionInfo(of: id)).payloadValue
            #expect(transaction.appAccountToken == account)
            var information = ConsumptionInformation(
                customerConsented: true, sampleContentProvided: false, deliveryStatus: .delivered)
            information.refundPreference = .grantProrated
            information.consumptionPercentage = 50_000
            try await scene.client.send(.sendConsumption(information, of: id))
            try await scene.client.send(.finish(id))
            information.customerConsented = false
            let refusal = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.sendConsumption(information, of: id))
            }
            #expect(refusal.code?.rawValue == 4_000_035)
            #expect(refusal.name == "InvalidCustomerConsentedError")
        }

        @Test func `refunds are a history of their own`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.seeds)
            #expect(try await scene.client.send(.refundHistory(of: id)).transactions.isEmpty)
            try scene.events("anna: refund \(ClientScene.seeds)")
            var refunds: [Transaction] = []
            for try await page in scene.client.refundHistory(of: id) {
                refunds += try page.transactions.map { try $0.payloadValue }
            }
            #expect(refunds.map { String($0.id) } == [id])
            #expect(refunds.first?.revocationDate != nil)
            let former = try await scene.client.send(.formerRefundHistory(of: id))
            #expect(try former.transactions.map { try $0.payloadValue } == refunds && !former.hasMore)
            let history = try await scene.client.send(.formerTransactionHistory(of: id))
            #expect(try history.transactions.map { try $0.payloadValue.id } == refunds.map(\.id))
        }

        @Test func `notifications come in pages`() async throws {
            let scene = try await ClientScene()
            for number in 0..<22 { _ = try scene.buy(ClientScene.monthly, "customer\(number)") }
            let now = scene.store.now
            let filter = NotificationFilter(from: now.addingTimeInterval(-86_400), to: now + 86_400)
            var types: [String] = []
            for try await page in scene.client.notificationHistory(filter) {
                #expect(page.notifications.count <= 20)
                types += try page.notifications.map {
                    try $0.notification.payloadValue.notificationType.rawValue
                }
            }
            #expect(types.filter { $0 == "SUBSCRIBED" }.count == 22)
        }

        @Test func `a test notification is asked for, and its status`() async throws {
            let scene = try await ClientScene()
            let requested = try await scene.client.send(.requestTestNotification)
            let sent = try #require(scene.store.takeNotifications().first)
            scene.tell(.success, of: sent.uuid)
            let record = try await scene.client.send(.testNotificationStatus(requested.token))
            #expect(record.sendAttempts.map(\.result) == [.success])
            #expect(try record.notification.payloadValue.notificationType == .test)
        }

        @Test func `one subscription and all of a product are extended`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.premium)
            let one = try await scene.client.send(
                .extendRenewalDate(of: id, byDays: 7, reason: .serviceIssue, requestIdentifier: "outage 1"))
            #expect(one.isSuccess && one.effectiveDate != nil && one.originalTransactionID == id)
            let request = UUID().uuidString.lowercased()
            let all = try await scene.client.send(
                .extendRenewalDates(
                    ofAllSubscribersTo: ClientScene.premium, byDays: 3, reason: .other,
                    requestIdentifier: request))
            #expect(all.requestIdentifier == request)
            let status = try await scene.client.send(
                .massExtensionStatus(request, productID: ClientScene.premium))
            #expect(status.isComplete && status.succeededCount == 1 && status.failedCount == 0)
        }

        @Test func `an unknown order is invalid`() async throws {
            let scene = try await ClientScene(environment: .production)
            let order = try await scene.client.send(.lookUpOrder("MUNKNOWN1"))
            #expect(order.status == .invalid && order.transactions.isEmpty)
        }
    }
#endif
