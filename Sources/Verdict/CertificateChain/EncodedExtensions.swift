internal import Libcrypto
internal import WireFormats

/// The extensions of a certificate in their order, found in its DER (RFC 5280, section 4.1).
///
/// A hostile certificate has two thousand of them. Nothing but places is read of each.
struct EncodedExtensions {
    /// One extension.
    struct Element {
        /// The object identifier, a whole element of DER.
        let identifier: ArraySlice<UInt8>
        /// The contents of that element.
        let numbers: ArraySlice<UInt8>
        /// Whether a verifier that does not know the extension must refuse the certificate.
        let isCritical: Bool
        /// The bytes inside the extension's octet string.
        let value: ArraySlice<UInt8>

        /// The object identifier, in numbers and dots.
        var name: String { X509Certificate.objectNumbers(Array(identifier)) }
    }

    private let der: [UInt8]
    private var position: Int
    private let end: Int

    /// - Parameter der: a certificate that libcrypto could read, in strict DER.
    init(ofCertificate der: [UInt8]) throws(DERError) {
        self.der = der
        let bytes = der.span
        let certificate = try BERElement(bytes, at: 0, limit: bytes.count)
        let signed = try BERElement(
            bytes, at: certificate.contents.lowerBound, limit: certificate.contents.upperBound)
        var start = signed.contents.lowerBound
        var list = 0..<0
        while start < signed.contents.upperBound {
            let member = try BERElement(bytes, at: start, limit: signed.contents.upperBound)
            if member.tag == 0xa3 {
                list = try BERElement(
                    bytes, at: member.contents.lowerBound, limit: member.contents.upperBound
                ).contents
            }
            start = member.end
        }
        (position, end) = (list.lowerBound, list.upperBound)
    }

    /// The next extension; `nil` at the end.
    mutating func next() throws(DERError) -> Element? {
        guard position < end else { return nil }
        let der = der
        let bytes = der.span
        let whole = try BERElement(bytes, at: position, limit: end)
        position = whole.end
        let start = whole.contents.lowerBound
        let identifier = try BERElement(bytes, at: start, limit: whole.end)
        var value = try BERElement(bytes, at: identifier.end, limit: whole.end)
        // In DER, a BOOLEAN that stands here is true.
        let isCritical = value.tag == 0x01
        if isCritical { value = try BERElement(bytes, at: value.end, limit: whole.end) }
        return Element(
            identifier: der[start..<identifier.end], numbers: der[identifier.contents],
            isCritical: isCritical, value: der[value.contents])
    }
}
