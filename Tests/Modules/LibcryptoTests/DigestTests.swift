import Libcrypto
import Testing
import WireFormats

/// The hash functions, with the example messages of FIPS 180 (NIST, "Examples with Intermediate Values").
@Suite struct DigestTests {
    private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

    @Test(
        "SHA-1 is that of FIPS 180",
        arguments: [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ])
    func sha1(message: String, digest: String) {
        #expect(hexadecimal(Digest.sha1(Array(message.utf8).span)) == digest)
    }

    @Test(
        "SHA-256 is that of FIPS 180",
        arguments: [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ])
    func sha256(message: String, digest: String) {
        #expect(hexadecimal(Digest.sha256(Array(message.utf8).span)) == digest)
    }

    @Test func `SHA-384 gives the digests of FIPS 180`() {
        let digest = Digest.sha384(Array("abc".utf8).span)
        #expect(
            hexadecimal(digest.indices.map { digest[$0] })
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7")
    }

    @Test func `a continued hash equals the hash of the whole message, wherever it is divided`() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = Digest.sha256(message.span)
        for place in 0...message.count {
            let prefix = SHA256Prefix(message.span.extracting(..<place))
            // The prefix is kept, and continued several times.
            for _ in 0..<2 {
                let digest = prefix.digest(continuedBy: message.span.extracting(place...))
                #expect((0..<32).map { digest[$0] } == whole, "divided at \(place)")
            }
        }
    }

    @Test func `digests are equal if all bytes are equal`() {
        #expect(Digest.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!Digest.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Digest.areEqual([1, 2, 3], [1, 2]))
        #expect(Digest.areEqual([], []))
    }
}
