import ArgumentParser
import CommandSupport
import Foundation
import Platform
import StoreKitTestSession
import StoreKitVerify

#if TestServer
    import TestServerAPI
#endif

/// `storekit-test serve`: answers the App Store Server API on a local port.
///
/// It listens on the loopback address by default: /test/events takes commands from every program that reaches it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer the App Store Server API on a local port, and send notifications.",
        discussion: """
            Requests are signed by the key that --write-api-key writes; its key and issuer identifiers are options. \
            Time passes as on the wall, so that subscriptions renew as fast as the .storekit file's rate of time \
            says. Ctrl-C ends the server.

            Let customers act by a request without a token, whose body has lines of a scenario. The times in it are \
            optional; a later one lets the time of the App Store leap. The answer names the new transactions:

              curl --data 'anna: buy $subscription' http://127.0.0.1:8081/test/events
              curl http://127.0.0.1:8081/test/transactions

            Exit status: 64 usage, the scenario cannot run, or a build without the server; 66 a file cannot be read; 71 the port is taken.
            """)

    @OptionGroup var options: AppStoreOptions

    @Option(help: ArgumentHelp("The port; 0 takes any that is free.", valueName: "number"))
    var port = 8081

    @OptionGroup var listening: ListeningOptions

    @Option(
        help: ArgumentHelp(
            "The scenario to begin with: a name that storekit-test scenarios lists, or a file.",
            valueName: "name"))
    var scenario: FileName?

    @Option(
        help: ArgumentHelp("Send the notifications to this address.", valueName: "url"), transform: parseText)
    var forwardTo: String?

    @Option(
        help: ArgumentHelp(
            "How long an hour between attempts to send a notification takes.", valueName: "milliseconds"))
    var hour = 1000

    @Option(
        help: ArgumentHelp(
            "How often to send a notification again that failed, at most 5. The default is 5 in production, and 0 elsewhere.",
            valueName: "number"))
    var retries: Int?

    @Flag(help: "Refuse requests beyond Apple's numbers within a second.")
    var rateLimits = false

    @Option(
        name: .customLong("key-id"),
        help: ArgumentHelp("The key's identifier.", valueName: "identifier"), transform: parseText)
    var keyID = ServerAPIKey.defaultKeyID

    @Option(
        name: .customLong("issuer-id"),
        help: ArgumentHelp("The issuer's identifier.", valueName: "identifier"), transform: parseText)
    var issuerID = ServerAPIKey.defaultIssuerID

    @Option(
        name: .customLong("write-api-key"),
        help: ArgumentHelp(
            "Write the private key that signs requests to this file, as Apple's .p8.", valueName: "file"))
    var writeAPIKey: FileName?

    /// A scenario, a key file or a port that cannot be used is reported by `run`, with the system's reason.
    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535.") }
        try listening.requireLoopback(unless: false, "listen on 127.0.0.1")
        guard hour >= 0, (0...5).contains(retries ?? 0) else {
            throw ValidationError("--hour is at least 0, --retries 0 to 5.")
        }
        if let forwardTo { _ = try Delivery.url(forwardTo) }
    }

    #if TestServer
        func run() async throws {
            let delivery = try forwardTo.map {
                Delivery(
                    url: try Delivery.url($0), retries: retries ?? options.repetitions,
                    hour: .milliseconds(hour))
            }
            // The scenario is over before the port opens, so the first request sees its result.
            let server = TestServer(api: try openAPI(), delivery: delivery)
            try await server.run(listening, port: port)
        }

        /// The App Store, after what the scenario says.
        ///
        /// - Throws: an exit status, after a message.
        private func openAPI() throws -> TestAppStoreAPI {
            let configuration = try options.configuration()
            let scenario = try self.scenario.map { try Scenario.named($0) }
            // Without --seed, one seed of this run: the store and the populations of the scenario must share
            // it.
            let seed = options.effectiveSeed
            let start = scenario?.start(endingAt: Date(), configuration) ?? Date()
            let store = try options.open(configuration, at: start, seed: seed)
            let key = try ServerAPIKey(of: store.authority, keyID: keyID, issuerID: issuerID)
            if let writeAPIKey { try writeAPIKey.write(key.pem, isPrivate: true) }
            var settings = TestAppStoreAPI.Options()
            settings.hasNotificationURL = forwardTo != nil
            settings.limitsRates = rateLimits
            settings.sendsRealtimeRequests = true
            let api = TestAppStoreAPI(store, keys: [key], options: settings)
            if let scenario {
                try Scenario.reportingErrors(of: scenario.name) { try api.run(scenario, seed: seed) }
            }
            return api
        }
    // The command exists in every build, so that the help and the message below say how to get the server.
    #else
        func run() async throws {
            throw ValidationError(
                "This build has no server. Build the command with: swift build -c release --traits TestServer"
            )
        }
    #endif
}
