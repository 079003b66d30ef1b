import Foundation
import SignedPayloads
import StoreKitFixtures
import StoreKitVerify
import Testing

/// The members that return verified values or throw, and the names that a journal needs.
@Suite struct VerifiedValueTests {
    private static let renewal = Signed.renewalPayload(original: 1, signed: 2)

    private func notification(_ transaction: String, type: String = "DID_RENEW") throws -> String {
        try Signed.token(
            #"{"notificationType":"\#(type)","notificationUUID":"\#(UUID())","version":"2.0","signedDate":\#(Signed.day(2)),"data":{"signedTransactionInfo":"\#(transaction)","signedRenewalInfo":"\#(try Signed.token(Self.renewal))"}}"#
        )
    }

    private func batch() throws -> BatchVerifier {
        BatchVerifier(try Signed.verifier().payloads, jobs: 1)
    }

    @Test func `a good body gives its notification, bare or wrapped, with or without line breaks`()
        async throws
    {
        let token = try notification(Signed.token(Signed.transactionPayload(id: 1, expires: 30)))
        let (verifier, batch) = (try Signed.verifier(), try batch())
        for body in [token, token + "\n", token + "\r\n", #"{"signedPayload":"\#(token)"}"# + "\n"] {
            #expect(try verifier.verifiedNotification(body: body.utf8).notificationType == .didRenew)
            #expect(try verifier.notification(body: body.utf8).payloadValue.notificationType == .didRenew)
            #expect(try await batch.verifiedNotification(body: body.utf8).notificationType == .didRenew)
        }
        for body in ["", "\n", " " + token, token + " ", "{}", #"{"signedPayload":1}"#] {
            #expect(throws: PayloadError.self) {
                try verifier.verifiedNotification(body: body.utf8)
            }
            await #expect(throws: PayloadError.self) {
                try await batch.verifiedNotification(body: body.utf8)
            }
        }
    }

    @Test func `whatever is spoilt is thrown, with its code and its place`() async throws {
        let good = try Signed.token(Signed.transactionPayload(id: 1, expires: 30))
        let tampered = try Signed.tampered(Signed.transactionPayload(id: 1, expires: 30))
        let incomplete = try Signed.token(#"{"transactionId":"1","signedDate":1760000000000}"#)
        func check(_ jws: String, _ code: PayloadError.Code, _ member: String?)
            async throws
        {
            let failure = #expect(throws: PayloadError.self) {
                try Signed.verifier().verifiedNotification(body: jws.utf8)
            }
            #expect(failure?.code == code && failure?.member == member)
            let batch = try batch()
            let again = await #expect(throws: PayloadError.self) {
                try await batch.verifiedNotification(body: jws.utf8)
            }
            #expect(again?.code == code && again?.member == member)
        }
        try await check(notification(tampered), .invalidSignature, "data.signedTransactionInfo")
        try await check(String(notification(good).dropLast()), .invalidEncoding, nil)
        #expect(throws: PayloadError.self) {
            try Signed.verifier().verifiedTransaction(incomplete)
        }
        #expect(throws: PayloadError.self) {
            try Signed.verifier().verifiedTransaction(tampered)
        }
        #expect(try Signed.verifier().verifiedTransaction(good).id == 1)
        #expect(
            try Signed.verifier().verifiedRenewalInfo(Signed.token(Self.renewal)).originalTransactionID == 1)
    }

    @Test func `a notification gives its customers' names, and what it means for programs and people`() throws
    {
        let token = UUID()
        let transaction = Signed.transactionPayload(
            id: 1, expires: 30, ["appAccountToken": "\"\(token)\"", "appTransactionId": #""704""#])
        let notification = try Signed.verifier().verifiedNotification(
            body: notification(Signed.token(transaction), type: "REFUND").utf8)
        #expect(
            notification.customers == [
                .originalTransactionID(1), .appAccountToken(token), .appTransactionID("704"),
            ])
        #expect(notification.meaning.name == "refunded")
        #expect("\(notification.meaning)" == "The App Store refunded the transaction.")
        struct Entry: Encodable {
            let meaning: ServerNotification.Meaning
            let access: ServerNotification.AccessChange
            let customers: [Customer.Name]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let entry = Entry(
            meaning: notification.meaning, access: notification.accessChange,
            customers: notification.customers)
        #expect(
            String(decoding: try encoder.encode(entry), as: UTF8.self)
                == #"{"access":"ends","customers":["original-transaction:1","\#(token.uuidString.lowercased())","app-transaction:704"],"meaning":"refunded"}"#
        )
        let customer = Customer(notification.customers)
        #expect(try JSONDecoder().decode(Customer.self, from: encoder.encode(customer)) == customer)
        let nameless = Customer([])
        #expect(nameless != .everyone && !nameless.owns(customer.names))
        #expect(Customer.everyone.owns(customer.names))
        #expect(try JSONDecoder().decode(Customer.self, from: encoder.encode(Customer.everyone)) == nameless)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Customer.Name].self, from: Data(#"["me"]"#.utf8))
        }
    }

    @Test func `every meaning has a name of its own`() {
        let rows = NotificationMeaningTests.subscriptions + NotificationMeaningTests.others
        let known = Set(rows.map(\.meaning))
        #expect(Set(known.map(\.name)).count == known.count)
        #expect(Set(known.map(\.description)).count == known.count)
    }
}
