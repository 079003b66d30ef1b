internal import WireFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A signed Advanced Commerce request in the form that StoreKit takes:
/// `Product.PurchaseOption.custom(key: "advancedCommerceData", value: data)`.
///
/// Source: Apple's page
/// [Sending Advanced Commerce API requests from your app](https://developer.apple.com/documentation/storekit/sending-advanced-commerce-api-requests-from-your-app).
public struct AdvancedCommerceData: Hashable, Sendable {
    /// `{"signatureInfo":{"token":"…"}}` in UTF-8.
    public let data: Data

    /// - Parameter compactJWS: a signed ``RequestIssuer/advancedCommerce(request:nonce:at:)``.
    public init(compactJWS: String) {
        var (signature, object) = (ObjectText(), ObjectText())
        signature.add("token", compactJWS)
        object.add("signatureInfo", signature)
        data = Data(object.utf8)
    }
}
