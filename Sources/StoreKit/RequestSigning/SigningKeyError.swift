internal import Libcrypto

/// Why a file or a text gives no signing key. It has no part of a key.
public struct SigningKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The file cannot be read.
        case unreadable
        /// Others than the owner of the file have access to it.
        case openToOthers
        /// The text is not a private key on P-256.
        case unusable
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence: the system's reason, the command that mends the file's permissions, or the kind of a text that is not
    /// a key. It begins with the file's path if the key is from a file.
    public let description: String

    init(_ code: Code, _ description: String, path: String? = nil) {
        self.code = code
        self.description = (path.map { $0 + ": " } ?? "") + description
    }
}

extension PrivateKeyError {
    /// The kind of a text that is not a private key on P-256, in a sentence.
    var sentence: String {
        let expected =
            "a signing key is a .p8 file of App Store Connect, which begins with -----BEGIN PRIVATE KEY-----"
        let wanted = "; the App Store takes keys on the curve P-256"
        return switch self {
        case .empty: "the key file is empty"
        case .tooLong: "the key file is too long: " + expected
        case .notPEM: "this is not PEM: " + expected
        case .encrypted:
            "the private key is encrypted; decrypt it, in a shell with umask 077: openssl pkcs8 -in FILE -out NEW.p8"
        case .otherBlock(let label) where label.hasPrefix("EC "):
            "this is an EC key in the form of SEC 1; convert it: openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW.p8"
        case .otherBlock(let label): "this is " + label + ", not a private key: " + expected
        case .damaged: "the private key is damaged: its base64 or DER cannot be read"
        case .otherAlgorithm(let name): "this is a private key of the algorithm " + name + wanted
        case .otherCurve(let name):
            "this is a private key on " + (name.isEmpty ? "an unknown curve" : "the curve " + name) + wanted
        case .inconsistent: "the private key is damaged: its public half does not belong to it"
        }
    }
}
