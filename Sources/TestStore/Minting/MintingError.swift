/// Why minting failed. A malformed result that was asked for is not an error.
package enum MintingError: Error, Equatable, Sendable {
    /// A libcrypto function reported failure.
    case libcrypto(function: String)
    /// A private scalar or nonce outside 1 … n-1.
    case scalarOutOfRange
    /// The signature algorithm cannot be made with this kind of key.
    case algorithmDoesNotFitKey
    /// A search for a signature of a wanted form ended after this many attempts.
    case searchExhausted(attempts: Int)
    /// Bytes that are not UTF-8, where only text is possible.
    case notText
}
