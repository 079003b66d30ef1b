/// The times and sizes that revocation goes by. All times are in seconds.
enum RevocationLimits {
    /// How far two clocks may be apart: answers count from so much before `thisUpdate` until so much after
    /// `nextUpdate`.
    static let clockSkew: Int64 = 300
    /// How old an answer may be that names no end and has no nonce.
    static let undatedAge: Int64 = 600
    /// How long an answer that names no end is used: its responder always has a newer one.
    static let undatedLife: Int64 = 300
    /// However late an answer's end may be, it is replaced after a day.
    static let longestLife: Int64 = 86_400
    /// How long nobody is asked again after a question that brought nothing.
    static let retryInterval: Int64 = 30
    /// How long it counts that a question brought nothing. Whoever asks after that waits for an answer again.
    static let failureMemory: Int64 = 300
    /// The longest answer that is read; genuine ones have one to five kilobytes.
    static let responseBytes = 65_536
    /// The longest address of a responder's; genuine ones have some forty bytes.
    static let urlBytes = 256
    /// How many certificates are remembered: the leaves and intermediates of 128 signers.
    static let certificates = 256
}
