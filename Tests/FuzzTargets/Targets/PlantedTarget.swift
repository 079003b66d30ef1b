import Minting

/// A fault on purpose, to see that it is found: a decoder that overlooks the unused bits of the last character, so that
/// one value has several texts.
package struct PlantedTarget: FuzzTarget {
    package static let name = "planted"

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        // The minter's decoder reads anything; only `Base64URL` makes it strict.
        guard let bytes = Base64.decoded(String(decoding: input, as: UTF8.self)), !bytes.isEmpty else {
            return
        }
        try expect(Base64URL.encodedStandard(bytes) == input, "decodes what encodes otherwise")
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] { [] }
}
