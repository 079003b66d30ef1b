/// Why something could not be minted. Deliberate malformation is never an error: only the impossible is.
package enum MintingError: Error, Equatable, Sendable {
    /// A libcrypto function reported failure.
    case libcrypto(function: String)
    /// A private scalar or nonce outside 1 … n-1.
    case scalarOutOfRange
    /// The signature algorithm cannot be made with this kind of key.
    case algorithmDoesNotFitKey
    /// A search for a signature of a wanted form gave up after so many attempts.
    case searchExhausted(attempts: Int)
    /// Bytes that ought to be UTF-8 text, for a place that takes text only.
    case notText
}
