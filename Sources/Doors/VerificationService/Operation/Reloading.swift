#if Service
    internal import Foundation
    internal import Logging
    internal import Platform
    internal import ServiceLifecycle
    internal import UnixSignals

    /// Reads the configuration anew when SIGHUP comes. Connections stay, and requests that are under way end as they began.
    struct Reloading: Service {
        let configuration: VerificationService.Configuration
        let apps: ServedApps
        let logger: Logger

        /// How long requests that are under way may still use databases that were replaced.
        private static let grace = Duration.seconds(60)

        func run() async {
            await cancelWhenGracefulShutdown {
                for await _ in await UnixSignalsSequence(trapping: .sighup) { reload() }
            }
        }

        private func reload() {
            guard let read = configuration.reload else { return }
            // A message to the service manager that fails changes nothing here; the one of the start was reported.
            try? ServiceManager.notify(.reloading, status: "reading the configuration anew")
            defer { try? ServiceManager.notify(.ready, status: "serving") }
            do {
                let reloaded = try read()
                if let tokens = reloaded.tokens { configuration.tokens?.replace(by: tokens) }
                apps.replace(by: reloaded.apps)
                logger.notice(
                    "the configuration was read anew",
                    metadata: ["apps": .string(reloaded.apps.map(\.name).sorted().joined(separator: ", "))])
                Task {
                    try? await Task.sleep(for: Self.grace)
                    reloaded.closeReplaced()
                }
            } catch {
                logger.error(
                    "the configuration could not be read anew; the service goes on with the one it has",
                    metadata: ["reason": "\(error)"])
            }
        }
    }
#endif
