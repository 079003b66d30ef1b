// Apple's sample of `Transaction.currentEntitlements`. Only the import differs, and two gaps that Apple left
// are filled in.
import StoreKitVerify

func refreshPurchasedProducts() async {
    // Iterate through the user's purchased products.
    for await verificationResult in Transaction.currentEntitlements {
        switch verificationResult {
        case .verified(let transaction):
            // Check the type of product for the transaction
            // and provide access to the content as appropriate.
            SampleLog.current?.add("\(transaction.productType.rawValue) \(transaction.productID)")
        case .unverified(let unverifiedTransaction, let verificationError):
            // Handle unverified transactions based on your
            // business model.
            SampleLog.current?.add("unverified \(unverifiedTransaction.id) \(verificationError)")
        }
    }
}
