import Minting
import TestMinting

/// A planted fault, to check that fuzzing finds it. This decoder ignores the unused bits of the last
/// character, so one value has several texts.
package struct PlantedTarget: FuzzTarget {
    package static let name = "planted"

    package init() {}

    package func check(_ input: [UInt8]) throws(Violation) {
        // The minting tool's decoder is lenient; only `Base64URL` makes this strict.
        guard let bytes = Base64.decoded(String(decoding: input, as: UTF8.self)), !bytes.isEmpty else {
            return
        }
        try expect(Base64URL.encodedStandard(bytes) == input, "decodes what encodes otherwise")
    }

    package func seeds(from line: [UInt8]) -> [[UInt8]] { [] }
}
