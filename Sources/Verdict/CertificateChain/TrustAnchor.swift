internal import Libcrypto
package import Platform

/// A root certificate that the caller trusts.
///
/// It is not read here. A verifier that is made with it reports whether it can be read.
public struct TrustAnchor: Hashable, Sendable {
    /// The certificate, in DER.
    public let der: [UInt8]

    /// A certificate in DER (X.690).
    public init(der: [UInt8]) { self.der = der }

    /// The certificates in a file's content: one in DER, or any number in PEM (RFC 7468).
    ///
    /// - Throws: `TrustAnchorError.noCertificate` if the content has no certificate. `.unreadable` if one cannot be read, or
    ///   if a PEM block is incomplete.
    public static func certificates(in content: [UInt8]) throws(TrustAnchorError) -> [TrustAnchor] {
        let certificates: [[UInt8]]
        do throws(LibcryptoError) {
            certificates = try PEM.certificates(in: content)
        } catch {
            throw .unreadable(error.description)
        }
        // A certificate in DER begins with the tag of a SEQUENCE.
        let isDER = certificates.isEmpty && content.first == 0x30
        guard isDER || !certificates.isEmpty else { throw .noCertificate }
        let anchors = isDER ? [TrustAnchor(der: content)] : certificates.map { TrustAnchor(der: $0) }
        _ = try TrustAnchors(anchors)
        return anchors
    }

    /// The certificates in a file: one in DER, or any number in PEM (RFC 7468).
    ///
    /// - Parameter path: the file, of at most 16 MiB.
    /// - Throws: `TrustAnchorError.unreadableFile` if the system cannot read the file, or the error of `certificates(in:)`
    ///   about its content.
    public static func certificates(inFile path: String) throws(TrustAnchorError) -> [TrustAnchor] {
        try certificates(inFile: FileName(path: path))
    }

    /// The certificates in a file whose name may have any bytes.
    package static func certificates(inFile file: FileName) throws(TrustAnchorError) -> [TrustAnchor] {
        let content: [UInt8]
        do throws(SystemError) {
            content = try file.read(maximumBytes: maximumFileBytes)
        } catch {
            throw .unreadableFile(error.description)
        }
        return try certificates(in: content)
    }

    /// The maximum length of a file of roots. The public web's roots, some 150 of them, take 250 kB.
    private static let maximumFileBytes = 16 << 20
}

/// Why certificates cannot serve as trust anchors.
public enum TrustAnchorError: Error, Hashable, Sendable {
    /// The content has no certificate, neither in DER nor in PEM.
    case noCertificate
    /// A certificate cannot be read.
    case unreadable(String)
    /// The system cannot read the file, for this reason.
    case unreadableFile(String)
}

extension TrustAnchorError: CustomStringConvertible {
    /// The fault, in a sentence.
    public var description: String {
        switch self {
        case .noCertificate: "no certificate, in DER or in PEM, was found"
        case .unreadable(let reason), .unreadableFile(let reason): reason
        }
    }
}

/// The anchors of a verifier, already read.
package struct TrustAnchors: Sendable {
    package let certificates: [Certificate]
    /// The name of each, for messages.
    let subjects: [String]

    package init(_ anchors: [TrustAnchor]) throws(TrustAnchorError) {
        guard !anchors.isEmpty else { throw .noCertificate }
        var certificates: [Certificate] = []
        for anchor in anchors {
            do throws(CertificateChainError) {
                certificates.append(try Certificate(der: anchor.der, position: .anchor))
            } catch {
                throw .unreadable(error.description)
            }
        }
        self.certificates = certificates
        subjects = certificates.map(\.description.subject)
    }
}
