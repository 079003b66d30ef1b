import Foundation
import StoreKitTestSession
import StoreKitVerify
import Testing

/// A scenario that has run, and the members of each notification that it caused.
///
/// After each event, the entitlements of our verifier were compared with what the App Store knows.
struct PlayedScenario {
    /// A notification.
    struct Event {
        let notification: TestNotification
        let payload: [String: Any]
        let transaction: [String: Any]
        let renewal: [String: Any]

        var name: String { notification.name }
        var status: Int? { notification.status?.rawValue }
        /// The part of the renewal information that is about what follows the commitment.
        var commitment: [String: Any] { renewal["commitmentInfo"] as? [String: Any] ?? [:] }
    }

    let events: [Event]
    let appStore: TestAppStore
    /// What the server makes of all payloads.
    let history: PurchaseHistory

    /// - Parameters:
    ///   - text: the lines. `MONTHLY`, `YEARLY` and `PREMIUM` stand for the example's subscriptions.
    ///   - configuration: the products; the example's by default.
    init(
        _ text: String, _ configuration: StoreKitConfiguration? = nil,
        environment: AppStore.Environment = .production
    ) throws {
        let names = [
            ("MONTHLY", Garden.monthly), ("YEARLY", Garden.yearly), ("PREMIUM", Garden.premium),
            ("GREENHOUSE", Garden.greenhouse), ("SEEDS", Garden.seeds),
        ]
        let lines = names.reduce(text) { $0.replacing($1.0, with: $1.1) }
        appStore = try TestAppStore(
            configuration ?? Garden.configuration(), environment: environment, startingAt: Garden.start,
            seed: 1)
        let server = try SimulatedServer(appStore)
        var events: [Event] = []
        try ScenarioRun(Scenario(lines, name: "test"), in: appStore, seed: 1).run { output in
            try server.receive(output)
            for case .notification(let notification) in output { events.append(try Self.event(notification)) }
        }
        self.events = events
        history = server.store.currentHistory(of: .everyone)
    }

    private static func event(_ notification: TestNotification) throws -> Event {
        let payload = try members(ofToken: notification.signedPayload)
        let data = payload["data"] as? [String: Any] ?? [:]
        return Event(
            notification: notification,
            payload: payload,
            transaction: try (data["signedTransactionInfo"] as? String).map(members) ?? [:],
            renewal: try (data["signedRenewalInfo"] as? String).map(members) ?? [:])
    }

    static func members(ofToken token: String) throws -> [String: Any] {
        let segment = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing(
            "_", with: "/")
        let padded = segment + String(repeating: "=", count: (4 - segment.count % 4) % 4)
        let data = try #require(Data(base64Encoded: padded))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The events of a kind.
    func events(_ name: String) -> [Event] { events.filter { $0.name == name } }

    /// The only event of a kind.
    func event(_ name: String) throws -> Event {
        let found = events(name)
        try #require(found.count == 1, "\(name): \(events.map(\.name))")
        return found[0]
    }

    /// The events of a customer: 0 is the one who got the first notification.
    func events(ofCustomer number: Int) -> [Event] {
        var order: [UInt64] = []
        for case .some(let customer) in events.map(\.notification.appTransactionID)
        where !order.contains(customer) { order.append(customer) }
        return events.filter { $0.notification.appTransactionID == order[number] }
    }
}
