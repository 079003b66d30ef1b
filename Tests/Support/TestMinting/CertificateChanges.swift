package import Minting

// Changes of certificates, and the parts that no certificate of the test App Store has.

extension CertificateTemplate {
    /// Replaces the extension with the same identifier, or adds one at the end.
    package mutating func set(_ newExtension: CertificateExtension) {
        if let index = extensions.firstIndex(where: { $0.identifier == newExtension.identifier }) {
            extensions[index] = newExtension
        } else {
            extensions.append(newExtension)
        }
    }

    /// Removes every extension with this identifier.
    package mutating func remove(_ identifier: [UInt]) {
        extensions.removeAll { $0.identifier == identifier }
    }

    /// Changes the extension with this identifier in place.
    package mutating func modify(_ identifier: [UInt], _ change: (inout CertificateExtension) -> Void) {
        for index in extensions.indices where extensions[index].identifier == identifier {
            change(&extensions[index])
        }
    }
}

extension CertificateExtension.Identifier {
    package static let alternativeName: [UInt] = [2, 5, 29, 17]
    package static let nameConstraints: [UInt] = [2, 5, 29, 30]
    /// Under 2.25, where arcs need no registration (X.667). No software processes it.
    package static let unknown: [UInt] = [2, 25, 1_717_171_717]
}

extension CertificateExtension.KeyUsage {
    package static let nonRepudiation: UInt8 = 0x40
    package static let keyAgreement: UInt8 = 0x08
}

/// The signature algorithms that a verifier must refuse.
extension SignatureAlgorithm {
    package static let ecdsaWithSHA1 = ecdsa([1], .sha1)
    package static let ecdsaWithSHA224 = ecdsa([3, 1], .sha224)
    package static let ecdsaWithSHA512 = ecdsa([3, 4], .sha512)
    package static let sha1WithRSA = rsa(5, .sha1)
    package static let sha384WithRSA = rsa(12, .sha384)
}
