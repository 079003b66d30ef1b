internal import WireFormats

/// A receipt's PKCS #7 signed data (RFC 2315, section 9; RFC 5652, section 5), split into its parts but not
/// verified.
///
/// It holds ranges into the receipt, not copies, except for content in pieces. Every element has one place.
/// It refuses any element that receipts of the App Store and of Xcode do not have.
package struct SignedData: Sendable {
    /// A hash function that receipts are signed with.
    package enum DigestAlgorithm: Sendable {
        case sha1
        case sha256
    }

    package enum Content: Sendable {
        /// The content is contiguous in the receipt.
        case inPlace(Range<Int>)
        /// The content was an octet string in pieces (X.690, section 8.7.3), as Xcode writes it.
        case joined([UInt8])
    }

    /// The content that the signature covers.
    package let content: Content
    /// The range of each whole certificate, in the receipt's order.
    package let certificates: [Range<Int>]
    /// The range of all certificates together.
    package let certificateBytes: Range<Int>
    /// The signer's issuer and serial number (RFC 5652, section 10.2.4), without the SEQUENCE around them.
    package let issuerAndSerialNumber: Range<Int>
    package let digestAlgorithm: DigestAlgorithm
    /// The signature, of any length.
    package let signature: Range<Int>

    /// A chain needs three; this allows one extra for each, and two more.
    static let maximumCertificates = 8

    /// Splits a receipt into its parts.
    ///
    /// Time and memory are linear in its length.
    package init(_ bytes: Span<UInt8>) throws(ReceiptError) {
        try Self.checkLength(bytes)
        let ends = IndefiniteEnds()
        var outer = ElementCursor(0..<bytes.count, ends)
        let contentInfo = try outer.next(0x30, in: bytes)
        guard outer.isAtEnd else {
            let count = bytes.count - contentInfo.end
            throw .encoding(DERError(.trailingBytes(count), at: contentInfo.end))
        }
        var info = ElementCursor(contentInfo.contents, ends)
        let type = try info.next(0x06, in: bytes)
        guard Self.equals(bytes, type.contents, ObjectIdentifier.signedData) else {
            throw .signedData(.contentType, offset: type.contents.lowerBound)
        }
        var explicit = ElementCursor(try info.last(0xa0, in: bytes).contents, ends)
        var data = ElementCursor(try explicit.last(0x30, in: bytes).contents, ends)

        try Self.checkVersion(&data, bytes)
        let digests = try data.next(0x31, in: bytes)
        var digestCursor = ElementCursor(digests.contents, ends)
        let digest = try Self.digestAlgorithm(&digestCursor, bytes)
        guard digestCursor.isAtEnd else {
            throw .signedData(.digestAlgorithm, offset: digestCursor.position)
        }
        content = try Self.content(try data.next(0x30, in: bytes), bytes, ends)

        guard data.nextTag(in: bytes) == 0xa0 else {
            throw .signedData(.certificates, offset: data.position)
        }
        certificateBytes = try data.next(0xa0, in: bytes).contents
        certificates = try Self.certificates(certificateBytes, bytes, ends)

        var signers = ElementCursor(try data.last(0x31, in: bytes).contents, ends)
        guard !signers.isAtEnd else { throw .signedData(.signers, offset: signers.position) }
        var signer = ElementCursor(try signers.next(0x30, in: bytes).contents, ends)
        guard signers.isAtEnd else { throw .signedData(.signers, offset: signers.position) }

        // Version 3 would identify the signer by its key (RFC 5652, section 5.3), with another tag after it.
        let signerVersion = try signer.next(0x02, in: bytes)
        guard signer.nextTag(in: bytes) == 0x30 else {
            throw .signedData(.signerIdentifier, offset: signer.position)
        }
        guard Self.equals(bytes, signerVersion.contents, [1]) else {
            throw .signedData(.version, offset: signerVersion.contents.lowerBound)
        }
        issuerAndSerialNumber = try signer.next(0x30, in: bytes).contents
        var identifier = ElementCursor(issuerAndSerialNumber, ends)
        _ = try identifier.next(0x30, in: bytes)
        _ = try identifier.last(0x02, in: bytes)

        let digestStart = signer.position
        guard try Self.digestAlgorithm(&signer, bytes) == digest else {
            throw .signedData(.digestMismatch, offset: digestStart)
        }
        guard signer.nextTag(in: bytes) != 0xa0 else {
            throw .signedData(.signedAttributes, offset: signer.position)
        }
        try Self.checkSignatureAlgorithm(&signer, bytes, digest)
        signature = try signer.next(0x04, in: bytes).contents
        guard signer.isAtEnd else { throw .signedData(.unsignedAttributes, offset: signer.position) }
        digestAlgorithm = digest
    }

    /// Compares the length that the receipt states. It shows best that the receipt's end is missing.
    private static func checkLength(_ bytes: Span<UInt8>) throws(ReceiptError) {
        guard let stated = statedLength(bytes), stated > bytes.count else { return }
        throw .truncated(stated: stated, found: bytes.count)
    }

    /// A receipt's length according to its first bytes; `nil` if they do not state it.
    static func statedLength(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= 6, bytes[0] == 0x30, (0x81...0x84).contains(bytes[1]) else { return nil }
        let count = Int(bytes[1] & 0x7f)
        var length = 0
        for index in 0..<count { length = length << 8 | Int(bytes[2 + index]) }
        return 2 + count + length
    }

    private static func checkVersion(
        _ cursor: inout ElementCursor, _ bytes: Span<UInt8>
    ) throws(ReceiptError) {
        let version = try cursor.next(0x02, in: bytes)
        guard equals(bytes, version.contents, [1]) else {
            throw .signedData(.version, offset: version.contents.lowerBound)
        }
    }

    // MARK: - Algorithms

    /// An algorithm identifier whose parameters are NULL or absent (RFC 3370, section 2; RFC 5754, section
    /// 2).
    private static func algorithm(
        _ cursor: inout ElementCursor, _ bytes: Span<UInt8>
    ) throws(ReceiptError) -> Range<Int> {
        var algorithm = ElementCursor(try cursor.next(0x30, in: bytes).contents, cursor.ends)
        let identifier = try algorithm.next(0x06, in: bytes)
        if !algorithm.isAtEnd {
            let parameters = try algorithm.last(0x05, in: bytes)
            guard parameters.contents.isEmpty else {
                throw .signedData(.element, offset: parameters.contents.lowerBound)
            }
        }
        return identifier.contents
    }

    private static func digestAlgorithm(
        _ cursor: inout ElementCursor, _ bytes: Span<UInt8>
    ) throws(ReceiptError) -> DigestAlgorithm {
        guard !cursor.isAtEnd else { throw .signedData(.digestAlgorithm, offset: cursor.position) }
        let identifier = try algorithm(&cursor, bytes)
        if equals(bytes, identifier, ObjectIdentifier.sha256) { return .sha256 }
        if equals(bytes, identifier, ObjectIdentifier.sha1) { return .sha1 }
        throw .signedData(.digestAlgorithm, offset: identifier.lowerBound)
    }

    /// RSASSA-PKCS1-v1_5 (RFC 3370, section 3.2; RFC 5754, section 3.2). The App Store names it without its
    /// digest, Xcode with SHA-256. Other identifiers are refused, so that there is no second way to write the
    /// same data.
    private static func checkSignatureAlgorithm(
        _ cursor: inout ElementCursor, _ bytes: Span<UInt8>, _ digest: DigestAlgorithm
    ) throws(ReceiptError) {
        let start = cursor.position
        guard cursor.nextTag(in: bytes) == 0x30,
            let identifier = try? algorithm(&cursor, bytes),
            equals(bytes, identifier, ObjectIdentifier.rsaEncryption)
                || digest == .sha256 && equals(bytes, identifier, ObjectIdentifier.sha256WithRSA)
        else { throw .signedData(.signatureAlgorithm, offset: start) }
    }

    // MARK: - Content and certificates

    /// EncapsulatedContentInfo (RFC 5652, section 5.2), of the type data.
    private static func content(
        _ encapsulated: BERElement, _ bytes: Span<UInt8>, _ ends: IndefiniteEnds
    ) throws(ReceiptError) -> Content {
        var cursor = ElementCursor(encapsulated.contents, ends)
        let type = try cursor.next(0x06, in: bytes)
        guard equals(bytes, type.contents, ObjectIdentifier.data), cursor.nextTag(in: bytes) == 0xa0 else {
            throw .signedData(.content, offset: type.contents.lowerBound)
        }
        var explicit = ElementCursor(try cursor.last(0xa0, in: bytes).contents, cursor.ends)
        guard explicit.nextTag(in: bytes) == 0x24 else {
            return .inPlace(try explicit.last(0x04, in: bytes).contents)
        }
        // Pieces of pieces are BER too, but no known encoder writes them.
        var pieces = ElementCursor(try explicit.last(0x24, in: bytes).contents, cursor.ends)
        var joined: [UInt8] = []
        while !pieces.isAtEnd {
            joined.append(bytes.extracting(try pieces.next(0x04, in: bytes).contents))
        }
        return .joined(joined)
    }

    private static func certificates(
        _ field: Range<Int>, _ bytes: Span<UInt8>, _ ends: IndefiniteEnds
    ) throws(ReceiptError) -> [Range<Int>] {
        var cursor = ElementCursor(field, ends)
        var certificates: [Range<Int>] = []
        certificates.reserveCapacity(maximumCertificates + 1)
        while !cursor.isAtEnd, certificates.count <= maximumCertificates {
            let start = cursor.position
            certificates.append(start..<(try cursor.next(0x30, in: bytes)).end)
        }
        guard (1...maximumCertificates).contains(certificates.count) else {
            throw .signedData(.certificates, offset: field.lowerBound)
        }
        return certificates
    }

    private static func equals(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ expected: [UInt8]
    ) -> Bool {
        range.count == expected.count
            && ByteScanning.starts(bytes.extracting(range), with: expected.span)
    }
}

/// The object identifiers that a receipt contains, without tag and length.
private enum ObjectIdentifier {
    /// 1.2.840.113549.1.7.2 (RFC 5652, section 5.1).
    static let signedData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
    /// 1.2.840.113549.1.7.1 (RFC 5652, section 4).
    static let data: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
    /// 1.3.14.3.2.26 (RFC 3370, section 2.1).
    static let sha1: [UInt8] = [0x2b, 0x0e, 0x03, 0x02, 0x1a]
    /// 2.16.840.1.101.3.4.2.1 (RFC 5754, section 2.2).
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 1.2.840.113549.1.1.1 (RFC 8017, appendix A.1).
    static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.11 (RFC 8017, appendix A.2.4).
    static let sha256WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]
}

/// Steps through the elements inside an element of the signed data.
private struct ElementCursor {
    private(set) var position: Int
    private let end: Int

    /// The ends that all cursors of a receipt know.
    let ends: IndefiniteEnds

    init(_ contents: Range<Int>, _ ends: IndefiniteEnds) {
        (position, end) = (contents.lowerBound, contents.upperBound)
        self.ends = ends
    }

    var isAtEnd: Bool { position == end }

    /// The tag of the next element, if there is one.
    func nextTag(in bytes: Span<UInt8>) -> UInt8? { isAtEnd ? nil : bytes[position] }

    /// The next element, which must have this tag. An element of a primitive type states its length.
    mutating func next(_ tag: UInt8, in bytes: Span<UInt8>) throws(ReceiptError) -> BERElement {
        guard nextTag(in: bytes) == tag else { throw .signedData(.element, offset: position) }
        do throws(DERError) {
            let element = try BERElement(
                bytes, at: position, limit: end, allowsIndefiniteLength: true, ends: ends)
            position = element.end
            return element
        } catch {
            throw .encoding(error)
        }
    }

    /// The next element, which must have this tag and be the last.
    mutating func last(_ tag: UInt8, in bytes: Span<UInt8>) throws(ReceiptError) -> BERElement {
        let element = try next(tag, in: bytes)
        guard isAtEnd else { throw .signedData(.element, offset: position) }
        return element
    }
}
