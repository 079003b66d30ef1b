internal import AppReceipts
internal import WireFormats

extension Claims {
    /// The claims of a receipt, and the text that the claims refer to.
    static func claims(of receipt: Receipt) -> (Claims, text: [UInt8]) {
        var text: [UInt8] = []
        func range(_ bytes: [UInt8]) -> Range<Int> {
            text += bytes
            return text.count - bytes.count..<text.count
        }
        func string(_ value: String) -> JSONString {
            JSONString(range: range(Array(value.utf8)), hasEscapes: false)
        }
        let date: DateClaim =
            switch receipt.effectiveDate {
            case .milliseconds(let milliseconds, _): .attribute(milliseconds: milliseconds)
            case .unreadable(let written): .unreadableAttribute(string(written))
            case .absent: .noAttribute
            }
        let device = DeviceClaim.attributes(
            hash: receipt.sha1Hash.map(range), opaqueValue: receipt.opaqueValue.map(range),
            bundleIdentifier: receipt.bundleIDData.map(range))
        var identity = IdentityClaim(hasBundleIdentifier: true, hasAppAppleIdentifier: true)
        identity.environment = receipt.receiptType.map(string)
        identity.impliedEnvironment = receipt.receiptType.flatMap(ImpliedEnvironment.init(receiptType:))
        identity.bundleIdentifier = receipt.bundleID.map(string)
        identity.appAppleIdentifier = receipt.appID.map { .number(range(Array(String($0).utf8))) }
        var claims = Claims(kind: .receipt, date: date, device: device)
        claims.add(identity)
        return (claims, text)
    }
}

extension ImpliedEnvironment {
    /// The environment of payloads that corresponds to a receipt's type; `nil` if the type is its name.
    init?(receiptType: String) {
        switch receiptType {
        case "ProductionSandbox", "ProductionVPPSandbox": self = .sandbox
        case "ProductionVPP": self = .production
        default: return nil
        }
    }
}
