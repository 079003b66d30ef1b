import ArgumentParser
import CommandSupport
import Essentials
import SignedPayloads

/// `storekit-verify device-hash`: the value of `deviceVerification` for a nonce and a device.
///
/// It reads no file and verifies nothing. A developer compares its output with a payload's member.
struct DeviceHashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device-hash",
        abstract: "Compute the device verification hash, in base64.",
        discussion: "SHA-384 over the nonce's UUID followed by the device's, both in lower case.")

    @Option(
        help: ArgumentHelp("The payload's deviceVerificationNonce.", valueName: "uuid"), transform: parseUUID)
    var nonce: UUID

    @Option(
        name: .customLong("device-id"), help: ArgumentHelp("The device's identifier.", valueName: "uuid"),
        transform: parseUUID)
    var deviceIdentifier: UUID

    func run() throws {
        let hash = DeviceVerification.base64Hash(nonce: nonce, deviceIdentifier: deviceIdentifier)
        try StandardOutput.write(hash + "\n")
    }
}
