package import Essentials

/// The requests of an app's server that have succeeded, and the keys that may sign new ones.
///
/// Between two changes, this holds:
/// - Each request that an app handed over has a nonce and a reference of its own: there are no more nonces than references.
package struct RequestLedger: Sendable {
    /// The requests of the Advanced Commerce API (`requestReferenceId`).
    private var references: Set<UUID> = []
    /// Of those requests, the ones that an app handed over.
    private var nonces: Set<UUID> = []
    /// The keys that may sign requests of apps, besides the App Store's own.
    package var serverKeys: [ServerAPIKey] = []

    package func contains(reference: UUID) -> Bool { references.contains(reference) }

    func contains(nonce: UUID) -> Bool { nonces.contains(nonce) }

    /// - Parameter nonce: of the signature, if an app handed the request over.
    package mutating func add(reference: UUID, nonce: UUID? = nil) {
        references.insert(reference)
        if let nonce { nonces.insert(nonce) }
    }

    /// The first invariant that does not hold; `nil` if all hold.
    package func violation() -> String? {
        nonces.count > references.count ? "there are more nonces than references of requests" : nil
    }
}
