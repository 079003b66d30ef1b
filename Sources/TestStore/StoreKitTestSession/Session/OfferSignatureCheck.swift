package import Essentials
internal import StoreKitVerify
internal import WireFormats

/// Checks the signature of an offer, in a purchase or in an answer to a request for a retention message.
package struct OfferSignatureCheck {
    private let keys: ServerTokens
    private let bundleID: String
    /// In milliseconds since 1970.
    private let now: Int
    private let productID: String
    private let appAccountToken: UUID?
    /// The identifiers of the customer's transactions, and `appTransactionId`.
    private let customerIDs: Set<String>

    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - customerIDs: the identifiers of the customer's transactions, and `appTransactionId`.
    package init(
        keys: ServerTokens, bundleID: String, now: Int, productID: String, appAccountToken: UUID?,
        customerIDs: Set<String>
    ) {
        (self.keys, self.bundleID, self.now) = (keys, bundleID, now)
        (self.productID, self.appAccountToken) = (productID, appAccountToken)
        self.customerIDs = customerIDs
    }

    /// How long a signature can be used. For the first form of offers it is Apple's number; for the others, Apple names
    /// none, and this is a choice of this package.
    private static let lifetime = 86_400_000
    /// How far the server's clock may be ahead, in milliseconds. This is a choice of this package.
    private static let tolerance = 60_000

    private func isRecent(_ timestamp: Int) -> Bool {
        timestamp > now - Self.lifetime && timestamp <= now + Self.tolerance
    }

    /// The nonce of a promotional offer's JWS that is right; `nil` for another.
    package func nonce(ofPromotionalOffer offerID: String, _ jws: String) -> UUID? {
        nonce(of: jws, for: "promotional-offer") { payload in
            payload["offerIdentifier"] == .string(offerID)
                && (payload["transactionId"].map(isOfCustomer) ?? true)
        }
    }

    /// The nonce of an eligibility's JWS that is right; `nil` for another.
    package func nonce(ofEligibility jws: String) -> UUID? {
        nonce(of: jws, for: "introductory-offer-eligibility") { payload in
            guard case .bool = payload["allowIntroductoryOffer"] else { return false }
            return payload["transactionId"].map(isOfCustomer) ?? false
        }
    }

    private func isOfCustomer(_ identifier: JSONTree) -> Bool {
        identifier.stringValue.map(customerIDs.contains) ?? false
    }

    /// The members are those of Apple's page "Generating JWS to sign App Store requests".
    private func nonce(
        of jws: String, for audience: String, where holds: (JSONTree) -> Bool
    ) -> UUID? {
        let opened = try? keys.open(Array(jws.utf8)) { payload, key in
            guard let issued = payload["iat"]?.wholeNumber, (0...1 << 40).contains(issued) else {
                return false
            }
            return payload["iss"] == .string(key.issuerID) && payload["aud"] == .string(audience)
                && payload["bid"] == .string(bundleID) && payload["productId"] == .string(productID)
                && isRecent(issued * 1000) && holds(payload)
        }
        return opened?.payload["nonce"]?.stringValue.flatMap { UUID(canonicalForm: $0) }
    }

    /// The nonce of a promotional offer in its first form that is right; `nil` for another (Apple's page "Generating a
    /// signature for promotional offers").
    ///
    /// - Parameter parts: the key's identifier, the nonce, the timestamp, and the signature in base64.
    package func nonce(ofFirstForm offerID: String, _ parts: [String]) -> UUID? {
        guard parts.count == 4, let timestamp = Int(parts[2]), isRecent(timestamp),
            let signature = Data(base64Encoded: parts[3])
        else { return nil }
        let account = appAccountToken?.uuidString.lowercased() ?? ""
        let text = [bundleID, parts[0], productID, offerID, account, parts[1].lowercased(), parts[2]]
            .joined(separator: "\u{2063}")
        return keys.isSigned(text, signature, keyID: parts[0]) ? UUID(canonicalForm: parts[1]) : nil
    }
}

extension Simulation {
    /// The identifiers by which a signature can name a customer: of each transaction, and `appTransactionId`.
    package func identifiers(of customer: CustomerPlace) -> Set<String> {
        let transactions = purchases[customer].transactions.map { purchases[$0].id }
        return Set((transactions + [customers[customer].appTransactionID]).map { "\($0)" })
    }
}
