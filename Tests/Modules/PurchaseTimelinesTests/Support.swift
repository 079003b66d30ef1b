import Foundation
import Minting
import PurchaseTimelines
import SignedPayloads
import StoreKitTestSession
import StoreKitVerify
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Purchases of customers of a simulated App Store.
enum Lives {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01 00:00:00 UTC
    private static let authority = Result { try TestAuthority.appStore("timelines") }

    static func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }

    /// The payloads that a server has received when a scenario is over.
    static func history(of scenario: Scenario) throws -> (purchases: PurchaseHistory, end: Date) {
        let appStore = try TestAppStore(.example(), authority: authority.get(), startingAt: start, seed: 1)
        let verifier = StoreKitVerifier(appStore.verifier)
        var history = PurchaseHistory()
        try ScenarioRun(scenario, in: appStore, seed: 1).run { output in
            for item in output {
                switch item {
                case .transaction(let token): try history.add(verifier.transaction(token))
                case .appTransaction: break
                case .notification(let sent):
                    let notification = try verifier.verifiedNotification(body: Array(sent.body.utf8))
                    if let value = notification.data?.transaction { try history.add(value) }
                    if let value = notification.data?.renewalInfo { try history.add(value) }
                }
            }
        }
        return (history, appStore.now)
    }

    static func history(of lines: String) throws -> (purchases: PurchaseHistory, end: Date) {
        try history(of: Scenario(lines, name: "test"))
    }

    static func history(ofScenario name: String) throws -> (purchases: PurchaseHistory, end: Date) {
        try history(of: #require(Scenario.builtIn(name)).scenario())
    }

    /// The only lane at the end of a scenario.
    static func lane(of lines: String) throws -> PurchaseTimeline.Lane {
        let (purchases, end) = try history(of: lines)
        let timeline = PurchaseTimeline(of: purchases, at: end)
        try #require(timeline.lanes.count == 1)
        return timeline.lanes[0]
    }
}

/// Payloads that no App Store would sign.
enum Hostile {
    /// Verified transactions with these members, written as JSON.
    static func history(_ payloads: some Sequence<[String: String]>) throws -> PurchaseHistory {
        let pki = try TestPKI.p256()
        var policy = VerificationPolicy()
        policy.maximumTokenBytes = 1 << 22
        let verifier = StoreKitVerifier(
            try SignedPayloadVerifier(anchors: [TrustAnchor(der: pki.root.der())], policy: policy))
        let minter = try pki.minter()
        var history = PurchaseHistory()
        for payload in payloads {
            var members = [
                "transactionId": "\"1\"", "originalTransactionId": "\"1\"", "productId": "\"plus\"",
                "type": "\"Auto-Renewable Subscription\"", "purchaseDate": "\(ms(0))",
                "originalPurchaseDate": "\(ms(0))", "expiresDate": "\(ms(30))",
                "environment": "\"Production\"", "signedDate": "\(ms(0))",
            ]
            members.merge(payload) { $1 }
            let json = members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            try history.add(verifier.transaction(minter.token(payload: "{\(json)}")))
        }
        return history
    }

    /// A day of 2026 in milliseconds since 1970.
    static func ms(_ day: Int) -> Int { 1_767_225_600_000 + day * 86_400_000 }
}

/// The elements of a drawing, as an XML parser finds them.
final class ParsedDrawing: NSObject, XMLParserDelegate {
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// - Throws: if the text is no well-formed XML.
    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        try #require(parser.parse(), "\(parser.parserError.map(String.init(describing:)) ?? "")")
    }

    func texts(_ name: String) -> [String] { elements.filter { $0.name == name }.map(\.text) }

    /// The bars: a kind of span, with its title.
    var bars: [String] {
        elements.filter { $0.name == "rect" && $0.attributes["class"]?.hasPrefix("bar ") ?? false }
            .compactMap { $0.attributes["class"].map { String($0.dropFirst(4)) } }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }
}
