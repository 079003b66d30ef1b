public import Essentials
internal import Minting
internal import WireFormats

extension ServerAPIKey {
    /// Signs a request of the Advanced Commerce API, as an app's server does, for the app to hand it to StoreKit:
    ///
    /// ```swift
    /// let data = try key.advancedCommerceData(request, for: "com.example.garden", at: session.now)
    /// let option = Product.PurchaseOption.custom(key: "advancedCommerceData", value: data)
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request, a JSON object with `operation` and `version`.
    ///   - bundleID: the app.
    ///   - date: when it is signed. The App Store compares it with its own time; no clock is read.
    ///   - nonce: identifies the signature. The App Store takes each once.
    /// - Throws: `SigningFailure` if libcrypto fails.
    public func advancedCommerceData(
        _ request: Data, for bundleID: String, at date: Date, nonce: UUID = UUID()
    ) throws(SigningFailure) -> Data {
        var payload = ObjectText()
        payload.add("iss", issuerID)
        payload.add("iat", date.milliseconds / 1000)
        payload.add("aud", InAppRequest.audience)
        payload.add("bid", bundleID)
        payload.add("nonce", nonce.uuidString.lowercased())
        payload.add("request", Base64.text([UInt8](request), alphabet: .standard))
        return Data(InAppRequest.data(token: try token(payload)).utf8)
    }
}
