package import SignedPayloads
package import StoreKitVerify
package import WireFormats

/// The outcome of a payload that was sent to be kept, as a JSON object.
package struct SubmittedVerdict {
    /// The outcome of a verified payload.
    package enum Outcome: String {
        /// It is kept now.
        case new
        /// It was kept already, or a later signing of the same.
        case known
        /// It says nothing about a purchase, and is not kept.
        case noPurchase
    }

    /// The line on which the payload ended, from 1.
    private let line: Int
    /// The path of the member that held it.
    private let member: String?

    /// - Parameters:
    ///   - line: the line on which the payload ended, from 1.
    ///   - member: the path of the member that held it; `nil` if it stood by itself.
    package init(line: Int, member: String?) { (self.line, self.member) = (line, member) }

    private var beginning: ObjectText {
        var object = ObjectText()
        object.add("line", line)
        return object
    }

    /// A payload that is not verified, and not kept.
    package func object(for error: PayloadError) -> ObjectText {
        var object = beginning
        object.add("verified", false)
        let placed = member.map { error.inside($0) } ?? error
        for (name, value) in placed.jsonMembers { object.add(name, json: value) }
        return object
    }

    /// A verified payload.
    ///
    /// - Parameters:
    ///   - values: its transactions and renewal information; the first one is described.
    ///   - counts: whether it counts in the answer's entitlements; `nil` if it is not about a purchase.
    ///   - note: why it does not.
    package func object(
        for kind: SignedPayloadKind, _ outcome: Outcome, _ values: [PurchaseValue], counts: Bool?,
        note: String?
    ) -> ObjectText {
        var object = beginning
        object.add("at", message: member)
        object.add("verified", true)
        object.add("type", kind.rawValue)
        object.add("outcome", outcome.rawValue)
        if let value = values.first { Self.add(value, to: &object) }
        object.add("counts", counts)
        object.add("note", message: note)
        return object
    }

    private static func add(_ value: PurchaseValue, to object: inout ObjectText) {
        switch value {
        case .transaction(let transaction):
            object.add("transactionID", id: transaction.id)
            object.add("originalID", id: transaction.originalID)
            object.add("productID", transaction.productID)
        case .renewalInfo(let renewalInfo):
            object.add("originalID", id: renewalInfo.originalTransactionID)
            object.add("productID", renewalInfo.currentProductID)
        case .appTransaction, .announcedGrace: break
        }
        object.addUnlessEmpty("appBundleID", value.bundleID ?? "")
        object.addUnlessEmpty("environment", value.environment.rawValue)
        object.add("customers", value.customers.ordered.map(\.description))
    }
}
