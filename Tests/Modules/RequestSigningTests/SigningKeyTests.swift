import Foundation
import Minting
import RequestSigning
import TestMinting
import Testing

/// The files that are accepted as signing keys, and the sentences of refusals.
@Suite struct SigningKeyTests {
    /// The private key as PKCS #8 (RFC 5958), with an algorithm's parameters and a key in it.
    private static func pkcs8(_ algorithm: [UInt8], _ key: [UInt8]) -> String {
        Base64.pem(
            "PRIVATE KEY", DER.sequence(DER.integer(contents: [0]), algorithm, DER.octetString(key)))
    }

    private static let ecPublicKey: [UInt] = [1, 2, 840, 10045, 2, 1]
    private static let rsaEncryption: [UInt] = [1, 2, 840, 113549, 1, 1, 1]

    private static func text(of curve: EllipticCurve) throws -> String {
        try TestKey("signing", on: curve).privateKeyPEM
    }

    private static func refusal(_ text: some Sequence<UInt8>) -> String {
        do throws(SigningKeyError) {
            _ = try SigningKey(pem: text)
            return "accepted"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a key on another curve is refused by the curve's name`() throws {
        #expect(Self.refusal(try Self.text(of: .p256).utf8) == "accepted")
        for (curve, name) in [
            (EllipticCurve.p384, "secp384r1"), (.p521, "secp521r1"), (.secp256k1, "secp256k1"),
            (.brainpoolP256r1, "brainpoolP256r1"),
        ] {
            #expect(
                Self.refusal(try Self.text(of: curve).utf8)
                    == "this is a private key on the curve \(name); the App Store takes keys on the curve P-256"
            )
        }
    }

    @Test func `an RSA key is refused by its algorithm`() throws {
        let key = try RSATestKey()
        let pem = Self.pkcs8(
            DER.sequence(DER.objectIdentifier(Self.rsaEncryption), [0x05, 0x00]), key.privateKeyDER)
        #expect(
            Self.refusal(pem.utf8)
                == "this is a private key of the algorithm rsaEncryption; the App Store takes keys on the curve P-256"
        )
        #expect(
            Self.refusal(Base64.pem("RSA PRIVATE KEY", key.privateKeyDER).utf8).hasPrefix(
                "this is RSA PRIVATE KEY, not"))
    }

    @Test func `a file of another kind is refused by what it is`() throws {
        let key = try TestKey("signing")
        #expect(Self.refusal("".utf8) == "the key file is empty")
        #expect(Self.refusal("no PEM\n".utf8).hasPrefix("this is not PEM: a signing key is a .p8 file"))
        #expect(Self.refusal(key.privateKeyDER).hasPrefix("this is not PEM"))
        #expect(
            Self.refusal(Base64.pem("EC PRIVATE KEY", key.privateKeyDER).utf8).contains(
                "openssl pkcs8 -topk8"))
        #expect(
            Self.refusal(Base64.pem("PUBLIC KEY", key.publicKeyInfo()).utf8).hasPrefix(
                "this is PUBLIC KEY, not"))
        #expect(
            Self.refusal(Base64.pem("CERTIFICATE", [0x30, 0x00]).utf8).hasPrefix("this is CERTIFICATE, not"))
        #expect(
            Self.refusal(Base64.pem("ENCRYPTED PRIVATE KEY", [0x30, 0x00]).utf8).hasPrefix(
                "the private key is encrypted"))
        #expect(Self.refusal([UInt8](repeating: 0x41, count: 40_000)).hasPrefix("the key file is too long"))
    }

    @Test func `a damaged key is refused`() throws {
        let good = try Self.text(of: .p256)
        // A signed text of another key in the public half, and a zero as the private number.
        let (one, other) = (try TestKey("signing"), try TestKey("another"))
        let algorithm = DER.sequence(
            DER.objectIdentifier(Self.ecPublicKey), DER.objectIdentifier(EllipticCurve.p256.objectIdentifier))
        func mixed(_ scalar: [UInt8]) -> String {
            Self.pkcs8(
                algorithm,
                DER.sequence(
                    DER.integer(contents: [1]), DER.octetString(scalar),
                    DER.explicit(1, DER.bitString(other.uncompressedPoint))))
        }
        #expect(Self.refusal(mixed(other.scalar).utf8) == "accepted")
        #expect(Self.refusal(mixed(one.scalar).utf8).hasPrefix("the private key is damaged"))
        #expect(
            Self.refusal(mixed([UInt8](repeating: 0, count: 32)).utf8).hasPrefix("the private key is damaged")
        )
        // The order of the group, which is no private number, and the number before it, which is one.
        let order: [UInt8] =
            [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8)
            + [
                0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25,
                0x51,
            ]
        func alone(_ scalar: [UInt8], version: UInt8 = 1) -> String {
            let key = DER.sequence(DER.integer(contents: [version]), DER.octetString(scalar))
            return Self.refusal(Self.pkcs8(algorithm, key).utf8)
        }
        #expect(alone(one.scalar) == "accepted")
        #expect(alone(Array(order.dropLast()) + [0x50]) == "accepted")
        #expect(alone(order).hasPrefix("the private key is damaged"))
        #expect(alone(one.scalar, version: 2).hasPrefix("the private key is damaged"))
        #expect(alone(Array(one.scalar.dropFirst())).hasPrefix("the private key is damaged"))
        #expect(Self.refusal(good.dropLast(40).utf8).hasPrefix("the private key is damaged"))
        #expect(
            Self.refusal(Base64.pem("PRIVATE KEY", [0x30, 0x00]).utf8).hasPrefix("the private key is damaged")
        )
    }

    @Test func `no cut and no changed byte of a key's text crashes, and no message has a part of it`() throws
    {
        let good = Array(try Self.text(of: .p256).utf8)
        let secret = String(decoding: good, as: UTF8.self).split(separator: "\n")[1]
        for index in good.indices {
            for text in [Array(good[..<index]), good[..<index] + [good[index] ^ 0x15] + good[(index + 1)...]]
            {
                let refusal = Self.refusal(text)
                #expect(!refusal.contains(secret.prefix(12)))
            }
        }
    }

    @Test func `a file that other users can read is refused with the command that mends it`() throws {
        let text = try Self.text(of: .p256)
        for permissions in [0o644, 0o640, 0o604, 0o660, 0o602] {
            let file = try KeyFile(text, permissions: permissions)
            let path = file.path
            let octal = String(permissions, radix: 8)
            let error = #expect(throws: SigningKeyError.self) { try SigningKey(contentsOf: path) }
            #expect(error?.code == .openToOthers)
            #expect(error?.description.hasSuffix("(permissions \(octal)): chmod 600 '\(path)'") ?? false)
        }
        for permissions in [0o600, 0o400] {
            let file = try KeyFile(text, permissions: permissions)
            _ = try SigningKey(contentsOf: file.path)
        }
    }

    @Test func `a file that cannot be read is refused with the system's reason`() throws {
        let empty = try KeyFile("")
        for (path, code, message) in [
            ("/nowhere/key.p8", SigningKeyError.Code.unreadable, "No such file or directory"),
            ("/", .unreadable, "Is a directory"), (empty.path, .unusable, "the key file is empty"),
            ("/dev/null", .unusable, "the key file is empty"),
        ] {
            let error = #expect(throws: SigningKeyError.self) { try SigningKey(contentsOf: path) }
            #expect(error?.code == code)
            #expect(error?.description == "\(path): \(message)")
        }
    }

    @Test func `no description and no dump of a key shows the key`() throws {
        let key = try SigningKey(pem: Self.text(of: .p256).utf8)
        #expect("\(key)" == "a private key")
        #expect(String(reflecting: key) == "a private key")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(dumped == "- a private key\n")
    }
}
