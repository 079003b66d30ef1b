internal import Libcrypto
internal import WireFormats

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The instant at which a payload's certificates must be valid.
package struct EffectiveDate: Hashable, Sendable {
    /// Milliseconds since 1970, rounded down.
    package let milliseconds: Int64

    /// Seconds since 1970, rounded down, because certificate validity has a resolution of one second.
    var second: Int64 { Self.second(milliseconds: milliseconds) }

    /// Seconds since 1970, rounded down.
    static func second(milliseconds: Int64) -> Int64 { floor(milliseconds, 1000) }

    /// The date in the form of ISO 8601, with milliseconds.
    var iso8601: String { CalendarTime.iso8601(second, milliseconds: milliseconds - second * 1000) }

    /// Makes a date; `nil` outside the years 1 to 9999.
    init?(milliseconds: Int64) {
        guard Self.isInRange(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// The date that the caller fixed, or otherwise the payload's own.
    ///
    /// Dates outside the years 1 to 9999 are refused: no certificate can be valid then, and no calendar form
    /// in a message goes further.
    package init(of payload: PayloadMembers, policy: VerificationPolicy) throws(VerificationError) {
        if let fixed = try Self(fixedBy: policy) {
            self = fixed
            return
        }
        let member = payload.kind.dateMember
        guard let value = payload.object[member], value != .null else {
            throw VerificationError(.missingDate(member: member))
        }
        guard case .number(let range) = value else {
            throw VerificationError(.dateNotANumber(member: member, found: value.kind))
        }
        let text = payload.json.span
        guard let date = DecimalNumber(text, in: range).floor.flatMap(Self.init(milliseconds:)) else {
            let written = String(decoding: payload.json[range].prefix(129), as: UTF8.self)
            throw VerificationError(.dateOutOfRange(member: member, written: written.abbreviated()))
        }
        self = date
    }

    /// The date that the caller fixed; `nil` if the caller fixed none.
    init?(fixedBy policy: VerificationPolicy) throws(VerificationError) {
        guard let fixed = policy.effectiveDate else { return nil }
        let milliseconds = (fixed.timeIntervalSince1970 * 1000).rounded(.down)
        guard let date = Int64(exactly: milliseconds).flatMap(Self.init(milliseconds:)) else {
            throw VerificationError(.fixedDateOutOfRange)
        }
        self = date
    }

    private static func isInRange(_ milliseconds: Int64) -> Bool {
        let second = floor(milliseconds, 1000)
        return second >= CalendarTime.firstSecond && second <= CalendarTime.lastSecond
    }

    private static func floor(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
