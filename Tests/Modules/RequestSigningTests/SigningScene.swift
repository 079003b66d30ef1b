import CLibcrypto
import Foundation
import Minting
import RequestSigning
import StoreKitTestSession
import WireFormats

/// A key of the test App Store, the names that belong to it, and the parts of a signature.
struct SigningScene {
    static let bundleID = "com.example.garden"
    static let monthly = "com.example.garden.plus.monthly"
    static let start = Date(timeIntervalSince1970: 1_767_225_600.5)  // 2026-01-01 00:00:00.5 UTC
    static let nonce = UUID(canonicalForm: "20FBA8A0-2B80-4A7D-A17F-85C1854727F8") ?? UUID()

    private static let authority = Result { try TestAuthority.appStore("signatures") }

    let apiKey: ServerAPIKey
    let key: SigningKey
    let issuer: RequestIssuer

    init() throws {
        apiKey = try ServerAPIKey(of: Self.authority.get())
        key = try SigningKey(pem: apiKey.pem.utf8)
        issuer = try RequestIssuer(
            keyID: apiKey.keyID, issuerID: apiKey.issuerID, bundleID: Self.bundleID)
    }

    func session() throws -> SKTestSession {
        SKTestSession(
            try TestAppStore(.example(), authority: Self.authority.get(), startingAt: Self.start, seed: 7))
    }

    /// Whether libcrypto accepts a signature in DER over a text, under the public half of the key.
    func verifies(_ text: String, der: [UInt8]) -> Bool {
        let info = apiKey.key.publicKeyInfo()
        let parsed = unsafe info.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        guard let key = unsafe parsed, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            unsafe EVP_PKEY_free(key)
        }
        let text = Array(text.utf8)
        return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, der, der.count, text, text.count) == 1
    }

    /// The DER of r‖s, written apart from the library.
    static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw.prefix(32), raw.suffix(32)].flatMap { half -> [UInt8] in
            var digits = Array(half.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }

    /// The parts of a compact JWS, decoded; the signature is verified by libcrypto.
    func parts(_ jws: String) throws -> (header: String, payload: String, isSigned: Bool) {
        let segments = jws.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let decoded = try segments.map {
            try Base64.decode($0.span, in: $0.indices, alphabet: .url)
        }
        let text = jws[..<(jws.lastIndex(of: ".") ?? jws.startIndex)]
        return (
            String(decoding: decoded[0], as: UTF8.self), String(decoding: decoded[1], as: UTF8.self),
            decoded[2].count == 64 && verifies(String(text), der: Self.der(decoded[2]))
        )
    }
}

/// A file in a folder of its own, which is removed at the end.
struct KeyFile: ~Copyable {
    private let folder: URL
    let path: String

    init(_ text: String, permissions: Int = 0o600) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        path = folder.appending(path: "key.p8").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
