import Foundation
import StoreKitFixtures
import StoreKitVerify
import Testing

/// A payload in the notation of the pages "When is a customer entitled?" and "What was paid".
struct PageNotation {
    enum Kind { case transaction, renewalInfo, notice }

    let kind: Kind
    private let id: Int
    private let words: [String]

    init(_ text: String) throws {
        var words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "info":
            kind = .renewalInfo
            id = try #require(Int(words[2]))
        case "notice":
            kind = .notice
            id = try #require(Int(words[1].dropFirst()))
            words.removeFirst(2)
        default:
            kind = .transaction
            id = try #require(Int(words[0].dropFirst()))
            words.removeFirst()
        }
        self.words = words
    }

    private func word(after name: String) -> String? {
        words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }

    private func number(_ name: String) -> Int? { word(after: name).flatMap { Int($0) } }

    /// The members that words of the notation stand for.
    private func members(_ names: [String: String]) -> [String: String] {
        names.reduce(into: [:]) { members, name in
            members[name.value] = number(name.key).map { "\(Signed.day($0))" }
        }
    }

    private var product: String { word(after: "product") ?? "plus" }

    func transaction(_ type: String) throws -> String {
        let period = try #require(words.first { $0.first?.isNumber ?? false && $0 != word(after: "of") })
        let days = period.split(separator: "-").compactMap { Int($0) }
        var members = members(["refunded": "revocationDate"])
        if words.contains("upgraded") { members["isUpgraded"] = "true" }
        if words.contains("family") { members["inAppOwnershipType"] = #""FAMILY_SHARED""# }
        if words.contains("assigned") { members["inAppOwnershipType"] = #""ASSIGNED""# }
        if words.contains("monthly") { members["billingPlanType"] = #""MONTHLY""# }
        if words.contains("added") { members["additionalTransactionReason"] = #""SEAT_ADDITION""# }
        if words.contains("renewal") { members["transactionReason"] = #""RENEWAL""# }
        if let price = thousandths("price") {
            members.merge(["price": "\(price)", "currency": #""USD""#]) { $1 }
        }
        if let percent = thousandths("percent") { members["revocationPercentage"] = "\(percent)" }
        if let previous = number("previous") { members["previousOriginalTransactionId"] = "\"\(previous)\"" }
        if let count = number("count") { members["quantity"] = "\(count)" }
        if let items = word(after: "items") { members["advancedCommerceInfo"] = try Self.items(items) }
        if let order = word(after: "order") { members["webOrderLineItemId"] = "\"\(order)\"" }
        if let seats = number("seats") {
            members["quantity"] = "\(seats)"
            let revoked = number("revoked").map { ",\"revokedSeatQuantity\":\($0)" } ?? ""
            let tiers = word(after: "tiers").map { ",\"priceTiers\":\(Self.tiers($0))" } ?? ""
            members["multiSeatInfo"] = #"{"invitationManagement":"DEVELOPER"\#(revoked)\#(tiers)}"#
        }
        return Signed.transactionPayload(
            id: id, original: number("of") ?? id, product: product, type: type, purchased: days[0],
            expires: days.dropFirst().first, signed: number("at"), members)
    }

    /// A price or percentage in thousandths.
    private func thousandths(_ name: String) -> Int? { word(after: name).flatMap(Self.thousandths) }

    private static func thousandths(_ text: some StringProtocol) -> Int? {
        Double(text).map { Int(($0 * 1000).rounded()) }
    }

    /// Items of an Advanced Commerce purchase, such as `a:10;b:5-5@8`: of the second one, 5 were paid back on day 8.
    private static func items(_ text: String) throws -> String {
        let items = try text.split(separator: ";").map { item in
            let parts = item.split(whereSeparator: { ":-@".contains($0) })
            let price = try #require(thousandths(parts[1]))
            var refunds = ""
            if parts.count == 4, let amount = thousandths(parts[2]), let day = Int(parts[3]) {
                refunds =
                    #","refunds":[{"refundAmount":\#(amount),"refundDate":\#(Signed.day(day)),"refundType":"CUSTOM"}]"#
            }
            return #"{"SKU":"\#(parts[0])","price":\#(price)\#(refunds)}"#
        }
        return #"{"items":[\#(items.joined(separator: ","))]}"#
    }

    /// Tiers of seats, such as `5x10;3x8`: five seats for 10 each, and three for 8.
    private static func tiers(_ text: String) -> String {
        let tiers = text.split(separator: ";").map { tier in
            let parts = tier.split(separator: "x")
            return #"{"price":\#(thousandths(parts[1]) ?? 0),"quantity":\#(parts[0])}"#
        }
        return "[\(tiers.joined(separator: ","))]"
    }

    /// Adds the payload to purchases.
    func add(_ type: String, to history: inout PurchaseHistory) throws {
        switch kind {
        case .transaction: try history.add(Signed.transaction(transaction(type)))
        case .renewalInfo: try history.add(Signed.renewalInfo(renewalInfo()))
        case .notice:
            let result = try Signed.verifier().notification(Signed.token(notification(type)))
            let notification = try result.payloadValue
            let (transaction, renewalInfo) = try notification.purchases()
            if let transaction { try history.add(.verified(transaction)) }
            if let renewalInfo { try history.add(.verified(renewalInfo)) }
            if let grace = AnnouncedGrace(notification) { history.add(grace) }
        }
    }

    func renewalInfo() throws -> String {
        var members = members(["renews": "renewalDate", "grace": "gracePeriodExpiresDate"])
        if kind == .notice || words.contains("retry") {
            members["isInBillingRetryPeriod"] = "true"
            members["expirationIntent"] = "2"
        }
        if words.contains("off") { members["autoRenewStatus"] = "0" }
        if let reason = number("reason") { members["expirationIntent"] = "\(reason)" }
        return Signed.renewalPayload(
            original: number("of") ?? id, product: product, signed: try #require(number("at")), members)
    }

    /// A failed renewal without the date of a grace period, and the status that the notification gives.
    func notification(_ type: String) throws -> String {
        let (transaction, renewalInfo) = (try transaction(type), try renewalInfo())
        return Signed.object([
            "notificationType": #""DID_FAIL_TO_RENEW""#, "subtype": #""GRACE_PERIOD""#,
            "notificationUUID": "\"\(UUID().uuidString.lowercased())\"", "version": #""2.0""#,
            "signedDate": "\(Signed.day(try #require(number("at"))) + 2000)",
            "data": Signed.object([
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "status": "\(try #require(number("status")))",
                "signedTransactionInfo": "\"\(try Signed.token(transaction))\"",
                "signedRenewalInfo": "\"\(try Signed.token(renewalInfo))\"",
            ]),
        ])
    }
}
