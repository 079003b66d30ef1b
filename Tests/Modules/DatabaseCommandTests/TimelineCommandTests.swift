import CommandProcesses
import Foundation
import Minting
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The command `timeline`.
@Suite struct TimelineCommandTests {
    private static let token = "7edea87d-98f0-42d0-9682-49ca81022f73"
    private static let at = ["--at", "2026-01-21"]

    /// A day of 2026 in milliseconds since 1970, by its number of days after 1 January.
    private static func day(_ day: Int) -> Int { 1_767_225_600_000 + day * 86_400_000 }

    private func input() throws -> [UInt8] {
        let minter = try TestPKI.standard().minter()
        let payloads = [
            #"{"transactionId":"3","originalTransactionId":"3","bundleId":"com.example.garden","productId":"plus","type":"Auto-Renewable Subscription","purchaseDate":\#(Self.day(1)),"originalPurchaseDate":\#(Self.day(1)),"expiresDate":\#(Self.day(15)),"environment":"Production","appAccountToken":"\#(Self.token)","signedDate":\#(Self.day(1))}"#,
            #"{"originalTransactionId":"3","productId":"plus","autoRenewProductId":"plus","autoRenewStatus":1,"isInBillingRetryPeriod":true,"expirationIntent":2,"gracePeriodExpiresDate":\#(Self.day(30)),"environment":"Production","signedDate":\#(Self.day(16))}"#,
            #"{"transactionId":"4","originalTransactionId":"4","bundleId":"com.example.garden","productId":"level","type":"Non-Consumable","purchaseDate":\#(Self.day(2)),"originalPurchaseDate":\#(Self.day(2)),"environment":"Production","signedDate":\#(Self.day(2))}"#,
        ]
        let lines = try payloads.map { try minter.token(payload: $0) } + ["not a token"]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private func timeline(_ options: [String], input: [UInt8] = []) throws -> CommandProcess {
        try CommandProcess(["timeline"] + CommandProcess.root + options, input: input)
    }

    /// The text of a picture's elements with a name.
    private func texts(_ run: CommandProcess, _ name: String = "text") throws -> [String] {
        let reader = TextReader(name)
        let parser = XMLParser(data: Data(run.output))
        parser.delegate = reader
        try #require(parser.parse(), "no well-formed XML")
        return reader.texts
    }

    @Test func `payloads from a pipe are drawn, and a line that is not verified is named`() throws {
        let run = try timeline(Self.at, input: input())
        #expect(run.status == 1)
        #expect(run.diagnostics.contains("line 4: invalidEncoding"))
        let texts = try texts(run)
        #expect(texts.contains("plus: in grace period until 2026-01-31 00:00"))
        #expect(texts.contains("level: owned"))
        #expect(texts.contains("The dashed line is 2026-01-21 00:00. All times are UTC."))
        #expect(try self.texts(run, "title").first == "Purchases over time")
        #expect(try self.texts(run, "desc").first?.contains("level: owned.") ?? false)
    }

    @Test func `the picture depends on the instant and the customer`() throws {
        let later = try texts(timeline(["--at", "2026-02-15", "--quiet"], input: input()))
        #expect(later.contains("plus: in billing retry"))
        let named = try timeline(Self.at + ["--customer", Self.token], input: input())
        #expect(try !texts(named).contains { $0.hasPrefix("level") })
        #expect(try texts(named, "title").first == "Purchases of \(Self.token) over time")
        let stranger = try timeline(Self.at + ["--customer", "app-transaction:704"], input: input())
        #expect(try texts(stranger).contains("There are no purchases."))
    }

    @Test func `a file that cannot be read, a full disk and nonsense have the exit status of entitlements`()
        throws
    {
        #expect(try timeline(["/no/such/file"]).status == 66)
        #expect(try timeline(["--customer", "me"]).status == 64)
        #expect(try timeline(["--database", "x", "file"]).status == 64)
        #expect(try CommandProcess(shell: "\"$0\" \"$@\" </dev/null >/dev/full", ["timeline"]).status == 74)
        #expect(try timeline([]).status == 0)
    }

    #if SQLite
        @Test func `a database gives the picture that its archive gives`() throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let database = ["--database", folder.url.appending(path: "purchases.db").path]
            let ingest = try CommandProcess(
                ["ingest", "--quiet"] + database + CommandProcess.root, input: input())
            #expect(ingest.status == 1)
            let options = Self.at + ["--customer", Self.token, "--quiet"]
            let kept = try timeline(database + options)
            #expect(kept.status == 0)
            #expect(try kept.output == timeline(options, input: input()).output)
        }
    #endif
}

/// Collects the text of elements with a name.
private final class TextReader: NSObject, XMLParserDelegate {
    private let name: String
    private var isInside = false
    private(set) var texts: [String] = []

    init(_ name: String) { self.name = name }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        isInside = name == self.name
        if isInside { texts.append("") }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { isInside = false }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if isInside { texts[texts.count - 1] += text }
    }
}
