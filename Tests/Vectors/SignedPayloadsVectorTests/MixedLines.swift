import Foundation
import Minting
import SeededRandom
import SignedPayloads

/// Lines of every form, right and wrong: minted payloads whose members have usual and unusual values, notifications
/// around spoilt tokens, notifications in notifications, lines of the test vectors and of the genuine payloads, spoilt
/// ones, and all of these in JSON objects.
struct MixedLines {
    static let device = "6f1c2b7e-0d3a-4e58-9b64-8a2f5c7d1e90"
    private static let nonce = "0b8e4c2d-7a61-4f3b-95d8-c1e2f3a4b5c6"
    private static let members = [
        "signedPayload", "signedTransactionInfo", "signedTransaction", "signedRenewalInfo",
        "signedAppTransactionInfo",
    ]

    private let minters: [TokenMinter]
    /// Minters whose chains are refused.
    private let strangers: [TokenMinter]
    private let deviceHash: String
    /// Lines that others have written.
    private let known: [[UInt8]]
    /// Tokens to be put into notifications.
    private var inner: [String] = []
    private var random: SplitMix64

    /// - Parameter known: lines that others have written.
    init(seed: UInt64, known: [[UInt8]]) throws {
        random = SplitMix64(seed: seed)
        self.known = known
        let (pki, other) = (try TestPKI.p256(), try TestPKI.standard())
        minters = [
            try pki.minter(), try pki.minter(), try pki.minter(), try pki.minter(leaf: 1),
            try pki.minter(leaf: 0),
            try other.minter(), try XcodeIdentity().minter(),
        ]
        strangers = [try TestPKI.forged().minter(), try XcodeIdentity("A stranger").minter()]
        deviceHash = try DeviceHash.value(nonce: Self.nonce, deviceIdentifier: Self.device)
        for number in 0..<120 {
            let token = try minted(number % 8 == 7 ? notification() : payload())
            inner.append(number % 5 == 4 ? String(decoding: spoilt(Array(token.utf8)), as: UTF8.self) : token)
        }
    }

    /// The anchors under which most of the lines are right.
    static func anchors() throws -> [TrustAnchor] {
        [.appleRootCAG3] + [
            TrustAnchor(der: try TestPKI.p256().root.der()),
            TrustAnchor(der: try TestPKI.standard().root.der()),
            TrustAnchor(der: try XcodeIdentity().template.der()),
        ]
    }

    /// Another line.
    mutating func next() throws -> [UInt8] {
        var line: [UInt8]
        switch below(20) {
        case 0..<7: line = Array(try minted(payload()).utf8)
        case 7..<13:
            let token = try minted(notification())
            // Some go inside others later, but not so that lines grow without end.
            let place = below(inner.count)
            if below(6) == 0, token.utf8.count < 16_000 { inner[place] = token }
            line = Array(token.utf8)
        case 13..<15: line = known[below(known.count)]
        case 15..<17: line = spoilt(known[below(known.count)])
        case 17..<19: line = Array(inner[below(inner.count)].utf8)
        default: line = spoilt(Array(inner[below(inner.count)].utf8))
        }
        if below(3) == 0 { line = wrapped(line) }
        return below(25) == 0 ? spoilt(line) : line
    }

    // MARK: Tokens

    private mutating func minted(_ payload: String) throws -> String {
        let minter = below(40) == 0 ? strangers[below(strangers.count)] : minters[below(minters.count)]
        return try minter.token(payload: payload)
    }

    /// The bytes after one to three changes.
    private mutating func spoilt(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(3) where !bytes.isEmpty {
            // Mostly behind the header, whose changes cost a chain each.
            let first = below(8) == 0 ? 0 : bytes.firstIndex(of: UInt8(ascii: ".")) ?? 0
            let place = first + below(bytes.count - first)
            switch below(8) {
            case 0..<3: bytes[place] ^= 1 << UInt8(below(8))
            case 3: bytes[place] = Array("AZaz09-_=+/.\"\\{}".utf8)[below(16)]
            case 4: bytes.remove(at: place)
            case 5: bytes.insert(Array("A.=\" \\".utf8)[below(6)], at: place)
            case 6: bytes.removeSubrange(place...)
            default: bytes.swapAt(place, below(bytes.count))
            }
        }
        return bytes
    }

    /// The token in an object, as logs have it: alone, among other members, with escapes that change its bytes.
    private mutating func wrapped(_ token: [UInt8]) -> [UInt8] {
        var text = String(decoding: token, as: UTF8.self)
        switch below(6) {
        case 0: text = text.replacing(".", with: #"\u002e"#)
        case 1: text = text.replacing("e", with: #"\u0065"#, maxReplacements: below(5) + 1)
        case 2: text = text.replacing("-", with: #"\u002D"#)
        default: break
        }
        let name = Self.members[below(Self.members.count)]
        switch below(8) {
        case 0:
            return Array(
                #"{ "at" : [1,{"signedPayload":"x"}], "\#(name)" : "\#(text)" , "note":"é\n" }"#.utf8)
        case 1: return Array(#"{"signedPayload":null,"\#(name)":"\#(text)"}"#.utf8)
        case 2: return Array(#"{"\#(name.replacing("P", with: #"\u0050"#))":"\#(text)","id":12}"#.utf8)
        case 3: return Array(#"{"signedRenewalInfo":"x","\#(name)":"\#(text)"}"#.utf8)
        default: return Array(#"{"\#(name)":"\#(text)"}"#.utf8)
        }
    }

    // MARK: Payloads

    /// A payload of any kind but a notification.
    private mutating func payload() -> String {
        var members = [
            #""transactionId":"\#(below(1_000_000))""#, #""environment":\#(environment())"#,
            #""bundleId":\#(bundle())"#, #""signedDate":\#(date())"#,
        ]
        switch below(8) {
        case 0: members[0] = #""autoRenewStatus":1,"renewalPrice":null"#
        case 1:
            members[0] = #""receiptType":\#(environment()),"receiptCreationDate":\#(date())"#
        case 2: members[0] = #""userLocale":"de","requestIdentifier":"\#(below(9))""#
        case 3: members[0] = #""nothing":"that is known""#
        default: break
        }
        if below(2) == 0 { members.append(#""appAppleId":\#(app())"#) }
        if below(3) == 0 {
            let hash = below(6) == 0 ? "x" : deviceHash.replacing("/", with: below(2) == 0 ? #"\/"# : "/")
            members.append(#""deviceVerification":"\#(hash)""#)
            members.append(#""deviceVerificationNonce":"\#(below(6) == 0 ? "x" : Self.nonce)""#)
        }
        members += others()
        if below(20) == 0 { members.append(members[below(members.count)]) }
        return object(members)
    }

    private mutating func notification() -> String {
        var part = [#""environment":\#(environment())"#, #""bundleId":\#(bundle())"#]
        if below(2) == 0 { part.append(#""appAppleId":\#(app())"#) }
        if below(3) == 0 { part.append(#""externalPurchaseId":"\#(below(2) == 0 ? "SANDBOX_1" : "1")""#) }
        if !inner.isEmpty {
            for name in ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"]
            where below(3) > 0 {
                part.append(#""\#(name)":\#(insideValue())"#)
            }
        }
        part += others()
        if below(20) == 0 { part.append(part[below(part.count)]) }
        let names = ["data", "data", "data", "data", "appData", "summary", "externalPurchaseToken"]
        var members = [
            #""notificationType":"DID_RENEW""#, #""notificationUUID":"\#(below(1_000_000))""#,
            #""\#(names[below(names.count)])":\#(object(part))"#, #""signedDate":\#(date())"#,
        ]
        switch below(20) {
        case 0:
            members.append(
                #""appData":{"signedAppTransactionInfo":\#(insideValue()),"bundleId":\#(bundle())}"#)
        case 1: members[2] = #""data":[]"#
        case 2: members.append(#""data":null"#)
        case 3: members[2] = #""data":null"#
        default: break
        }
        return object(members + others())
    }

    /// A token in a notification: a right one, a spoilt one, one written with escapes, or none.
    private mutating func insideValue() -> String {
        guard !inner.isEmpty else { return "null" }
        let token = inner[below(inner.count)]
        switch below(12) {
        case 0: return "null"
        case 1: return ["7", "{}", "[]", "true", #""""#, #""a.b.c""#][below(6)]
        case 2:
            let bytes = spoilt(Array(token.utf8)).filter {
                $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c
            }
            return "\"\(String(decoding: bytes, as: UTF8.self))\""
        case 3: return "\"\(token.replacing(".", with: #"\u002e"#))\""
        default: return "\"\(token)\""
        }
    }

    private mutating func others() -> [String] {
        let all = [
            #""price":9990"#, #""offerDiscountType":null"#, #""currency":"E\u0055R""#, #""storefront":"né😀""#,
            #""advancedCommerceInfo":{"items":[{"SKU":"a","signedDate":1,"note":"\"\\"}],"taxCode":null}"#,
            #""list":[[],{},[1,2,{"a":null}]]"#, #""signedTransactionInfo":"x""#, #""ratio":-1.25e-3"#,
            #""":0"#,
        ]
        return (0..<below(5)).map { _ in all[below(all.count)] }
    }

    private mutating func object(_ members: [String]) -> String {
        let isSpaced = below(10) == 0
        let text = members.shuffled(using: &random).joined(separator: isSpaced ? " ,\t" : ",")
        return below(60) == 0 ? "{\(text)" : isSpaced ? "{ \(text)\n}" : "{\(text)}"
    }

    // MARK: Values

    private mutating func environment() -> String {
        pick(
            #""Sandbox""#,
            [#""Production""#, #""Xcode""#, #""LocalTesting""#, #""S\u0061ndbox""#, "7", "null"])
    }

    private mutating func bundle() -> String {
        pick(#""com.example.garden""#, [#""com.example.other""#, #""com.ex\u0061mple.garden""#, "1", "null"])
    }

    private mutating func app() -> String {
        pick(
            "1234567890",
            ["0", "1", "1234567890.0", "1.23456789e9", #""1234567890""#, "null", "99999999999999999999"])
    }

    private mutating func date() -> String {
        let odd = [
            "1.76e12", "1760000000000.5", "1640000000000", "1700000000000", "1", "-1", "null", #""x""#,
            "1e400",
            "1900000000000", "253402300800000",
        ]
        return pick("\(1_760_000_000_000 + below(1_000_000_000))", odd)
    }

    /// Usually the usual value.
    private mutating func pick(_ usual: String, _ odd: [String]) -> String {
        below(12) == 0 ? odd[below(odd.count)] : usual
    }

    private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(random.next() % UInt64(bound)) : 0 }
}
