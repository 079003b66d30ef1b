import Foundation
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// Reports of purchases outside the App Store.
///
/// Apple's pages:
/// [Send External Purchase Report](https://developer.apple.com/documentation/externalpurchaseserverapi/send-external-purchase-report),
/// [Retrieve External Purchase Report](https://developer.apple.com/documentation/externalpurchaseserverapi/retrieve-external-purchase-report),
/// [Error codes](https://developer.apple.com/documentation/externalpurchaseserverapi/error-codes).
@Suite struct ExternalPurchaseReportTests {
    private static let path = "/externalPurchase/v1/reports"
    private static let now = Int(ServerAPIScene.start.timeIntervalSince1970) * 1000

    /// An App Store with one token.
    private struct Reports {
        let scene: ServerAPIScene
        let token: String

        init() throws {
            scene = try ServerAPIScene()
            try scene.events("anna: external-purchase created")
            let notification = try #require(scene.store.takeNotifications().first)
            let value = try StoreKitVerifier(scene.store.verifier)
                .notification(notification.signedPayload).payloadValue
            token = try #require(value.externalPurchaseToken?.externalPurchaseID)
        }

        /// A report of lines.
        func report(
            _ lines: [[String: Any]], status: String = "LINE_ITEM", id: String = UUID().uuidString
        ) -> [String: Any] {
            var report: [String: Any] = [
                "requestIdentifier": id, "externalPurchaseId": token, "status": status,
            ]
            if !lines.isEmpty { report["lineItems"] = lines }
            return report
        }

        /// The status and the body.
        func send(_ report: [String: Any]) throws -> (status: Int, body: [String: Any]) {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self)
            let response = try scene.send("PUT", path, text)
            return (response.status, try scene.object(response))
        }

        /// The codes of a report that must be refused, or none for one that must be accepted.
        func codes(_ report: [String: Any]) throws -> [Int] {
            let (status, body) = try send(report)
            guard status == 400 else {
                #expect(status == 200)
                #expect(body["requestIdentifier"] as? String == report["requestIdentifier"] as? String)
                return []
            }
            let errors = try body.list("errors")
            #expect(errors.allSatisfy { ($0["errorMessage"] as? String)?.isEmpty == false })
            #expect(errors.allSatisfy { $0["fieldName"] is String })
            return errors.compactMap { $0["errorCode"] as? Int }
        }

        /// Sends a report of lines, and expects its codes: none if it is accepted.
        func expect(
            _ expected: Int..., from lines: [[String: Any]], status: String = "LINE_ITEM",
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let found = try codes(report(lines, status: status))
            #expect(found == expected, sourceLocation: location)
        }
    }

    // MARK: - Lines

    private static func buy(_ id: String, _ changes: [String: Any] = [:]) -> [String: Any] {
        let line: [String: Any] = [
            "lineItemId": id, "creationDate": now, "eventType": "BUY", "productType": "ONE_TIME_BUY",
            "productIdentifier": "seeds", "quantity": 1, "amountTaxInclusive": 10_000,
            "amountTaxExclusive": 8000, "taxAmount": 2000, "netAmountTaxExclusive": 8000,
            "pricingCurrency": "EUR", "reportingCurrency": "EUR", "taxCountry": "DEU",
        ]
        return line.merging(changes) { $1 }.filter { !($0.value is NSNull) }
    }

    private static func refund(
        _ id: String, of reference: String, _ changes: [String: Any] = [:]
    ) -> [String: Any] {
        let own: [String: Any] = [
            "eventType": "REFUND", "referenceLineItemId": reference, "amountTaxInclusive": 2500,
            "amountTaxExclusive": 2000, "taxAmount": 500, "netAmountTaxExclusive": 6000,
            "productType": NSNull(), "productIdentifier": NSNull(), "quantity": NSNull(),
        ]
        return buy(id, own.merging(changes) { $1 })
    }

    private static func subscription(
        _ id: String, _ event: String, of reference: String? = nil, _ changes: [String: Any] = [:]
    ) -> [String: Any] {
        let own: [String: Any] = [
            "productType": "SUBSCRIPTION", "subscriptionEvent": event, "subscriptionStartDate": now,
            "subscriptionEndDate": now + 86_400_000, "referenceLineItemId": reference as Any? ?? NSNull(),
            "subscriptionDaysOfPaidService": event == "SUBSCRIPTION_START" ? 0 : 30,
        ]
        return buy(id, own.merging(changes) { $1 })
    }

    @Test func `a report is accepted, and can be read again`() throws {
        let reports = try Reports()
        let report = reports.report([Self.buy("1"), Self.subscription("2", "SUBSCRIPTION_START")])
        #expect(try reports.codes(report) == [])
        let id = try report.text("requestIdentifier")
        let answer = try reports.scene.get(Self.path + "/" + id)
        let kept = try #require(answer["report"] as? [String: Any])
        #expect(kept as NSDictionary == report as NSDictionary)
        #expect(try reports.codes(report).first == 1)
        let unknown = try reports.scene.send("GET", Self.path + "/\(UUID())")
        #expect(unknown.status == 400)
        let errors = try reports.scene.object(unknown)["errors"] as? [[String: Any]]
        #expect(errors?.first?["errorCode"] as? Int == 3)
    }

    @Test func `nothing of a report with an error is kept`() throws {
        let reports = try Reports()
        let id = UUID().uuidString
        #expect(
            try reports.codes(reports.report([Self.buy("1"), Self.buy("2", ["taxAmount": 1])], id: id))
                == [11])
        #expect(try reports.scene.send("GET", Self.path + "/" + id).status == 400)
        // The whole report comes again with its identifier.
        #expect(try reports.codes(reports.report([Self.buy("1"), Self.buy("2")], id: id)) == [])
    }

    @Test func `a status has lines or has none`() throws {
        let reports = try Reports()
        try reports.expect(9, from: [])
        for status in ["NO_LINE_ITEM", "UNRECOGNIZED_TOKEN", "DUPLICATE_TOKEN"] {
            try reports.expect(10, from: [Self.buy("1")], status: status)
            try reports.expect(from: [], status: status)
        }
        try reports.expect(from: [Self.buy("1")])
        try reports.expect(8, from: [], status: "NO_LINE_ITEM")
        try reports.expect(7, from: [], status: "OTHER")
        var other = reports.report([Self.buy("2")])
        other["externalPurchaseId"] = "SANDBOX_1"
        #expect(try reports.codes(other) == [3])
        #expect(try reports.codes(["lineItems": [Any]()]) == [4, 4, 4])
        for body in ["", "[]", #"{"requestIdentifier":"1"}"#] {
            #expect(try reports.scene.send("PUT", Self.path, body).status == 400)
        }
    }

    /// A member of a purchase, its value, and the code of the error. `NSNull` leaves the member out.
    @Test func `each wrong member of a line has its code`() throws {
        let reports = try Reports()
        let long = String(repeating: "x", count: 129)
        let start = { Self.subscription("1", "SUBSCRIPTION_START", $0) }
        let paid = { Self.subscription("1", "SUBSCRIPTION_PAYMENT", of: "2", $0) }
        let free = ["amountTaxInclusive": 0, "amountTaxExclusive": 0, "taxAmount": 0]
        let lines: [(line: [String: Any], code: Int)] = [
            (Self.buy("1", ["taxAmount": NSNull()]), 4), (Self.buy("1", ["quantity": "1"]), 4),
            (Self.buy("1", ["lineItemId": NSNull()]), 4), (Self.buy("1", ["eventType": "SELL"]), 7),
            (Self.buy("1", ["productType": "RENT"]), 7), (Self.buy("1", ["taxCountry": "XXX"]), 7),
            (Self.buy("1", ["reportingCurrency": "XXX", "pricingCurrency": "XXX"]), 7),
            (Self.buy("1", ["subscriptionEvent": "RENEWAL"]), 5),
            (Self.buy("1", ["exchangeRate": 1.5]), 5), (Self.refund("1", of: "2", ["quantity": 1]), 5),
            (Self.buy("1", ["creationDate": Self.now + 86_400_000]), 6),
            (Self.buy("1", ["creationDate": Self.now / 1000]), 27),
            (Self.buy("1", ["creationDate": Self.now - 1]), 9901),
            (Self.refund("1", of: "1"), 13), (Self.buy("1", ["taxAmount": -1]), 15),
            (Self.buy("1", ["quantity": 0]), 16),
            (start(["subscriptionEndDate": Self.now - 1]), 17),
            (Self.buy("1", ["pricingCurrency": "GBP", "exchangeRate": 1.2]), 18),
            (Self.buy("1", ["pricingCurrency": "ISK"]), 4),
            (Self.buy("1", ["pricingCurrency": "ISK", "exchangeRate": 0]), 16),
            (Self.buy("1", ["lineItemId": long]), 19), (Self.buy("1", ["productIdentifier": long]), 19),
            (Self.buy("1", ["erroneouslySubmitted": true]), 20),
            (start(["subscriptionDaysOfPaidService": 3]), 34), (paid(free), 35),
            (Self.buy("1", ["amountTaxExclusive": Int.max, "taxAmount": Int.max]), 11),
        ]
        for (line, code) in lines {
            #expect(try reports.codes(reports.report([line])).first == code, "\(line) has \(code)")
        }
        try reports.expect(from: [Self.buy("1", ["pricingCurrency": "ISK", "exchangeRate": 0.5])])
    }

    @Test func `a refund fits its purchase`() throws {
        let reports = try Reports()
        try reports.expect(3, from: [Self.refund("r", of: "b")])
        try reports.expect(from: [Self.buy("b")])
        try reports.expect(12, from: [Self.refund("r", of: "b", ["netAmountTaxExclusive": 8000])])
        try reports.expect(23, from: [Self.refund("r", of: "b", ["taxCountry": "FRA"])])
        let dollars = ["pricingCurrency": "USD", "reportingCurrency": "USD"]
        try reports.expect(2, 32, from: [Self.refund("r", of: "b", dollars)])
        let kronur: [String: Any] = ["pricingCurrency": "ISK", "exchangeRate": 0.5]
        try reports.expect(32, 33, from: [Self.refund("r", of: "b", kronur)])
        try reports.expect(31, from: [Self.refund("r", of: "b", ["creationDate": Self.now - 1])])
        try reports.expect(from: [Self.refund("r", of: "b")])
        try reports.expect(28, from: [Self.refund("q", of: "r")])
        // Two lines of one sum say the same of it.
        let part = ["netAmountTaxExclusive": 2000]
        let more = Self.refund("s", of: "b", ["netAmountTaxExclusive": 4000])
        try reports.expect(12, 24, from: [more, Self.refund("t", of: "b", part)])
        try reports.expect(from: [Self.refund("s", of: "b", part), Self.refund("t", of: "b", part)])
    }

    @Test func `a renewal refers to the start`() throws {
        let reports = try Reports()
        let start = Self.subscription("1", "SUBSCRIPTION_START")
        try reports.expect(from: [start, Self.subscription("2", "RENEWAL", of: "1")])
        try reports.expect(14, from: [Self.subscription("3", "RENEWAL", of: "2")])
        try reports.expect(4, from: [Self.subscription("3", "RENEWAL")])
        try reports.expect(5, from: [Self.subscription("3", "SUBSCRIPTION_START", of: "1")])
        try reports.expect(from: [Self.refund("4", of: "1")])
        try reports.expect(21, from: [Self.subscription("5", "RENEWAL", of: "4")])
    }

    @Test func `a line is restated, and can be taken back`() throws {
        let reports = try Reports()
        let wrong: [String: Any] = ["restatement": true, "erroneouslySubmitted": true]
        let restated = Self.buy("1", ["restatement": true])
        try reports.expect(1, from: [Self.buy("1"), Self.buy("1")])
        try reports.expect(3, from: [restated])
        try reports.expect(from: [Self.buy("1")])
        try reports.expect(1, from: [Self.buy("1")])
        try reports.expect(from: [restated])
        try reports.expect(from: [Self.refund("2", of: "1")])
        try reports.expect(22, from: [Self.buy("1", wrong)])
        try reports.expect(from: [Self.refund("2", of: "1", wrong)])
        try reports.expect(30, from: [Self.refund("2", of: "1", wrong)])
        try reports.expect(from: [Self.buy("1", wrong)])
        try reports.expect(25, from: [Self.refund("3", of: "1")])
        try reports.expect(from: [restated])
    }
}
