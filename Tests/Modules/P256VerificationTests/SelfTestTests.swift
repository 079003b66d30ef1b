import P256Verification
import Testing

/// Plants faults between a kernel and its self-test, and checks that each is seen and leads to a fallback.
@Suite struct SelfTestTests {
    typealias Arithmetic = P256Verifier.Arithmetic
    private static let kernels = Arithmetic.allCases.filter(\.isSupported)

    /// The portable arithmetic passes too, so the self-test's signatures are right.
    @Test(arguments: kernels)
    func `an arithmetic that is right passes`(arithmetic: Arithmetic) {
        #expect(SelfTest.isPassed(by: arithmetic))
    }

    @Test(arguments: kernels)
    func `one wrong lane of one batch fails, whether good or bad`(arithmetic: Arithmetic) {
        for size in SelfTest.batchSizes(for: arithmetic) {
            for lane in 0..<size {
                for turn in 0..<2 {
                    var batches = 0
                    let isPassed = SelfTest.isPassed(
                        by: arithmetic,
                        readVerdicts: { verdicts in
                            guard verdicts.count == size else { return verdicts }
                            defer { batches += 1 }
                            var verdicts = verdicts
                            if batches == turn { verdicts[lane].toggle() }
                            return verdicts
                        })
                    #expect(!isPassed, "lane \(lane) of \(size)")
                }
            }
        }
    }

    @Test(arguments: kernels, [false, true])
    func `a lane that always says the same fails`(arithmetic: Arithmetic, verdict: Bool) {
        for lane in 0..<8 {
            let isPassed = SelfTest.isPassed(
                by: arithmetic,
                readVerdicts: { verdicts in
                    verdicts.indices.map { $0 % 8 == lane ? verdict : verdicts[$0] }
                })
            #expect(!isPassed)
        }
    }

    @Test(arguments: kernels)
    func `a table with a wrong word fails`(arithmetic: Arithmetic) {
        for place in stride(from: 0, to: 6_600, by: 331) {
            let isPassed = SelfTest.isPassed(
                by: arithmetic,
                readTable: { words in
                    var words = words
                    words[place] ^= 1 << 40
                    return words
                })
            #expect(!isPassed, "word \(place)")
        }
    }

    @Test func `kernels that fail are passed over, with a note`() {
        func choice(_ engine: P256Verifier.Engine?, _ supported: [Arithmetic], wrong: [Arithmetic])
            -> P256Verifier.Choice
        {
            P256Verifier.Choice(
                engine, isSupported: { supported.contains($0) }, isCorrect: { !wrong.contains($0) })
        }
        let all = Arithmetic.allCases
        for engine in [nil, P256Verifier.Engine.vector] {
            let right = choice(engine, all, wrong: [])
            #expect(right.arithmetic == .avx512)
            #expect(right.note == nil)
            let first = choice(engine, all, wrong: [.avx512])
            #expect(first.arithmetic == .avx2)
            #expect(first.incorrect == [.avx512])
            #expect(first.note?.hasPrefix("AVX-512 IFMA did not") == true)
            let none = choice(engine, all, wrong: [.avx512, .avx2])
            #expect(none.arithmetic == .portable)
            #expect(none.note?.hasPrefix("AVX-512 IFMA and AVX2 did not") == true)
            let narrow = choice(engine, [.avx2, .portable], wrong: [.avx2])
            #expect(narrow.arithmetic == .portable)
            #expect(narrow.incorrect == [.avx2])
            #expect(choice(engine, [.portable], wrong: []).note == nil)
        }
        let portable = choice(.portable, all, wrong: [.avx512, .avx2])
        #expect(portable.arithmetic == .portable)
        #expect(portable.note == nil)
    }

    /// The kernels that are slower than the one chosen cost no time.
    @Test func `a kernel that is not needed is not tested`() {
        var tested: [Arithmetic] = []
        _ = P256Verifier.Choice(
            isSupported: { _ in true },
            isCorrect: {
                tested.append($0)
                return true
            })
        #expect(tested == [.avx512])
    }

    @Test func `a verifier tells of the kernel that it passed over, and verifies without it`() throws {
        let choice = P256Verifier.Choice(isSupported: { _ in true }, isCorrect: { $0 == .portable })
        let verifier = P256Verifier(choice, generatorWindowBits: 5)
        #expect(verifier.engine == .portable)
        #expect(verifier.note?.contains("portable code") == true)
        let reference = try Reference()
        var signatures = try TestSignatures(points: [reference.publicKey(of: .small(7))])
        for number in UInt64(1)...20 {
            signatures.append(
                reference.signature(
                    u1: .small(number), u2: .small(3), key: 0, point: signatures.points[0],
                    otherwise: .small(1)))
        }
        try signatures.compare(with: verifier, tables: signatures.tables(windowBits: 5), batchSizes: [20])
    }
}
