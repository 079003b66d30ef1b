internal import Foundation
package import Minting
package import TestMinting

/// One of OpenSSL's responders (`openssl ocsp`) on its own port, until it is stopped.
package final class OpenSSLResponder: Sendable {
    /// How long its answers are valid.
    package enum Life: Sendable {
        case days(Int)
        case minutes(Int)
        /// They have no `nextUpdate`.
        case unsaid

        var options: [String] {
            switch self {
            case .days(let count): ["-ndays", "\(count)"]
            case .minutes(let count): ["-nmin", "\(count)"]
            case .unsaid: []
            }
        }
    }

    /// The port on which it listens, on all addresses of the machine.
    package let port: UInt16
    private let process: ChildProcess
    private let folder: URL

    /// Starts a responder and waits until it listens.
    package init(_ files: OCSPResponderFiles, life: Life = .days(1), options: [String] = []) throws {
        folder = try Self.write(files)
        process = try ChildProcess(
            ["openssl", "ocsp", "-port", "0"] + Self.arguments(for: folder) + life.options + options)
        // ACCEPT [::]:42019 PID=16526
        let text = process.readLine()
        let address = text.split(separator: " ").dropFirst().first
        guard let port = address?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            process.end()
            throw ResponderError.didNotStart(text)
        }
        self.port = port
    }

    /// Its address, as a certificate names it.
    package var url: String { "http://127.0.0.1:\(port)/ocsp" }

    /// Ends the responder.
    package func stop() {
        process.end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The responder's answer to a request, in DER.
    package static func answer(
        to request: [UInt8], _ files: OCSPResponderFiles, life: Life = .days(1), options: [String] = []
    ) throws -> [UInt8] {
        try answer(files, life: life) { folder in
            let question = folder.appending(path: "request.der")
            try Data(request).write(to: question)
            return ["-reqin", question.path] + options
        }
    }

    private static func answer(
        _ files: OCSPResponderFiles, life: Life, _ question: (URL) throws -> [String]
    ) throws -> [UInt8] {
        let folder = try write(files)
        defer { try? FileManager.default.removeItem(at: folder) }
        let answer = folder.appending(path: "response.der")
        try ChildProcess(
            ["openssl", "ocsp", "-respout", answer.path] + arguments(for: folder) + life.options
                + question(folder)
        ).waitForEnd()
        return [UInt8](try Data(contentsOf: answer))
    }

    /// An answer that was prepared before the request, so that it has no nonce.
    package static func answer(
        about certificate: TestPKI.Entity, _ files: OCSPResponderFiles, life: Life = .days(1),
        options: [String] = []
    ) throws -> [UInt8] {
        let number = certificate.template.serialNumber.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return try answer(files, life: life) { folder in
            [
                "-issuer", folder.appending(path: "ca.pem").path, "-serial", "0x" + number.joined(),
                "-no_nonce",
            ] + options
        }
    }

    private static func write(_ files: OCSPResponderFiles) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "storekit-verify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let contents = [
            "ca.pem": files.authority, "signer.pem": files.signer, "key.pem": files.signerKey,
            "index.txt": files.index,
        ]
        for (name, text) in contents { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return folder
    }

    private static func arguments(for folder: URL) -> [String] {
        [("-index", "index.txt"), ("-CA", "ca.pem"), ("-rsigner", "signer.pem"), ("-rkey", "key.pem")].flatMap
        {
            [$0, folder.appending(path: $1).path]
        }
    }
}

/// The responder could not be started.
package enum ResponderError: Error {
    case didNotStart(String)
    case noSocket
}
