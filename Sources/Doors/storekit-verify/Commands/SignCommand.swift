import ArgumentParser
import CommandSupport
import Essentials
import Platform
import RequestSigning
import WireFormats

/// `storekit-verify sign KIND`: the signatures of an app's server for the App Store.
///
/// The module `RequestSigning` decides the values of a kind, and the printed object.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign offers, requests and tokens for the App Store.",
        discussion: """
            Prints one JSON object with the values that the app or the client needs. Kinds and their options:

              promotional-offer: --product-id, --offer-identifier
                [--transaction-id]
              promotional-offer-v1: --product-id, --offer-identifier
                [--app-account-token]
              introductory-offer: --product-id, --transaction-id,
                --allow-introductory-offer
              advanced-commerce: --request
              token, for the App Store Server API: [--seconds]

            All but token take a --nonce, which is new by default.

              storekit-verify sign promotional-offer --key Key_2X9R4HXF34.p8 \\
                --key-id 2X9R4HXF34 --issuer-id 57246542-96fe-1a63-e053-0824d011072a \\
                --bundle-id com.example.shop --product-id com.example.plus \\
                --offer-identifier spring

            The key is an In-App Purchase key of App Store Connect. It is read from a file that only its owner can \
            read, and is never printed.

            Exit status: 0 signed, 64 usage, or the file is not such a key or open to other users, 66 a file can't be \
            read, 71 the system has no memory, 74 output can't be written.
            """)

    @Argument(help: "The kind of signature.")
    var kind: SignatureKind

    @Option(help: ArgumentHelp("The private key, a .p8 file.", valueName: "file"))
    var key: FileName

    @Option(text: ["key-id"], "The key's identifier.", "id")
    var keyID: String?

    @Option(text: ["issuer-id", "issuer"], "The issuer's identifier; not of promotional-offer-v1.", "id")
    var issuerID: String?

    @Option(text: ["bundle-id"], "The app.", "id")
    var bundleID: String?

    @Option(text: ["product-id"], "The product that is offered.", "id")
    var productID: String?

    @Option(text: ["offer-identifier"], "The offer, as in App Store Connect.", "id")
    var offerIdentifier: String?

    @Option(text: ["transaction-id"], "Any transaction of the customer, or their appTransactionId.", "id")
    var transactionID: String?

    @Option(text: ["app-account-token"], "The customer's account in the app.", "uuid")
    var appAccountToken: String?

    @Option(text: ["allow-introductory-offer"], "Whether the customer gets the offer: true or false.", "bool")
    var allowIntroductoryOffer: String?

    @Option(help: ArgumentHelp("The request's JSON; - is standard input.", valueName: "file"))
    var request: FileName?

    @Option(text: ["seconds"], "How long the token is valid: 300 unless given, up to 3600.", "number")
    var seconds: String?

    @Option(text: ["nonce"], "Another one for each signature.", "uuid")
    var nonce: String?

    func run() throws {
        let members = try members()
        let key = try SigningKey.read(key)
        let answer: ObjectText
        do throws(RequestSigningError) {
            let named = try NamedKey(key, keyID: keyID ?? "", issuerID: issuerID ?? "")
            answer = try named.answer(kind, members, bundleID: bundleID ?? "", at: Date())
        } catch {
            StandardError.say(error.description)
            if case .failed = error { throw ExitCode.noResources }
            throw ExitCode.usage
        }
        try StandardOutput.write(answer.json + "\n")
    }

    /// The values of the kinds, by Apple's names.
    private func members() throws -> [JSONTree.Member] {
        // A request of Advanced Commerce has some kilobytes.
        let request = try request?.textContent(maximumBytes: 1 << 20, hint: "")
        let isAllowed = allowIntroductoryOffer.map { text in
            text == "true" || text == "false" ? JSONTree.bool(text == "true") : .string(text)
        }
        let values: [(String, JSONTree?)] = [
            ("productId", productID.map { .string($0) }),
            ("offerIdentifier", offerIdentifier.map { .string($0) }),
            ("transactionId", transactionID.map { .string($0) }),
            ("appAccountToken", appAccountToken.map { .string($0) }),
            ("allowIntroductoryOffer", isAllowed),
            ("request", request.map { .string($0) }),
            ("seconds", seconds.map { .number($0) }),
            ("nonce", nonce.map { .string($0) }),
        ]
        return values.compactMap { name, value in value.map { JSONTree.Member(name: name, value: $0) } }
    }
}

extension SignatureKind: ExpressibleByArgument {}

extension Option where Value == String? {
    /// An option with one text. It is one function, because the parser's own initializers are large.
    @inline(never)
    fileprivate init(text names: [String], _ help: String, _ valueName: String) {
        self.init(
            name: NameSpecification(names.map { .customLong($0) }),
            help: ArgumentHelp(.init(stringLiteral: help), valueName: valueName), transform: parseText)
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
            StandardError.say(error.description)
            if error.code == .unreadable { throw .unreadableInput }
            throw .usage
        }
    }
}
