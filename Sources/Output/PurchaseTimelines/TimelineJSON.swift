internal import Essentials
internal import StoreKitVerify
package import WireFormats

extension PurchaseTimeline {
    /// The timeline as JSON, for programs that draw it their own way: the lanes of the picture with their spans and events.
    ///
    /// Names of members are a promise to programs. Texts in them are for people and may change.
    package var object: ObjectText {
        var object = ObjectText()
        object.add("at", instant)
        object.add("lanes", all: lanes.map { $0.object(at: instant) })
        object.add("omittedLanes", omittedLanes)
        return object
    }
}

extension PurchaseTimeline.Lane {
    fileprivate func object(at instant: Date) -> ObjectText {
        // Dates have members of their own here, to the millisecond.
        let words = TimelineText(hasSeconds: true)
        var object = ObjectText()
        object.add("productID", latest.productID)
        object.add("productType", latest.productType.rawValue)
        if latest.productType != .consumable { object.add("originalID", id: latest.originalID) }
        object.addUnlessEmpty("appBundleID", latest.appBundleID)
        object.addUnlessEmpty("environment", environment.rawValue)
        object.add("isEntitled", status?.isEntitled ?? false)
        object.add("standing", words.status(self))
        object.add("spans", all: spans.map(\.object))
        object.add("events", all: events.map { $0.object(words, isPast: $0.date <= instant) })
        object.add("omittedTransactions", omittedTransactions)
        return object
    }
}

extension PurchaseTimeline.Span {
    fileprivate var object: ObjectText {
        var object = ObjectText()
        object.add("kind", kind.rawValue)
        object.add("text", TimelineText.name(kind))
        object.add("start", start)
        object.add("end", end)
        object.add("productID", productID)
        object.add("transactionID", id: transactionID)
        return object
    }
}

extension PurchaseTimeline.Event {
    fileprivate func object(_ words: TimelineText, isPast: Bool) -> ObjectText {
        var object = ObjectText()
        object.add("kind", kind.name)
        object.add("date", date)
        object.add("text", words.text(self, isPast: isPast))
        object.add("productID", transaction.productID)
        object.add("transactionID", id: transaction.id)
        return object
    }
}

extension PurchaseTimeline.Event.Kind {
    /// The kind without its values.
    ///
    /// The names are written out, so that renaming a case in Swift changes no JSON.
    fileprivate var name: String {
        switch self {
        case .bought: "bought"
        case .earliestKnown: "earliestKnown"
        case .boughtAgain: "boughtAgain"
        case .consumable: "consumable"
        case .restored: "restored"
        case .upgraded: "upgraded"
        case .changedProduct: "changedProduct"
        case .recovered: "recovered"
        case .offerBegan: "offerBegan"
        case .priceChanged: "priceChanged"
        case .revoked: "revoked"
        case .renewalOff: "renewalOff"
        case .priceIncrease: "priceIncrease"
        case .renews: "renews"
        case .ended: "ended"
        }
    }
}
