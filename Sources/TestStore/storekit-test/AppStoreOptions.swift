import ArgumentParser
import CommandSupport
import Foundation
import Platform
import StoreKitTestSession
import StoreKitVerify

/// The options that describe the simulated App Store.
///
/// `run`, `trigger` and `serve` share them, so that a seed means the same bytes in each.
struct AppStoreOptions: ParsableArguments {
    @Argument(
        help: "The products and settings, as Xcode writes them. Examples if none is named.",
        completion: .file(extensions: ["storekit"]))
    var file: FileName?

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"), transform: parseText)
    var bundleID = TestApp().bundleID

    @Option(help: ArgumentHelp("Apple's number for the app.", valueName: "number"))
    var appAppleID = TestApp().appleID

    @Option(
        help: ArgumentHelp(
            "The environment in payloads: Sandbox, Production, Xcode or LocalTesting. In the last two, one certificate signs, as in Xcode.",
            valueName: "name"))
    var environment = "Sandbox"

    @Option(
        help: ArgumentHelp(
            "Make all keys and identifiers from a number. The same number gives the same bytes. By default every run has others. Only Xcode numbers its transactions from 0 in each run.",
            valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Keep the keys in this folder, so that every run has the same root certificate: root.pem in it, or root-xcode.pem for Xcode and LocalTesting.",
            valueName: "folder"),
        completion: .directory, transform: parseText)
    var keys: String?

    @Option(help: ArgumentHelp("Write the root certificate to this file, as PEM.", valueName: "file"))
    var writeRoot: FileName?

    /// Checks what a type cannot: the names of environments, and that Apple's number is positive.
    ///
    /// The file of products and the folder of keys are opened later, so a wrong name is reported with the
    /// system's reason.
    func validate() throws {
        guard ["Sandbox", "Production", "Xcode", "LocalTesting"].contains(environment) else {
            throw ValidationError("--environment is Sandbox, Production, Xcode or LocalTesting.")
        }
        guard appAppleID > 0 else { throw ValidationError("--app-apple-id is a number above 0.") }
    }

    /// The App Store, at its first time.
    ///
    /// - Parameters:
    ///   - configuration: the products and settings.
    ///   - start: the first moment, from which the certificates and the signed dates follow.
    ///   - seed: the seed of this run, which scenarios and faults must share (`effectiveSeed`).
    /// - Throws: an exit status, after a message.
    func open(
        _ configuration: StoreKitConfiguration, at start: Date, seed: UInt64
    ) throws -> TestAppStore {
        let environment = AppStore.Environment(rawValue: environment)
        let store = try TestAppStore(
            configuration, app: TestApp(bundleID: bundleID, appleID: appAppleID), environment: environment,
            authority: authority(environment), startingAt: start, seed: seed)
        try writeRoot?.write(store.authority.rootPEM)
        return store
    }

    /// How often the App Store sends a notification again: never in the Sandbox (Apple, "Responding to App Store Server
    /// Notifications").
    var repetitions: Int { environment == "Production" ? Delivery.pauses.count : 0 }

    /// The seed that was given, or one of this run.
    ///
    /// A command reads this once and keeps the value, because a second reading draws another number.
    var effectiveSeed: UInt64 { seed ?? .random(in: .min ... .max) }

    /// The products and settings.
    ///
    /// - Throws: an exit status, after a message.
    func configuration() throws -> StoreKitConfiguration {
        guard let file else { return try .example() }
        do {
            // One gibibyte: a bound against a device file that never ends, far above any file of Xcode's.
            return try StoreKitConfiguration(file.content(maximumBytes: 1 << 30, hint: ""))
        } catch let error as StoreKitConfigurationError {
            StandardError.say("\(file.text): \(error)")
            throw ExitCode.usage
        }
    }

    /// The keys of the folder. The first run makes them.
    ///
    /// The folder holds `test-key-seed.txt`, from which the keys follow, and a root certificate for verifiers. Xcode's
    /// has a file of its own, because it is another one.
    private func authority(_ environment: AppStore.Environment) throws -> TestAuthority? {
        guard let keys else { return nil }
        let secret = FileName(path: "\(keys)/test-key-seed.txt")
        if !FileManager.default.fileExists(atPath: keys + "/test-key-seed.txt") {
            // 256 random bits, so that two folders never share a root certificate.
            let name = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
            // A folder that cannot be made is reported by the write below, with the system's reason.
            try? FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
            try secret.write(name + "\n")
        }
        // The name from which all keys are derived. The keys are worthless, so the file needs no protection.
        let name = try secret.textContent(maximumBytes: 1 << 10, hint: "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let authority = try TestAuthority.of(environment, name)
        let root = environment == .xcode || environment == .localTesting ? "root-xcode.pem" : "root.pem"
        try FileName(path: "\(keys)/\(root)").write(authority.rootPEM)
        return authority
    }
}
