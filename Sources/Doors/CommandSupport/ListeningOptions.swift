package import ArgumentParser
internal import Platform

/// Where a server listens, and who may ask it.
package struct ListeningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Listen on this address.", valueName: "address"), transform: parseText)
    package var host = "127.0.0.1"

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            """
            Answer requests whose Host field or Origin is this name too, such as that of a proxy. Repeatable. \
            Others must name this machine, or an address if it listens for others.
            """, valueName: "name"),
        transform: parseText)
    package var allowedHosts: [String] = []

    @Flag(help: "Let everyone ask who reaches the address, though it is not a loopback address.")
    package var allowAnonymous = false

    package init() {}

    package func validate() throws {
        guard !allowedHosts.contains(where: { $0.isEmpty || $0.contains("/") }) else {
            throw ValidationError(
                "--allowed-host is a name such as shop.example, without http:// and a port.")
        }
    }

    /// Refuses an address that others reach, if nothing is asked of them.
    ///
    /// - Parameter remedy: what the command has for it, as the message says it.
    package func requireLoopback(unless isProtected: Bool, _ remedy: String) throws {
        guard LoopbackAddress.contains(host) || isProtected || allowAnonymous else {
            throw ValidationError(
                "Everyone who reaches --host \(host) could ask: \(remedy), or say --allow-anonymous.")
        }
    }
}
