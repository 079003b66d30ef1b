import CLibcrypto
import Foundation
import P256Verification
import RepositoryFiles
import Testing

/// C2SP's Wycheproof vectors for P-256 and SHA-256 with raw signatures. They are not committed:
/// see `PrivateTestData`.
@Suite(
    .enabled(
        if: PrivateTestData.wycheproof.folder != nil,
        "PRIVATE_TEST_DATA names no folder with Wycheproof's vectors"))
struct WycheproofTests {
    @Test(arguments: P256Verifier.Arithmetic.available)
    func `every vector gets its verdict, alone and in a batch`(arithmetic: P256Verifier.Arithmetic) throws {
        let file = try #require(PrivateTestData.wycheproof.folder)
            .appending(path: "ecdsa_secp256r1_sha256_p1363_test.json")
        let vectors = try JSONDecoder().decode(Wycheproof.self, from: Data(contentsOf: file))
        let verifier = P256Verifier(arithmetic: arithmetic, generatorWindowBits: 8)
        var batch = P256Batch(capacity: P256Batch.maximumCapacity)
        var places: [(place: Int?, vector: Wycheproof.Vector)] = []
        for group in vectors.testGroups {
            let point = try #require(Wycheproof.bytes(group.publicKey.uncompressed))
            let table = P256KeyTable(
                try publicKey(point), windowBits: 8)
            for vector in group.tests {
                let message = try #require(Wycheproof.bytes(vector.msg))
                let signature = try #require(Wycheproof.bytes(vector.sig))
                var digest = [UInt8](repeating: 0, count: 32)
                _ = unsafe SHA256(message, message.count, &digest)
                let place = batch.append(signature: signature.span, digest: digest.span, key: table)
                #expect((place == nil) == (signature.count != 64))
                places.append((place, vector))
                let alone = verifier.isValid(signature: signature.span, digest: digest.span, key: table)
                #expect(alone == (vector.result == "valid"), "\(vector.tcId): \(vector.comment)")
            }
        }
        verifier.verify(&batch)
        for (place, vector) in places {
            let isValid = place.map { batch.isValid(at: $0) } ?? false
            #expect(isValid == (vector.result == "valid"), "\(vector.tcId): \(vector.comment)")
        }
        #expect(places.count == vectors.numberOfTests)
        #expect(Set(places.map(\.vector.result)) == ["valid", "invalid"])
    }
}

/// The file of vectors.
struct Wycheproof: Decodable {
    struct Group: Decodable {
        struct Key: Decodable {
            let uncompressed: String
        }
        let publicKey: Key
        let tests: [Vector]
    }
    struct Vector: Decodable {
        let tcId: Int
        let comment: String
        let msg: String
        let sig: String
        let result: String
    }
    let numberOfTests: Int
    let testGroups: [Group]

    static func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count % 2 == 0 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
    }
}
