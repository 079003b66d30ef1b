extension Transaction.OfferType: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.introductory, "introductory", "introductory offer"),
        Words(.promotional, "promotional", "promotional offer"), Words(.code, "code", "offer code"),
        Words(.winBack, "winBack", "win-back offer"),
    ]
}

extension Transaction.Offer.PaymentMode: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.freeTrial, "freeTrial", "free trial"),
        Words(.payAsYouGo, "payAsYouGo", "a lower price each period"),
        Words(.payUpFront, "payUpFront", "one lower price in advance"),
        Words(.oneTime, "oneTime", "a lower price once"),
    ]
}

extension Transaction.OwnershipType: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.purchased, "purchased", "bought by the customer"),
        Words(.familyShared, "familyShared", "shared by the customer's family"),
        Words(.assigned, "assigned", "assigned by an organization or a group"),
    ]
}

extension Transaction.MultiSeatInfo.InvitationManagement: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.apple, "apple", "by the App Store"),
        Words(.developer, "developer", "by the app's developer"),
    ]
}

extension Transaction.RevocationReason: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.developerIssue, "developerIssue", "a problem with the app"),
        Words(.other, "other", "another reason"),
    ]
}

extension Product.ProductType: WordedValue {
    package static let words: [Words<Self>] = [
        Words(.autoRenewable, "autoRenewable", "auto-renewable"),
        Words(.nonRenewable, "nonRenewable", "non-renewing"), Words(.consumable, "consumable", "consumable"),
        Words(.nonConsumable, "nonConsumable", "non-consumable"),
    ]
}
