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

              promotional-offer: --product-id ID --offer-identifier ID
                [--transaction-id ID]
              promotional-offer-v1: --product-id ID --offer-identifier ID
                [--app-account-token UUID]
              introductory-offer: --product-id ID --transaction-id ID
                --allow-introductory-offer true|false
              advanced-commerce: --request FILE, JSON; - is standard input
              token, for the App Store Server API: [--seconds NUMBER], 300 unless
                given, up to 3600

            The transaction is any of the customer, or their appTransactionId. All but \
            token take a --nonce UUID, which is new by default.

              storekit-verify sign promotional-offer --key Key_2X9R4HXF34.p8 \\
                --key-id 2X9R4HXF34 --issuer-id 57246542-96fe-1a63-e053-0824d011072a \\
                --bundle-id com.example.shop --product-id com.example.plus \\
                --offer-identifier spring

            The key is an In-App Purchase key of App Store Connect. It is read from a file that only its owner can \
            read, and is never printed.

            Exit status: 0 signed, 64 usage, or the file is no such key or open to other users, 66 a file can't be \
            read, 71 the system has no memory, 74 output can't be written.
            """)

    @Argument(help: ArgumentHelp("What to sign.", valueName: "kind"), transform: parseText)
    var kind: String

    @Option(help: ArgumentHelp("The private key, a .p8 file.", valueName: "file"))
    var key: FileName

    @Option(text: "key-id", "The key's identifier.", "id")
    var keyID: String?

    @Option(text: "issuer-id", or: "issuer", "The issuer's identifier; not of promotional-offer-v1.", "id")
    var issuerID: String?

    @Option(text: "bundle-id", "The app.", "identifier")
    var bundleID: String?

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The options of the kind, each with a value.", valueName: "options of the kind"),
        transform: parseText)
    var rest: [String] = []

    func run() throws {
        guard let kind = SignatureKind(rawValue: kind) else {
            let kinds = SignatureKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.refusal("'\(kind)' is none of: \(kinds)")
        }
        let members = try members()
        let key = try SigningKey.read(key)
        let answer: ObjectText
        do throws(RequestSigningError) {
            let named = try NamedKey(key, keyID: keyID ?? "", issuerID: issuerID ?? "")
            answer = try named.answer(kind, members, bundleID: bundleID ?? "", at: Date())
        } catch {
            StandardError.say("\(Self.optionName(error))\(error)")
            if case .failed = error { throw ExitCode.noResources }
            throw ExitCode.usage
        }
        try StandardOutput.write(answer.json + "\n")
    }

    private static func refusal(_ message: String) -> ExitCode {
        StandardError.say(message)
        return .usage
    }

    /// The option of a value that is missing: `--product-id: ` for `productId`.
    private static func optionName(_ error: RequestSigningError) -> String {
        guard case .empty(let name) = error else { return "" }
        var option = Array("--".utf8)
        for byte in name.utf8 {
            let isCapital = byte < UInt8(ascii: "a")
            if isCapital { option.append(UInt8(ascii: "-")) }
            option.append(isCapital ? byte | 0x20 : byte)
        }
        return String(decoding: option, as: UTF8.self) + ": "
    }

    /// The name of an option's value: `productId` for `--product-id`.
    private static func memberName(_ option: ArraySlice<UInt8>) -> String {
        var (name, begins): ([UInt8], Bool) = ([], false)
        for byte in option.dropFirst(2) {
            if byte != UInt8(ascii: "-") { name.append(begins ? byte & ~0x20 : byte) }
            begins = byte == UInt8(ascii: "-")
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The options of this kind, by Apple's names: `productId` for `--product-id`.
    ///
    /// They are read here, because each option of the parser would take two kilobytes of the released file.
    private func members() throws -> [JSONTree.Member] {
        var members: [JSONTree.Member] = []
        var arguments = rest.map { Array($0.utf8) }[...]
        while let option = arguments.popFirst() {
            // `--product-id plus` or `--product-id=plus`.
            let end = option.firstIndex(of: UInt8(ascii: "="))
            let given = end.map { option[($0 + 1)...] } ?? arguments.popFirst()?[...]
            guard option.starts(with: Array("--".utf8)), let given else {
                throw Self.refusal("'\(String(decoding: option, as: UTF8.self))' is no option with a value")
            }
            let value = String(decoding: given, as: UTF8.self)
            let name = Self.memberName(option[..<(end ?? option.count)])
            guard !members.contains(where: { $0.name == name }) else {
                throw Self.refusal("\(name) is given twice")
            }
            members.append(JSONTree.Member(name: name, value: try Self.value(of: name, value)))
        }
        return members
    }

    private static func value(of name: String, _ text: String) throws -> JSONTree {
        switch name {
        case "allowIntroductoryOffer" where text == "true" || text == "false": .bool(text == "true")
        case "seconds": .number(text)
        // A request of Advanced Commerce has some kilobytes.
        case "request": .string(try FileName(path: text).textContent(maximumBytes: 1 << 20, hint: ""))
        default: .string(text)
        }
    }
}

extension Option where Value == String? {
    /// An option with one text. It is one function, because the parser's own initializers are large.
    @inline(never)
    fileprivate init(text name: String, or other: String? = nil, _ help: String, _ valueName: String) {
        self.init(
            name: NameSpecification([name, other].compactMap { $0.map { .customLong($0) } }),
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
