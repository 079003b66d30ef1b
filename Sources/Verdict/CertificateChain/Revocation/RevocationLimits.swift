/// The times and sizes that bound questions about revocation. All times are in seconds.
enum RevocationLimits {
    /// The allowed difference between the responder's clock and ours. An answer counts from this much before
    /// `thisUpdate` until this much after `nextUpdate`.
    static let clockSkew: Int64 = 300
    /// The greatest age of an answer that has neither a `nextUpdate` nor a nonce.
    static let undatedAge: Int64 = 600
    /// How long an answer without `nextUpdate` is used: its responder always has a newer one (RFC 6960,
    /// section 4.2.2.1).
    static let undatedLife: Int64 = 300
    /// An answer is replaced after a day, even if its `nextUpdate` is later.
    static let longestLife: Int64 = 86_400
    /// The time between a request that failed and the next one.
    static let retryInterval: Int64 = 30
    /// How long a failed request answers all questions. After that, a caller waits for a new request.
    static let failureMemory: Int64 = 300
    /// The longest answer that is read; genuine ones have one to five kilobytes.
    static let responseBytes = 65_536
    /// The longest address of a responder; genuine ones have about forty bytes.
    static let urlBytes = 256
    /// How many certificates are remembered: the leaves and intermediates of 128 signers.
    static let certificates = 256
}
