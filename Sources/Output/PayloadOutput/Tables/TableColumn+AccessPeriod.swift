package import StoreKitVerify

/// The columns of `storekit-verify periods`, which the page For analysts describes.
extension TableColumn<AccessPeriod> {
    package static let periods: [TableColumn<AccessPeriod>] =
        [
            TableColumn("begins") { TableValue($0.begins) },
            TableColumn("ends") { TableValue($0.ends) },
            TableColumn("state") {
                TableValue($0.state.flatMap { Product.SubscriptionInfo.RenewalState.name(of: $0.rawValue) })
            },
            TableColumn("ending") { TableValue($0.ending?.rawValue) },
        ] + purchase + product
        + [
            TableColumn("ownershipType") { TableValue(unlessEmpty: $0.transaction.ownershipType.rawValue) },
            TableColumn("seats") { TableValue($0.seats) },
        ]
}

extension AccessPeriod: PurchaseLine {}
