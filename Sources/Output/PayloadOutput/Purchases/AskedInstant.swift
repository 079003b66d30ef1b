package import Essentials
package import StoreKitVerify

/// The instant that a question is about, and whether only payloads that were signed by then count.
package struct AskedInstant: Sendable {
    /// The instant to judge at.
    package let date: Date
    private let isAsKnownThen: Bool

    /// - Parameters:
    ///   - at: the instant, to be judged by all payloads of today.
    ///   - asOf: the instant, to be judged by the payloads that were signed by then.
    ///   - now: the instant if neither is given.
    /// - Returns: `nil` if both are given.
    package init?(at: Date?, asOf: Date?, now: Date) {
        guard at == nil || asOf == nil else { return nil }
        date = at ?? asOf ?? now
        isAsKnownThen = asOf != nil
    }

    /// The message if both are given.
    ///
    /// - Parameters:
    ///   - at: how the door spells the first.
    ///   - asOf: how it spells the second.
    package static func message(_ at: String, _ asOf: String) -> String {
        "\(at) asks about an instant by today's payloads, and \(asOf) by those signed by then: give one of them."
    }

    /// The purchases that the question is about.
    package func known(_ history: PurchaseHistory) -> PurchaseHistory {
        isAsKnownThen ? history.known(at: date) : history
    }
}
