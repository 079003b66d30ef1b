package import ArgumentParser
internal import Platform

/// The address on which a server listens, and the hosts that it answers.
package struct ListeningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Listen on this address.", valueName: "address"), transform: parseText)
    package var host = "127.0.0.1"

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            """
            Answer requests whose Host field or Origin is this name too, such as that of a proxy. Repeatable. \
            Other names must be this machine's, or an address if --host is not a loopback one.
            """, valueName: "name"),
        transform: parseText)
    package var allowedHosts: [String] = []

    @Flag(help: "Let anyone who can reach the address send requests, though it is not a loopback address.")
    package var allowAnonymous = false

    package init() {}

    package func validate() throws {
        guard !allowedHosts.contains(where: { $0.isEmpty || $0.contains("/") }) else {
            throw ValidationError(
                "--allowed-host is a name such as shop.example, without http:// and a port.")
        }
    }

    /// Refuses an address that other machines reach, if their requests need no token.
    ///
    /// - Parameter remedy: the command's option for it, in the words of the message.
    package func requireLoopback(unless isProtected: Bool, _ remedy: String) throws {
        guard LoopbackAddress.contains(host) || isProtected || allowAnonymous else {
            throw ValidationError(
                "Anyone who can reach --host \(host) could send requests: \(remedy), or say --allow-anonymous."
            )
        }
    }
}
