import ArgumentParser
import Foundation
import StoreKitTestSession
import StoreKitVerify

/// The options that describe the simulated App Store.
struct AppStoreOptions: ParsableArguments {
    @Argument(
        help: "The products and settings, as Xcode writes them. Examples if none is named.",
        completion: .file(extensions: ["storekit"]))
    var file: String?

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"))
    var bundleID = TestApp().bundleID

    @Option(help: ArgumentHelp("Apple's number for the app.", valueName: "number"))
    var appAppleID = TestApp().appleID

    @Option(
        help: ArgumentHelp(
            "What payloads name: Sandbox, Production, Xcode or LocalTesting. In the last two, one certificate signs, as in Xcode.",
            valueName: "name"))
    var environment = "Sandbox"

    @Option(
        help: ArgumentHelp(
            "Make all keys and identifiers from a number. The same number gives the same bytes. By default every run has others.",
            valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Keep the keys in this folder, so that every run has the same root certificate, root.pem in it.",
            valueName: "folder"),
        completion: .directory)
    var keys: String?

    @Option(help: ArgumentHelp("Write the root certificate to this file, as PEM.", valueName: "file"))
    var writeRoot: String?

    func validate() throws {
        guard ["Sandbox", "Production", "Xcode", "LocalTesting"].contains(environment) else {
            throw ValidationError("--environment is Sandbox, Production, Xcode or LocalTesting.")
        }
        guard appAppleID > 0 else { throw ValidationError("--app-apple-id is a number above 0.") }
    }

    /// The App Store, at its first time.
    ///
    /// - Throws: an exit status, after a message.
    func open(_ configuration: StoreKitConfiguration, at start: Date) throws -> TestAppStore {
        let environment = AppStore.Environment(rawValue: environment)
        let seed = effectiveSeed
        let store = try TestAppStore(
            configuration, app: TestApp(bundleID: bundleID, appleID: appAppleID), environment: environment,
            authority: authority(environment), startingAt: start, seed: seed)
        if let writeRoot { try Output.write(store.authority.rootPEM, toFile: writeRoot) }
        return store
    }

    /// The seed that was given, or one of this run.
    var effectiveSeed: UInt64 { seed ?? .random(in: .min ... .max) }

    /// The products and settings.
    ///
    /// - Throws: an exit status, after a message.
    func configuration() throws -> StoreKitConfiguration {
        guard let file else { return try .example() }
        do {
            return try StoreKitConfiguration(contentsOf: URL(filePath: file))
        } catch {
            Output.say("\(file): \(error)")
            throw FileManager.default.isReadableFile(atPath: file) ? ExitCode.badData : .unreadableInput
        }
    }

    /// The keys of the folder. The first run makes them.
    private func authority(_ environment: AppStore.Environment) throws -> TestAuthority? {
        guard let keys else { return nil }
        let folder = URL(filePath: keys)
        let secret = folder.appending(path: "test-key-seed.txt")
        if !FileManager.default.fileExists(atPath: secret.path) {
            let name = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Output.write(name + "\n", toFile: secret.path)
        }
        guard let text = try? String(contentsOf: secret, encoding: .utf8) else {
            Output.say("\(secret.path): it cannot be read")
            throw ExitCode.unreadableInput
        }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let authority = try TestAuthority.of(environment, name)
        try Output.write(authority.rootPEM, toFile: folder.appending(path: "root.pem").path)
        return authority
    }
}
