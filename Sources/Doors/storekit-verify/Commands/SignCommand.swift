import ArgumentParser
import CommandSupport
import Platform
import RequestSigning
import WireFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `storekit-verify sign KIND`: what an app's server signs for the App Store.
///
/// The members of each kind, and what is printed, are the module's. One command has the options of all kinds, because
/// the parser of a command is large.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign offers, requests and tokens for the App Store.",
        discussion: """
            Prints one JSON object with what the app or the client needs. Kinds and their options:

              promotional-offer: --product-id --offer-identifier [--transaction-id]
              promotional-offer-v1: --product-id --offer-identifier
                [--app-account-token]
              introductory-offer: --product-id --allow-introductory-offer
                --transaction-id
              advanced-commerce: --request
              token, for the App Store Server API: [--seconds]

              storekit-verify sign promotional-offer --key Key_2X9R4HXF34.p8 \\
                --key-id 2X9R4HXF34 --issuer-id 57246542-96fe-1a63-e053-0824d011072a \\
                --bundle-id com.example.shop --product-id com.example.plus \\
                --offer-identifier spring

            The key is an In-App Purchase key of App Store Connect. It is read from a file that only its owner can \
            read, and is never printed.

            Exit status: 0 signed, 64 usage, or the file is no such key or open to other users, 66 a file can't be \
            read, 71 the system has no memory, 74 output can't be written.
            """)

    @Argument(
        help: ArgumentHelp("What to sign.", valueName: "kind"),
        transform: { text in
            guard let kind = SignatureKind(rawValue: text) else {
                let kinds = SignatureKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(text)' is none of: \(kinds).")
            }
            return kind
        })
    var kind: SignatureKind

    @Option(help: ArgumentHelp("The private key, a .p8 file.", valueName: "file"))
    var key: FileName

    @Option(
        name: .customLong("key-id"), help: ArgumentHelp("The key's identifier.", valueName: "id"),
        transform: parseText)
    var keyID: String

    @Option(
        name: [.customLong("issuer-id"), .customLong("issuer")],
        help: ArgumentHelp(
            "The issuer's identifier, above the list of keys; promotional-offer-v1 has none.", valueName: "id"
        ),
        transform: parseText)
    var issuerID = ""

    @Option(
        name: .customLong("bundle-id"), help: ArgumentHelp("The app.", valueName: "identifier"),
        transform: parseText)
    var bundleID: String

    @Option(
        name: .customLong("product-id"), help: ArgumentHelp("The subscription.", valueName: "id"),
        transform: parseText)
    var productID: String?

    @Option(
        help: ArgumentHelp("The offer's identifier in App Store Connect.", valueName: "id"),
        transform: parseText)
    var offerIdentifier: String?

    @Option(
        name: .customLong("transaction-id"),
        help: ArgumentHelp("Any transaction of the customer, or their appTransactionId.", valueName: "id"),
        transform: parseText)
    var transactionID: String?

    @Option(
        help: ArgumentHelp("The customer's account, as the app gives it to StoreKit.", valueName: "uuid"),
        transform: parseText)
    var appAccountToken: String?

    @Option(help: ArgumentHelp("Whether the customer gets the offer.", valueName: "true|false"))
    var allowIntroductoryOffer: Bool?

    @Option(
        help: ArgumentHelp("The Advanced Commerce request, JSON; '-' is standard input.", valueName: "file"))
    var request: FileName?

    @Option(
        help: ArgumentHelp("The nonce (default: a new one).", valueName: "uuid"), transform: parseText)
    var nonce: String?

    @Option(
        help: ArgumentHelp("How long the token is valid, up to 3600 (default: 300).", valueName: "number"))
    var seconds: Int?

    func run() throws {
        let members = try members()
        let key = try SigningKey.read(self.key)
        let answer: ObjectText
        do throws(RequestSigningError) {
            let named = try NamedKey(key, keyID: keyID, issuerID: issuerID)
            answer = try named.answer(kind, members, bundleID: bundleID, at: Date())
        } catch {
            StandardError.say("\(Self.optionName(error))\(error)")
            if case .failed = error { throw ExitCode.noResources }
            throw ExitCode.usage
        }
        try StandardOutput.write(answer.json + "\n")
    }

    /// The option of a value that is missing: `--product-id: ` for `productId`.
    private static func optionName(_ error: RequestSigningError) -> String {
        guard case .empty(let name) = error else { return "" }
        return "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined() + ": "
    }

    /// The options of this kind, by Apple's names.
    private func members() throws(ExitCode) -> [String: JSONTree] {
        let texts = [
            "productId": productID, "offerIdentifier": offerIdentifier, "transactionId": transactionID,
            "appAccountToken": appAccountToken, "nonce": nonce,
            // A request of Advanced Commerce has some kilobytes.
            "request": try request.map { file throws(ExitCode) in
                try file.textContent(maximumBytes: 1 << 20, hint: "")
            },
        ]
        var members = texts.compactMapValues { $0.map(JSONTree.string) }
        members["allowIntroductoryOffer"] = allowIntroductoryOffer.map(JSONTree.bool)
        members["seconds"] = seconds.map { .number("\($0)") }
        return members
    }
}

extension SigningKey {
    /// Reads a private key.
    ///
    /// - Throws: an exit status, after a message.
    static func read(_ file: FileName) throws(ExitCode) -> SigningKey {
        do throws(SigningKeyError) {
            return try SigningKey(contentsOf: file)
        } catch {
            if case .unusable(let sentence) = error {
                StandardError.say("\(file.text): \(sentence)")
            } else {
                StandardError.say("\(error)")
            }
            if case .unreadable = error { throw .unreadableInput }
            throw .usage
        }
    }
}
