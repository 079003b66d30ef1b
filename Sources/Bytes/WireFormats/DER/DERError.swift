/// Why bytes are not exactly one DER element, and at which byte.
package struct DERError: Error, Hashable, Sendable {
    /// The rule that was broken.
    package enum Problem: Hashable, Sendable {
        /// The bytes end inside an element.
        case truncated
        /// This many bytes follow the element.
        case trailingBytes(Int)
        /// An element with an indefinite length, which is BER (X.690, section 10.1).
        case indefiniteLength
        /// A length in more bytes than necessary (X.690, section 10.1).
        case nonMinimalLength
        /// A string in pieces, which is BER (X.690, section 10.2).
        case constructedString(UInt8)
        /// A value that is not in DER's only form.
        case nonCanonicalValue(UInt8)
        /// A SET OF whose elements are not in order (X.690, section 11.6).
        case unorderedSet
        /// A tag that occurs neither in certificates nor in receipts.
        case unsupportedTag(UInt8)
        /// Nesting deeper than any certificate or receipt needs.
        case nestingTooDeep
    }

    /// The rule that was broken.
    package let problem: Problem
    /// The offset of the element that breaks the rule.
    package let offset: Int

    package init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension DERError: CustomStringConvertible {
    /// The problem and its place, as part of a sentence.
    package var description: String {
        switch problem {
        case .truncated: "it breaks off at byte \(offset)"
        case .trailingBytes(let count):
            "\(count) byte\(count == 1 ? "" : "s") follow its end at byte \(offset)"
        case .indefiniteLength: "an indefinite length at byte \(offset) is not DER"
        case .nonMinimalLength: "a length at byte \(offset) takes more bytes than DER allows"
        case .constructedString(let tag): "a string in pieces (tag \(tag)) at byte \(offset) is not DER"
        case .nonCanonicalValue(let tag):
            "the value (tag \(tag)) at byte \(offset) is not written as DER has it"
        case .unorderedSet: "the elements of a set are out of order at byte \(offset)"
        case .unsupportedTag(let tag):
            "tag \(tag) at byte \(offset) does not occur in certificates or receipts"
        case .nestingTooDeep: "elements are nested too deep at byte \(offset)"
        }
    }
}
