public import Essentials
public import SignedPayloads
package import WireFormats

/// The App Store's request for the message to show to a subscriber who is about to cancel (Retention
/// Messaging API, `DecodedRealtimeRequestBody`).
///
/// The payload has no bundle identifier.
public struct RealtimeRequest: SignedValue {
    /// The payload, as it was signed.
    public let signedContent: SignedContent

    /// The identifier of the subscription's first transaction.
    public let originalTransactionID: UInt64

    /// Apple's number for the app; `nil` if it is absent or 0.
    public let appAppleID: UInt64?

    /// The product that the customer is subscribed to.
    public let productID: String

    /// The customer's language and region, as the payload gives them; empty if the payload does not.
    public let userLocaleIdentifier: String

    /// The identifier of the request, another one for each request.
    public let requestIdentifier: UUID

    /// When the App Store signed the request.
    public let signedDate: Date

    /// The environment that signed the request; empty if the payload does not have it.
    public let environment: AppStore.Environment

    package static let form = PayloadForm("realtime request") { properties throws(PayloadError) in
        try RealtimeRequest(SignedContent(), &properties)
    }

    /// Reads the payload.
    ///
    /// - Throws: `PayloadError` if the payload lacks the original transaction, the product, the
    ///   request's identifier, or the signed date.
    public init(
        _ content: SignedContent, verifier: StoreKitVerifier
    ) throws(PayloadError) {
        var properties = try PayloadProperties(content, Self.form)
        try self.init(content, &properties)
    }

    private init(_ content: SignedContent, _ properties: inout PayloadProperties) throws(PayloadError) {
        signedContent = content
        originalTransactionID = try properties.required(
            "originalTransactionID", .identifier, "originalTransactionId")
        appAppleID = properties.optional("appAppleID", .identifierUnlessZero, "appAppleId")
        productID = try properties.required("productID", .text, "productId")
        userLocaleIdentifier = properties.value("userLocale", .textOrEmpty, "userLocale")
        requestIdentifier = try properties.required("requestIdentifier", .uuid, "requestIdentifier")
        signedDate = try properties.required("signedDate", .date, "signedDate")
        environment = AppStore.Environment(
            rawValue: properties.value("environment", .textUnlessEmpty, "environment"))
    }

    /// The customer's language and region. How much Foundation knows about a locale depends on the Foundation
    /// library that is linked. The identifier is always available.
    public var userLocale: Locale { Locale(identifier: userLocaleIdentifier) }

    /// The payload's JSON, byte for byte as it was signed. It also holds the members that have no property
    /// here.
    public var jsonRepresentation: Data { signedContent.payloadData }
}

extension RealtimeRequest: CustomDebugStringConvertible {
    /// The payload's JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension StoreKitVerifier {
    /// Verifies a request for a retention message.
    ///
    /// - Parameter jws: the token, which came as the request body's `signedPayload`.
    /// - Throws: `PayloadError`, as `verify(_:as:)` does.
    public func realtimeRequest(
        _ jws: String
    ) throws(PayloadError) -> VerificationResult<RealtimeRequest> { try verify(jws) }

    /// Verifies the request for a retention message in the body of an HTTP request, `{"signedPayload":"…"}`.
    ///
    /// - Parameter body: the body's bytes, for instance `Data`.
    /// - Throws: `PayloadError`, as `realtimeRequest(_:)` does, and if the body does not hold exactly
    ///   one token.
    public func realtimeRequest(
        body: some Sequence<UInt8>
    ) throws(PayloadError) -> VerificationResult<RealtimeRequest> {
        try verify(Self.token(inBody: Array(body)))
    }
}
