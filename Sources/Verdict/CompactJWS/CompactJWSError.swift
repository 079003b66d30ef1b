package import WireFormats

/// Why a text is not a compact JWS as the App Store writes them.
package enum CompactJWSError: Error, Hashable, Sendable {
    /// A part of the compact serialization.
    package enum Segment: String, Hashable, Sendable {
        /// The protected header, before the first dot.
        case header
        /// The signed content, between the dots.
        case payload
        /// The signature, after the last dot.
        case signature
    }

    /// The dots divide the text into this many segments, not three.
    case segmentCount(Int)
    /// A segment is not strict base64url. Offsets count within the segment, which begins at `segmentOffset`.
    case base64url(Segment, Base64Error, segmentOffset: Int)
    /// The header is not one JSON object with unique names.
    case headerJSON(JSONError)
    /// The header's `alg` is not `ES256`; `nil` if it is absent.
    case algorithm(found: String?)
    /// The header has `crit`, a list of extensions that a verifier must understand.
    case criticalHeader
    /// The header has no `x5c`.
    case missingX5C
    /// `x5c` is not an array.
    case x5cNotArray(found: String)
    /// `x5c` has this many elements, not three.
    case x5cCount(Int)
    /// An element of `x5c` is not a string.
    case x5cElementNotString(index: Int, found: String)
    /// An element of `x5c` is not strict base64 with padding.
    case x5cBase64(index: Int, Base64Error)
    /// The header has this many bytes besides the value of `x5c`.
    case headerSize(besidesX5C: Int, limit: Int)

    /// A stable name for the cause, finer than the error's code.
    package var detail: String {
        switch self {
        case .segmentCount: "segmentCount"
        case .base64url: "base64url"
        case .headerJSON(let error):
            if case .duplicateName = error.problem { "duplicateHeaderName" } else { "headerJSON" }
        case .algorithm: "algorithm"
        case .criticalHeader: "criticalHeader"
        case .missingX5C: "missingX5C"
        case .x5cNotArray, .x5cElementNotString: "x5cType"
        case .x5cCount: "x5cCount"
        case .x5cBase64: "x5cBase64"
        case .headerSize: "headerSize"
        }
    }
}

extension CompactJWSError: CustomStringConvertible {
    /// The token's fault, in a sentence.
    package var description: String {
        switch self {
        case .segmentCount(let count):
            "a compact JWS has three segments divided by dots; this has \(count)"
        case .base64url(let segment, let error, let offset):
            "the \(segment.rawValue) segment is not strict base64url: \(error.sentence(from: offset))"
        case .headerJSON(let error):
            "the header is not one JSON object with unique names: \(error)"
        case .algorithm(let found):
            "the header's alg must be \"ES256\"; it is \(found ?? "absent")"
        case .criticalHeader:
            "the header has crit, which asks for extensions that App Store payloads do not use"
        case .missingX5C:
            "the header has no x5c, so there is no certificate chain to verify with"
        case .x5cNotArray(let found):
            "the header's x5c must be an array of three strings; it is \(found)"
        case .x5cCount(let count):
            "the header's x5c must hold three certificates; it holds \(count)"
                + (count == 1
                    ? ", Xcode's form, which is accepted only where the environment Xcode or LocalTesting is "
                        + "asked for and that certificate is an anchor" : "")
        case .x5cElementNotString(let index, let found):
            "x5c[\(index)] must be a string; it is \(found)"
        case .x5cBase64(let index, let error):
            "x5c[\(index)] is not strict base64 with padding: \(error.sentence(from: 0))"
        case .headerSize(let bytes, let limit):
            "the header has \(bytes) bytes besides x5c, and the limit is \(limit)"
        }
    }
}
