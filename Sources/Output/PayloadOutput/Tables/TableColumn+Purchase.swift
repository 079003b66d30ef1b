internal import Essentials
internal import StoreKitVerify

/// A line about a purchase.
protocol PurchaseLine: SendableMetatype {
    var purchase: PurchaseChain.ID { get }
    var firstOriginalTransactionID: UInt64 { get }
    var customers: [Customer.Name] { get }
    var transaction: Transaction { get }
}

/// The columns that the tables of purchases have in common.
extension TableColumn where Line: PurchaseLine {
    /// Whose and which purchase a line is about.
    static var purchase: [TableColumn] {
        [
            TableColumn("environment") { TableValue(unlessEmpty: $0.purchase.environment.rawValue) },
            TableColumn("bundleID") { TableValue(unlessEmpty: $0.purchase.appBundleID) },
            TableColumn("customer") { TableValue($0.customers.widest?.description) },
            TableColumn("appAccountToken") { line in
                for case .appAccountToken(let token) in line.customers {
                    return .text(token.uuidString.lowercased())
                }
                return .null
            },
            TableColumn("appTransactionID") { line in
                for case .appTransactionID(let download) in line.customers { return .text(download) }
                return .null
            },
            TableColumn("originalTransactionID") { .identifier($0.purchase.originalTransactionID) },
            TableColumn("firstOriginalTransactionID") { .identifier($0.firstOriginalTransactionID) },
        ]
    }

    /// The product, and the period that was paid for.
    static var product: [TableColumn] {
        [
            TableColumn("transactionID") { .identifier($0.transaction.id) },
            TableColumn("productID") { .text($0.transaction.productID) },
            TableColumn("productType") { .text($0.transaction.productType.rawValue) },
            TableColumn("subscriptionGroupID") { TableValue($0.transaction.subscriptionGroupID) },
            TableColumn("purchaseDate") { TableValue($0.transaction.purchaseDate) },
            TableColumn("expirationDate") { TableValue($0.transaction.expirationDate) },
        ]
    }
}
