#if ServerAPI && TestServer
    import AppStoreServerAPI
    import Foundation
    import StoreKitTestSession
    import StoreKitVerify
    import Testing

    /// The endpoints of groups, seats, messages, Advanced Commerce and external purchases, against the test store.
    @Suite struct OtherEndpointTests {
        @Test func `a seat is claimed once for each request, associated and unclaimed`() async throws {
            let scene = try await ClientScene()
            try scene.events("set seats developer")
            let id = try scene.buy(ClientScene.premium, options: "seats=3")
            let request = UUID()
            let seat = try await scene.client.send(.claimSeat(of: id, requestIdentifier: request))
            let again = try await scene.client.send(.claimSeat(of: id, requestIdentifier: request))
            #expect(seat == again)
            let info = try await scene.client.send(.seatInfo(of: id))
            #expect(info.totalSeatCount == 3 && info.assignedSeatClaimIDs == [seat.seatClaimID])
            let other = try scene.buy(ClientScene.seeds, "ben")
            let ben = try await scene.client.send(.appTransactionInfo(of: other)).payloadValue
            try await scene.client.send(
                .associateSeat(seat.seatClaimID, of: id, with: ben.appTransactionID))
            let groups = try await scene.client.send(.customerGroups(of: id))
            let group = try #require(groups.first)
            #expect(group.groupType == .consumer && group.roles.isEmpty)
            var members: [String] = []
            for try await page in scene.client.groupMembers(of: group.groupID, limit: 1) {
                #expect(page.appTransactionIDs.count <= 1)
                members += page.appTransactionIDs
            }
            #expect(members.contains(ben.appTransactionID))
            try await scene.client.send(.unclaimSeat(seat.seatClaimID, of: id))
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.unclaimSeat(seat.seatClaimID, of: id))
            }
            #expect(error.status == 404 && error.kind == .refused)
        }

        @Test func `messages are uploaded, listed, chosen and deleted`() async throws {
            let scene = try await ClientScene()
            let id = UUID()
            try await scene.client.send(
                .uploadMessage(RetentionMessage(header: "Stay", body: "The garden \"grows\"."), id))
            let repeated = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.uploadMessage(RetentionMessage(header: "h", body: "b"), id))
            }
            #expect(repeated.code?.rawValue == 4_090_001)
            let list = try await scene.client.send(.messageList)
            #expect(list.map(\.messageIdentifier) == [id] && list.first?.state == .approved)
            #expect(try await scene.client.send(.imageList).isEmpty)
            try await scene.client.send(
                .setDefaultMessage(id, productID: ClientScene.monthly, locale: "en-US"))
            let chosen = try await scene.client.send(
                .defaultMessage(productID: ClientScene.monthly, locale: "en-US"))
            #expect(chosen == id)
            try await scene.client.send(
                .deleteDefaultMessage(productID: ClientScene.monthly, locale: "en-US"))
            try await scene.client.send(.deleteMessage(id))
            let image = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.uploadImage(Data("no image".utf8), UUID(), size: .bulletPoint))
            }
            #expect(image.name == "InvalidImageError")
            let gone = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.deleteImage(UUID()))
            }
            #expect(gone.name == "ImageNotFoundError")
        }

        @Test func `a message shows an image, which is deleted after it`() async throws {
            let scene = try await ClientScene()
            let (image, id) = (UUID(), UUID())
            try await scene.client.send(.uploadImage(Data(PNGFile.fullSize), image, size: .fullSize))
            let images = try await scene.client.send(.imageList)
            #expect(images.map(\.imageIdentifier) == [image] && images.first?.size == .fullSize)
            #expect(scene.server.requests.first?.header("Content-Type") == "image/png")
            var message = RetentionMessage(header: "Stay", body: "The garden grows.")
            message.image = .init(image, altText: "A garden")
            message.headerPosition = .aboveImage
            try await scene.client.send(.uploadMessage(message, id))
            let used = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.deleteImage(image))
            }
            #expect(used.name == "ImageInUseError")
            try await scene.client.send(.deleteMessage(id))
            try await scene.client.send(.deleteImage(image))
        }

        @Test func `a line of a subscription is read as it was sent`() async throws {
            let scene = try await ClientScene()
            try scene.events("anna: external-purchase created")
            let sent = try #require(scene.store.takeNotifications().first)
            let token = try StoreKitVerifier(scene.store.verifier).notification(sent.signedPayload)
                .payloadValue
                .externalPurchaseToken?.externalPurchaseID
            let now = scene.store.now
            var line = ExternalPurchaseLineItem(
                "start", eventType: .buy, creationDate: now,
                amounts: .init(taxExclusive: 8000, tax: 2000, netTaxExclusive: 8000), currency: "EUR",
                taxCountry: "DEU")
            (line.productType, line.productIdentifier, line.quantity) = (.subscription, "plus", 1)
            line.pricingCurrency = "ISK"
            line.exchangeRate = Decimal(string: "0.0069")
            line.subscription = .init(
                .start, from: now, to: now.addingTimeInterval(86_400 * 30), daysOfPaidService: 0
            )
            let report = ExternalPurchaseReport(
                UUID(), externalPurchaseID: try #require(token), status: .lineItem, lineItems: [line])
            _ = try await scene.client.send(.sendExternalPurchaseReport(report))
            let kept = try await scene.client.send(.externalPurchaseReport(report.requestIdentifier))
            #expect(kept == report)
        }

        @Test func `the address of realtime requests is set and tested`() async throws {
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.monthly)
            try await scene.client.send(.setRealtimeURL("https://example.com/retain"))
            #expect(try await scene.client.send(.realtimeURL) == "https://example.com/retain")
            let started = try await scene.client.send(.startPerformanceTest(with: id))
            let result = try await scene.client.send(.performanceTestResult(started.requestID))
            #expect(result.configuration == started.configuration)
            #expect([.pending, .pass, .fail].contains(result.result))
            try await scene.client.send(.deleteRealtimeURL)
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.realtimeURL)
            }
            #expect(error.name == "RealtimeUrlNotFoundError")
        }

        @Test func `a subscription is migrated, changed, refunded, canceled and revoked`() async throws {
            typealias Request = AdvancedCommerceRequest
            let scene = try await ClientScene()
            let id = try scene.buy(ClientScene.premium)
            let names = (displayName: "Garden", description: "All plants")
            let plant = Request.Item("plant", displayName: "The plant", description: "A plant")
            let migrated = try await scene.client.send(
                .advancedCommerce(
                    .migrate(
                        .init(UUID()), to: "generic", descriptors: names, items: [plant],
                        taxCode: "C003-00-2"), of: id))
            let info = try migrated.transaction.payloadValue.advancedCommerceInfo
            #expect(info?.items.map(\.details.sku) == ["plant"])
            var change = Request.MetadataChange("plant", effective: .immediately)
            change.displayName = "Fern"
            for request in [
                Request.changeMetadata(.init(UUID()), items: [change]),
                .changePrice(.init(UUID()), items: [.init("plant", price: 99_990)]),
                .refund(
                    .init(UUID()), items: [.init("plant", reason: .legal, type: .full, revoke: false)],
                    refundRiskingPreference: false),
                .cancel(.init(UUID())),
            ] {
                let answer = try await scene.client.send(.advancedCommerce(request, of: id))
                #expect(try answer.transaction.payloadValue.productID == ClientScene.premium)
            }
            let information = FormerConsumptionInformation(
                customerConsented: true, sampleContentProvided: false)
            try await scene.client.send(.sendFormerConsumption(information, of: id))
            let reference = Request.Info(UUID())
            _ = try? await scene.client.send(
                .advancedCommerce(.revoke(reference, reason: .legal, type: .full), of: id))
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(
                    .advancedCommerce(.cancel(.init(UUID()), storefront: "XXX"), of: id))
            }
            #expect(error.name == "InvalidStorefrontError")
            #expect(scene.server.requests.filter { $0.path.hasPrefix("/advancedCommerce") }.count == 7)
        }

        @Test func `a report is sent and read again, and all its errors are told`() async throws {
            let scene = try await ClientScene()
            try scene.events("anna: external-purchase created")
            let notification = try #require(scene.store.takeNotifications().first)
            let value = try StoreKitVerifier(scene.store.verifier).notification(notification.signedPayload)
                .payloadValue
            let token = try #require(value.externalPurchaseToken?.externalPurchaseID)
            var line = ExternalPurchaseLineItem(
                "line 1", eventType: .buy, creationDate: scene.store.now,
                amounts: .init(taxExclusive: 8000, tax: 2000, netTaxExclusive: 8000), currency: "EUR",
                taxCountry: "DEU")
            (line.productType, line.productIdentifier, line.quantity) = (.oneTimeBuy, "seeds", 1)
            let report = ExternalPurchaseReport(
                UUID(), externalPurchaseID: token, status: .lineItem, lineItems: [line])
            #expect(
                try await scene.client.send(.sendExternalPurchaseReport(report)) == report.requestIdentifier)
            #expect(
                try await scene.client.send(.externalPurchaseReport(report.requestIdentifier)) == report)
            line.lineItemID = "line 2"
            line.amounts.taxInclusive = 1
            let wrong = ExternalPurchaseReport(
                UUID(), externalPurchaseID: token, status: .lineItem, lineItems: [line])
            let error = try await failure { () async throws(AppStoreServerAPIError) in
                try await scene.client.send(.sendExternalPurchaseReport(wrong))
            }
            #expect(error.reportErrors.map(\.code.rawValue).contains(11))
            #expect(error.reportErrors.first?.fieldName != nil)
        }
    }
#endif
