package import Essentials
package import WireFormats

/// `requestInfo`, which every request of the Advanced Commerce API has.
package struct AdvancedCommerceRequestInfo {
    /// `requestReferenceId`.
    package let reference: UUID
    /// `appAccountToken`; `nil` if the request has none.
    package let appAccountToken: UUID?
    /// `consistencyToken`, which is copied from the renewal information, and never made up.
    package let consistencyToken: JSONTree?

    /// - Parameter body: the members of the request.
    package init(_ body: JSONTree) throws(AdvancedCommerceCode) {
        guard case .object? = body.present("requestInfo"), let info = body.present("requestInfo") else {
            throw .nullRequestInfo
        }
        guard let reference = info.present("requestReferenceId") else { throw .nullRequestReferenceID }
        guard let uuid = UUID(canonicalForm: reference.stringValue ?? "") else {
            throw .invalidRequestReferenceID
        }
        self.reference = uuid
        appAccountToken = try Self.appAccountToken(info)
        consistencyToken = info.present("consistencyToken")
    }

    /// A UUID, or an empty text.
    private static func appAccountToken(_ info: JSONTree) throws(AdvancedCommerceCode) -> UUID? {
        guard let token = info.present("appAccountToken") else { return nil }
        guard let text = token.stringValue else { throw .invalidAppAccountToken }
        guard !text.isEmpty else { return nil }
        guard let uuid = UUID(canonicalForm: text) else { throw .invalidAppAccountToken }
        return uuid
    }
}
