/// Why nothing was signed.
public enum RequestSigningError: Error, Equatable, Sendable {
    /// A value is missing or empty. It is named as Apple names it.
    case empty(String)
    /// A value has the character U+2063, which separates the parts of a promotional offer's text. With it, one signature
    /// would fit two offers.
    case separator(String)
    /// The API's token would be valid for so many seconds. 1 to 3,600 are allowed.
    case lifetime(seconds: Int)
    /// The date is not between 1970 and 9999.
    case date
    /// An Advanced Commerce request is not in the form that StoreKit takes; the sentence says why.
    case request(String)
    /// The signer elsewhere returned something else than a signature in the announced form.
    case notASignature
    /// libcrypto, or the signer elsewhere, failed for this reason.
    case failed(String)
}

extension RequestSigningError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .empty(let name): "\(name) is missing or empty"
        case .separator(let name):
            "\(name) must not have the character U+2063, which separates the signed parts"
        case .lifetime(let seconds):
            "a token is valid for 1 to 3600 seconds, not for \(seconds): the App Store refuses a longer time"
        case .date: "the date must be between the years 1970 and 9999"
        case .request(let sentence): sentence
        case .notASignature: "the signature is not one on P-256 in the announced form"
        case .failed(let reason): "signing failed: \(reason)"
        }
    }
}
