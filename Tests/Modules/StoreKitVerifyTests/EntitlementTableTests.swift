import Foundation
import RepositoryFiles
import StoreKitFixtures
import StoreKitVerify
import Testing

/// Runs every row of the tables on the page "When is a customer entitled?".
@Suite struct EntitlementTableTests {
    /// A row: the kind of product, the payloads, and the expected entitlement and status.
    struct Row: CustomTestStringConvertible {
        let kind: String
        let payloads: [String]
        let day: Int
        let entitled: [UInt64]
        /// The state in the words of `localizedDescription`, in lower case; `nil` for products without one.
        let state: String?
        let testDescription: String
    }

    static let rows: [Row] = {
        guard let page = try? Repository.text(path) else { return [] }
        return page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("#") }.compactMap(row)
    }()

    private static let path = "Sources/StoreKit/StoreKitVerify/StoreKitVerify.docc/WhenIsACustomerEntitled.md"

    private static func row(_ line: Substring) -> Row? {
        var cells = line.dropFirst().dropLast().split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let hasState = cells.first?.hasPrefix("`") ?? false
        let kind = hasState ? "Auto-Renewable Subscription" : cells.removeFirst()
        guard cells.count == (hasState ? 5 : 4), let day = Int(cells[1]) else { return nil }
        return Row(
            kind: kind,
            payloads: cells[0].split(separator: ",").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }, day: day, entitled: cells[2].split(separator: " ").compactMap { UInt64($0) },
            state: hasState ? cells[3] : nil, testDescription: String(line))
    }

    @Test func `the page has the rows`() { #expect(Self.rows.count == 81) }

    @Test(arguments: rows) func `a row of the page holds, in every order of arrival`(row: Row) throws {
        for offset in row.payloads.indices {
            var history = PurchaseHistory()
            for index in row.payloads.indices {
                try add(row.payloads[(index + offset) % row.payloads.count], row.kind, to: &history)
            }
            let instant = Signed.instant(row.day)
            #expect(history.currentEntitlements(at: instant).map(\.id) == row.entitled)
            let states = history.statuses(at: instant).map { $0.state.localizedDescription.lowercased() }
            #expect(states == (row.state.map { [$0] } ?? []))
        }
    }

    /// Adds a payload in the page's notation.
    private func add(_ text: String, _ kind: String, to history: inout PurchaseHistory) throws {
        let payload = try PageNotation(text)
        switch payload.kind {
        case .transaction: try history.add(Signed.transaction(payload.transaction(kind)))
        case .renewalInfo: try history.add(Signed.renewalInfo(payload.renewalInfo()))
        case .notice:
            let result = try Signed.verifier().notification(Signed.token(payload.notification(kind)))
            let notification = try result.payloadValue
            let (transaction, renewalInfo) = try notification.purchases()
            if let transaction { try history.add(.verified(transaction)) }
            if let renewalInfo { try history.add(.verified(renewalInfo)) }
            if let grace = AnnouncedGrace(notification) { history.add(grace) }
        }
    }
}

/// A payload in the notation of the page "When is a customer entitled?".
private struct PageNotation {
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
        if let order = word(after: "order") { members["webOrderLineItemId"] = "\"\(order)\"" }
        if let seats = number("seats") {
            members["quantity"] = "\(seats)"
            let revoked = number("revoked").map { ",\"revokedSeatQuantity\":\($0)" } ?? ""
            members["multiSeatInfo"] = #"{"invitationManagement":"DEVELOPER"\#(revoked)}"#
        }
        return Signed.transactionPayload(
            id: id, original: number("of") ?? id, product: product, type: type, purchased: days[0],
            expires: days.dropFirst().first, signed: number("at"), members)
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
