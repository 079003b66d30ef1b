import Testing
import WireFormats

/// Locating elements of definite and of indefinite length.
@Suite struct BERElementTests {
    private func element(_ bytes: [UInt8], indefinite: Bool = true) throws -> (
        tag: UInt8, Range<Int>, end: Int
    ) {
        let found = try BERElement(
            bytes.span, at: 0, limit: bytes.count, allowsIndefiniteLength: indefinite)
        return (found.tag, found.contents, found.end)
    }

    @Test(
        "an element's contents and end",
        arguments: [
            ([0x04, 0x00], 2..<2, 2),
            ([0x04, 0x01, 0x00, 0xff], 2..<3, 3),
            ([0x30, 0x81, 0x80] + [UInt8](repeating: 0, count: 128), 3..<131, 131),
            ([0x30, 0x80, 0x00, 0x00, 0x05], 2..<2, 4),
            ([0x24, 0x80, 0x04, 0x02, 0x00, 0x00, 0x00, 0x00], 2..<6, 8),
            ([0x30, 0x80, 0x30, 0x80, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00], 2..<8, 10),
        ] as [([UInt8], Range<Int>, Int)])
    func places(bytes: [UInt8], contents: Range<Int>, end: Int) throws {
        let found = try element(bytes)
        #expect(found.tag == bytes[0])
        #expect(found.1 == contents)
        #expect(found.end == end)
    }

    @Test(
        "what is no element, or does not end",
        arguments: [
            ([], .truncated), ([0x30], .truncated), ([0x04, 0x02, 0x00], .truncated),
            ([0x30, 0x81], .truncated), ([0x30, 0x82, 0x01], .truncated),
            ([0x30, 0x85, 0, 0, 0, 0, 1], .truncated),
            ([0x30, 0x81, 0x7f], .nonMinimalLength), ([0x30, 0x82, 0x00, 0x80], .nonMinimalLength),
            ([0x1f, 0x01, 0x00], .unsupportedTag(0x1f)),
            ([0x04, 0x80, 0x00, 0x00], .indefiniteLength),
            ([0x30, 0x80], .truncated), ([0x30, 0x80, 0x00], .truncated),
            ([0x30, 0x80, 0x30, 0x80, 0x00, 0x00], .truncated),
        ] as [([UInt8], DERError.Problem)])
    func refused(bytes: [UInt8], problem: DERError.Problem) {
        let error = #expect(throws: DERError.self) { try element(bytes) }
        #expect(error?.problem == problem)
    }

    @Test func `an indefinite length is refused where it is not allowed`() {
        let error = #expect(throws: DERError.self) { try element([0x30, 0x80, 0, 0], indefinite: false) }
        #expect(error?.problem == .indefiniteLength)
    }

    @Test func `nesting ends at the sixteenth level, in no more time than the levels take`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            let open = [[UInt8]](repeating: [0x30, 0x80], count: depth).flatMap(\.self)
            return open + [UInt8](repeating: 0, count: depth * 2)
        }
        #expect(try element(nested(BERElement.maximumDepth - 1)).end == 4 * (BERElement.maximumDepth - 1))
        for depth in [BERElement.maximumDepth, 1_000, 500_000] {
            let error = #expect(throws: DERError.self) { try element(nested(depth)) }
            #expect(error?.problem == .nestingTooDeep)
            #expect(error?.offset == 2 * BERElement.maximumDepth)
        }
    }
}
