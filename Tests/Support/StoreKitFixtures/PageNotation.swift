import Foundation
package import StoreKitVerify

/// A payload in the notation of the pages "When is a customer entitled?" and "What was paid".
package struct PageNotation {
    private enum Kind { case transaction, renewalInfo, notice }

    /// The text is not in the notation.
    package struct NotationError: Error { let text: String }

    private let kind: Kind
    private let id: Int
    private let words: [String]
    /// What is added to each identifier, so that many rows can be read together.
    private let offset: Int

    /// - Parameter offset: what is added to each identifier. Above 0, all payloads name one download, too.
    package init(_ text: String, offset: Int = 0) throws {
        func number(_ text: some StringProtocol) throws -> Int {
            guard let number = Int(text) else { throw NotationError(text: String(text)) }
            return number
        }
        self.offset = offset
        var words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "info":
            kind = .renewalInfo
            id = try number(words[2])
        case "notice":
            kind = .notice
            id = try number(words[1].dropFirst())
            words.removeFirst(2)
        default:
            kind = .transaction
            id = try number(words[0].dropFirst())
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

    private var download: [String: String] { offset > 0 ? ["appTransactionId": "\"\(offset)\""] : [:] }

    private func transaction(_ type: String) throws -> String {
        let period = words.first { $0.first?.isNumber ?? false && $0 != word(after: "of") }
        let days = (period ?? "").split(separator: "-").compactMap { Int($0) }
        guard let purchased = days.first else { throw NotationError(text: words.joined(separator: " ")) }
        var members = members(["refunded": "revocationDate"])
        members.merge(download) { $1 }
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
        if let previous = number("previous") {
            members["previousOriginalTransactionId"] = "\"\(previous + offset)\""
        }
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
            id: id + offset, original: (number("of") ?? id) + offset, product: product, type: type,
            purchased: purchased,
            expires: days.dropFirst().first, signed: number("at"), members)
    }

    /// The day of the signature.
    private var signed: Int {
        get throws {
            guard let day = number("at") else { throw NotationError(text: words.joined(separator: " ")) }
            return day
        }
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
            guard parts.count > 1, let price = thousandths(parts[1]) else { throw NotationError(text: text) }
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

    /// The token of the payload.
    ///
    /// - Parameter type: the kind of product.
    package func token(_ type: String) throws -> String {
        switch kind {
        case .transaction: try Signed.token(transaction(type))
        case .renewalInfo: try Signed.token(renewalInfo())
        case .notice: try Signed.token(notification(type))
        }
    }

    /// Adds the payload to purchases.
    package func add(_ type: String, to history: inout PurchaseHistory) throws {
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

    private func renewalInfo() throws -> String {
        var members = members(["renews": "renewalDate", "grace": "gracePeriodExpiresDate"])
        members.merge(download) { $1 }
        if kind == .notice || words.contains("retry") {
            members["isInBillingRetryPeriod"] = "true"
            members["expirationIntent"] = "2"
        }
        if words.contains("off") { members["autoRenewStatus"] = "0" }
        if let reason = number("reason") { members["expirationIntent"] = "\(reason)" }
        return Signed.renewalPayload(
            original: (number("of") ?? id) + offset, product: product, signed: try signed, members)
    }

    /// A failed renewal without the date of a grace period, and the status that the notification gives.
    private func notification(_ type: String) throws -> String {
        let (transaction, renewalInfo) = (try transaction(type), try renewalInfo())
        return Signed.object([
            "notificationType": #""DID_FAIL_TO_RENEW""#, "subtype": #""GRACE_PERIOD""#,
            "notificationUUID": "\"\(UUID().uuidString.lowercased())\"", "version": #""2.0""#,
            "signedDate": "\(Signed.day(try signed) + 2000)",
            "data": Signed.object([
                "bundleId": #""com.example.garden""#, "environment": #""Production""#,
                "status": "\(number("status") ?? 1)",
                "signedTransactionInfo": "\"\(try Signed.token(transaction))\"",
                "signedRenewalInfo": "\"\(try Signed.token(renewalInfo))\"",
            ]),
        ])
    }
}

/// A row of a table on those pages: what the customer's payloads are, and what follows from them.
package struct PageRow: Sendable, CustomStringConvertible {
    /// The kind of product.
    package let kind: String
    /// The payloads, in the notation.
    package let payloads: [String]
    /// The other cells.
    package let cells: [String]
    package let description: String

    /// The rows of a page.
    package static func all(in page: String) -> [PageRow] {
        page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("#") }.compactMap(PageRow.init)
    }

    private init?(_ line: Substring) {
        var cells = line.dropFirst().dropLast().split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard cells.count > 2 else { return nil }
        kind = cells[0].hasPrefix("`") ? "Auto-Renewable Subscription" : cells.removeFirst()
        payloads = Self.items(cells.removeFirst())
        self.cells = cells
        description = String(line)
    }

    /// The items of a cell, which are separated by commas.
    package static func items(_ cell: String) -> [String] {
        cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
    }
}
