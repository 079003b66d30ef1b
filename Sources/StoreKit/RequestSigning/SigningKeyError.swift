internal import Libcrypto

/// Why a file or a text gives no signing key. No case has a part of a key.
public enum SigningKeyError: Error, Hashable, Sendable {
    /// The file cannot be read, for the system's reason.
    case unreadable(path: String, reason: String)
    /// Others than the owner of the file have access to it. The permissions are octal, as `chmod` takes them.
    case openToOthers(path: String, permissions: String)
    /// The text is no private key on P-256; the sentence says what it is instead.
    case unusable(String)
}

extension SigningKeyError: CustomStringConvertible {
    /// A sentence, with the file's path if there is one.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .openToOthers(let path, let permissions):
            "\(path): other users have access to this private key (permissions \(permissions)): chmod 600 '\(path)'"
        case .unusable(let sentence): sentence
        }
    }
}

extension PrivateKeyError {
    private static let expected =
        "a signing key is a .p8 file of App Store Connect, which begins with -----BEGIN PRIVATE KEY-----"

    /// What the text is instead of a private key on P-256.
    var sentence: String {
        switch self {
        case .empty: "the key file is empty"
        case .tooLong: "the key file is too long: \(Self.expected)"
        case .notPEM: "this is not PEM: \(Self.expected)"
        case .encrypted:
            "the private key is encrypted; decrypt it with: openssl pkcs8 -in FILE -out NEW.p8 (in a shell with umask 077)"
        case .otherBlock(let label) where label.hasPrefix("EC "):
            "this is an EC key in the form of SEC 1; convert it with: openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW.p8"
        case .otherBlock(let label):
            "this is \(label.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 } ? label : "something else"), not a private key: \(Self.expected)"
        case .damaged: "the private key is damaged: its base64 or DER cannot be read"
        case .otherAlgorithm(let name):
            "this is a private key of the algorithm \(name); the App Store takes keys on the curve P-256"
        case .otherCurve(let name):
            "this is a private key on \(name.isEmpty ? "an unknown curve" : "the curve \(name)"); the App Store takes keys on the curve P-256"
        case .inconsistent: "the private key is damaged: its public half does not belong to it"
        }
    }
}
