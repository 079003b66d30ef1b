import Minting
import TestMinting
import Testing

/// Deterministic signatures against RFC 6979, appendix A.2.
struct DeterministicECDSATests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let curve: EllipticCurve
        let hash: HashFunction
        let message: String
        let r: String
        let s: String
        var testDescription: String { "\(curve.byteCount) bytes, \(hash), \"\(message)\"" }
    }

    static let samples = [
        Sample(
            curve: .p256, hash: .sha256, message: "sample",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
        Sample(
            curve: .p256, hash: .sha256, message: "test",
            r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
        Sample(
            curve: .p256, hash: .sha384, message: "sample",
            r: "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
            s: "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"),
        Sample(
            curve: .p256, hash: .sha512, message: "sample",
            r: "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
            s: "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"),
        Sample(
            curve: .p384, hash: .sha256, message: "sample",
            r: """
                21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33BDE1E888E63355D9\
                2FA2B3C36D8FB2CD
                """,
            s: """
                F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEBEFDC63ECCD1AC42E\
                C0CB8668A4FA0AB0
                """),
        Sample(
            curve: .p384, hash: .sha384, message: "sample",
            r: """
                94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF9\
                6E36DD1E80FABE46
                """,
            s: """
                99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E\
                7B82C71A38628AC8
                """),
        Sample(
            curve: .p521, hash: .sha512, message: "sample",
            r: """
                00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5\
                D450606ADD152B53\
                4931D7D4E8455CC91F9B15BF05EC36E377FA
                """,
            s: """
                00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C\
                0723D8B8C37FF077\
                7B1A20F8CCB1DCCC43997F1EE0E44DA4A67A
                """),
    ]

    static let scalars: [EllipticCurve: String] = [
        .p256: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
        .p384: """
        6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825\
        F872C9EA60D2EDF5
        """,
        .p521: """
        00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC\
        1466F6D8FBEC67DB89EC0C08B0E996B83538
        """,
    ]

    @Test("a signature equals the one of RFC 6979", arguments: samples)
    func equalsTheStandards(sample: Sample) throws {
        let scalar = bytes(hexadecimal: try #require(Self.scalars[sample.curve]))
        let signature = try DeterministicECDSA(curve: sample.curve, hash: sample.hash)
            .signature(message: Array(sample.message.utf8), scalar: scalar)
        #expect(signature.r == bytes(hexadecimal: sample.r))
        #expect(signature.s == bytes(hexadecimal: sample.s))
    }

    @Test("low and high s are the two forms of one signature")
    func sForms() throws {
        let key = try TestKey("s forms")
        let message = Array("message".utf8)
        let computed = try key.signature(of: message)
        let low = computed.with(.low, order: CurveOrder.p256)
        let high = computed.with(.high, order: CurveOrder.p256)
        #expect(low.r == high.r)
        #expect(low.s[0] < 0x80 && high.s[0] >= 0x7F)
        #expect([low, high].contains(computed))
    }

    @Test("a later nonce gives another signature, and the same one each time")
    func nonceIndex() throws {
        let key = try TestKey("nonces")
        let maker = DeterministicECDSA(curve: .p256, hash: .sha256)
        let first = try maker.signature(message: [1], scalar: key.scalar, nonceIndex: 0)
        let second = try maker.signature(message: [1], scalar: key.scalar, nonceIndex: 1)
        #expect(first != second)
        #expect(try second == maker.signature(message: [1], scalar: key.scalar, nonceIndex: 1))
    }

    @Test(
        "a scalar of zero, or of n and more, is refused",
        arguments: [[UInt8(0)], Array(repeating: 0xFF, count: 32)])
    func scalarOutOfRange(scalar: [UInt8]) {
        #expect(throws: MintingError.scalarOutOfRange) {
            try DeterministicECDSA(curve: .p256, hash: .sha256).signature(message: [], scalar: scalar)
        }
    }
}

/// The bytes of pairs of hexadecimal digits.
func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
