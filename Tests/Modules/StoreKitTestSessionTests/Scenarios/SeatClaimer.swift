import Foundation
import SeededRandom
import StoreKitTestSession
import StoreKitVerify
import TestServerAPI
import Testing

/// The part of an app's server that gives seats to members, at random: it claims, names, and unclaims them through the App
/// Store Server API, and keeps what it did in the server's store.
///
/// After each event, every member's access by our verifier is what the App Store's own records say.
final class SeatClaimer {
    private let server: SimulatedServer
    private let api: TestAppStoreAPI
    private let key: ServerAPIKey
    private var random: SplitMix64
    /// The customers who were met, and those of them who bought seats: the purchase of each.
    private var customers: [UInt64] = []
    private var purchases: [(purchaser: UInt64, id: UInt64)] = []
    private var known: Set<UInt64> = []
    /// The claims that were made and not given back here. `UNCLAIM_SEATS` may have ended some.
    private var claims: [(id: UUID, purchase: UInt64, member: UInt64?)] = []
    private var members: Set<UInt64> = []
    /// How often each kind of request succeeded.
    private(set) var done: [String: Int] = [:]
    private(set) var comparisons = 0

    init(_ server: SimulatedServer, seed: UInt64) throws {
        self.server = server
        key = try ServerAPIKey(of: server.appStore.authority)
        api = TestAppStoreAPI(server.appStore, keys: [key])
        random = SplitMix64(seed: seed)
    }

    /// Meets the customers of an event, gives or takes a seat, and compares the members' access.
    func receive(_ output: [SignedOutput]) throws {
        var instant = server.appStore.now
        for case .notification(let notification) in output {
            // Of a claim that the App Store ended, the end is the notification's own date, some milliseconds later.
            instant = max(instant, notification.date)
            guard let customer = notification.appTransactionID else { continue }
            if known.insert(customer).inserted { customers.append(customer) }
        }
        try findPurchases()
        try act()
        for member in members.sorted() { compare(member, at: max(instant, server.appStore.now)) }
    }

    private func findPurchases() throws {
        for customer in customers where !purchases.contains(where: { $0.purchaser == customer }) {
            guard let id = server.appStore.truth(of: customer)?.seats.keys.min() else { continue }
            purchases.append((customer, id))
        }
    }

    private func act() throws {
        guard let (purchaser, purchase) = purchases.randomElement(using: &random) else { return }
        let member = customers.filter { $0 != purchaser }.randomElement(using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: if let member { try claim(purchase, for: member) }
        case 2: try claim(purchase, for: nil)
        case 3: if let member { try nameMember(member) }
        case 4: try unclaim()
        default: break
        }
    }

    private func claim(_ purchase: UInt64, for member: UInt64?) throws {
        let name = member.map { #","appTransactionId":"\#($0)""# } ?? ""
        let answer = try send("POST", purchase, "", #"{"requestIdentifier":"\#(uuid())"\#(name)}"#)
        guard let text = answer?["seatClaimId"] as? String, let id = UUID(uuidString: text) else { return }
        claims.append((id, purchase, member))
        try keep(id, purchase, member)
        done["claim", default: 0] += 1
    }

    /// Names the member of a claim that has none.
    private func nameMember(_ member: UInt64) throws {
        guard let place = claims.indices.filter({ claims[$0].member == nil }).randomElement(using: &random)
        else { return }
        let claim = claims[place]
        let path = "/\(claim.id)/associate"
        let answer = try send("POST", claim.purchase, path, #"{"appTransactionId":"\#(member)"}"#)
        guard answer != nil else { return }
        claims[place].member = member
        try keep(claim.id, claim.purchase, member)
        done["associate", default: 0] += 1
    }

    private func unclaim() throws {
        guard let place = claims.indices.randomElement(using: &random) else { return }
        let claim = claims.remove(at: place)
        guard try send("DELETE", claim.purchase, "/\(claim.id)", "") != nil else { return }
        server.store.end([claim.id], at: server.appStore.now)
        done["unclaim", default: 0] += 1
    }

    private func keep(_ id: UUID, _ purchase: UInt64, _ member: UInt64?) throws {
        if let member { members.insert(member) }
        let chain = PurchaseChain.ID(
            originalTransactionID: purchase, environment: .sandbox, appBundleID: "com.example.garden")
        server.store.add(
            SeatClaim(
                id: id, of: chain, for: member.map { [.appTransactionID(String($0))] } ?? [],
                date: server.appStore.now))
    }

    /// The body of an answer; `nil` if the App Store refuses, because no seat is free or the claim has ended.
    private func send(
        _ method: String, _ purchase: UInt64, _ path: String, _ body: String
    ) throws -> [String: Any]? {
        let now = server.appStore.now
        let token = try key.token(for: "com.example.garden", at: now)
        let response = api.respond(
            to: ServerAPIRequest(
                method, "/groups/v1/transactions/\(purchase)/seats" + path,
                headers: [.init("Authorization", "Bearer \(token)")], body: Array(body.utf8)), at: now)
        guard response.status == 200 else {
            #expect([400, 403, 404].contains(response.status))
            return nil
        }
        let object = response.body.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(response.body))
        return object as? [String: Any]
    }

    private func uuid() -> UUID {
        // Two numbers of sixteen hexadecimal digits.
        let digits = [random.next(), random.next()].map {
            String(repeating: "0", count: $0.leadingZeroBitCount / 4) + ($0 == 0 ? "" : String($0, radix: 16))
        }.joined()
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
    }

    private func compare(_ member: UInt64, at now: Date) {
        let history = server.store.currentHistory(of: .appTransactionID(String(member)))
        let claimed = history.entitlements(at: now).filter { $0.seatClaim != nil }
        let products = Set(claimed.map(\.transaction.productID))
        #expect(products == server.appStore.truth(of: member)?.claimedSeats, "\(member) at \(now)")
        comparisons += 1
    }
}
