package import WireFormats

/// The protected header of an App Store JWS: ES256, nothing critical, and a certificate chain.
package struct JOSEHeader: Sendable {
    /// The certificates of `x5c`, decoded from base64 but not read.
    package let x5c: X5C

    private static let names = MemberNames(["alg", "crit", "x5c"])

    /// Reads the header's JSON (RFC 7515, section 4).
    ///
    /// `kid`, `typ` and all other members are accepted and ignored: the key comes from the judged chain
    /// alone. `crit` is refused with any value, since no extension is implemented (section 4.1.11). One
    /// certificate is Xcode's form, three are the App Store's. Whether the form is accepted depends on the
    /// anchors.
    package init(_ json: [UInt8]) throws(CompactJWSError) {
        let text = json.span
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(text, wanted: Self.names, uniqueNames: .required)
        } catch {
            throw .headerJSON(error)
        }
        guard case .string(let algorithm)? = object["alg"] else {
            throw .algorithm(found: object["alg"].map(\.kind))
        }
        guard algorithm.equals("ES256", in: text) else {
            throw .algorithm(found: "\"\(algorithm.value(in: text).abbreviated())\"")
        }
        guard object["crit"] == nil else { throw .criticalHeader }
        x5c = try Self.chain(object["x5c"], in: text)
        try Self.checkSize(of: json, besides: object["x5c"])
    }

    /// The maximum length of a header besides the value of `x5c`, in bytes. The App Store's headers have some 20.
    /// A mebibyte of other members takes milliseconds to read; a chain, which takes as long, is not judged behind it.
    package static let maximumOtherBytes = 65_536

    private static func checkSize(of json: [UInt8], besides x5c: JSONValue?) throws(CompactJWSError) {
        guard case .array(let range)? = x5c else { return }
        let bytes = json.count - range.count
        guard bytes <= maximumOtherBytes else {
            throw .headerSize(besidesX5C: bytes, limit: maximumOtherBytes)
        }
    }

    /// Reads the certificates of a header without checking its other members. This is for display only.
    package static func x5c(in json: [UInt8]) throws(CompactJWSError) -> X5C {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(json.span, wanted: names)
        } catch {
            throw .headerJSON(error)
        }
        return try chain(object["x5c"], in: json.span)
    }

    private static func chain(_ x5c: JSONValue?, in text: Span<UInt8>) throws(CompactJWSError) -> X5C {
        let certificates = try certificates(x5c, in: text)
        switch certificates.count {
        case 1: return .single(certificates[0])
        case 3: return .chain(leaf: certificates[0], intermediate: certificates[1], root: certificates[2])
        default: throw .x5cCount(certificates.count)
        }
    }

    /// RFC 7515, section 4.1.6: an array of strings, each the base64 (not base64url) of a DER certificate.
    private static func certificates(
        _ x5c: JSONValue?, in text: Span<UInt8>
    ) throws(CompactJWSError) -> [X5C.Element] {
        guard let x5c else { throw .missingX5C }
        guard case .array(let range) = x5c else { throw .x5cNotArray(found: x5c.kind) }
        let elements: (first: [JSONValue], count: Int)
        do throws(JSONError) {
            elements = try JSONArray.elements(of: text, in: range, limit: 3)
        } catch {
            throw .headerJSON(error)
        }
        guard elements.count == 3 || elements.count == 1 else { throw .x5cCount(elements.count) }
        var certificates: [X5C.Element] = []
        for (index, element) in elements.first.enumerated() {
            guard case .string(let string) = element else {
                throw .x5cElementNotString(index: index, found: element.kind)
            }
            let characters = string.bytes(in: text)
            do throws(Base64Error) {
                certificates.append(try X5C.Element(base64: characters.span))
            } catch {
                throw .x5cBase64(index: index, error)
            }
        }
        return certificates
    }
}
