import BenchmarkKit
import P256Verification

/// Signatures a second on one core, with prepared keys and digests: only the arithmetic.
enum KernelGroup {
    static let batchSizes = [1, 16, 64, 256, 512]

    static func make(_ plan: Plan) throws -> Group {
        var scenarios: [Scenario] = []
        for keys in [1, 3, 64] { scenarios += try Self.scenarios(keys: keys, plan) }
        return Group(
            title: "Signatures, one core",
            method: """
                ECDSA on P-256 over SHA-256 digests that are ready, under keys that are prepared. Tables \
                have windows of 12 bits for few keys and of 7 for 64, as the product chooses; filling and \
                emptying the batch is timed too. The peer is libcrypto's EVP_PKEY_verify on a prepared context, \
                with the same keys. A round's figure is the median of its calls.
                """,
            scenarios: scenarios, headlines: headlines)
    }

    private static func scenarios(keys: Int, _ plan: Plan) throws -> [Scenario] {
        let pool = try SignaturePool(keyCount: keys)
        let name = keys == 1 ? "1 key" : "\(keys) keys"
        let peer = "libcrypto/\(keys)"
        var scenarios = [
            try scenario(
                Series(
                    peer, "libcrypto, \(name)", .signaturesPerSecond, isPeer: true,
                    bar: keys == 3 ? "libcrypto, EVP_PKEY_verify" : nil),
                LibcryptoSubject(pool), pool, plan),
            try scenario(
                Series(
                    "swift-crypto/\(keys)", "swift-crypto, \(name)", .signaturesPerSecond, peer: peer,
                    isPeer: true, bar: keys == 3 ? "swift-crypto" : nil),
                try Peers.swiftCrypto(pool), pool, plan),
        ]
        let tables = try pool.tables(windowBits: keys > 8 ? 7 : 12)
        scenarios.append(
            try scenario(
                Series(
                    "single/\(keys)", "one by one, \(name)", .signaturesPerSecond, peer: peer,
                    bar: keys == 3 ? "one by one" : nil),
                SingleSubject(P256Verifier(engine: .portable), tables), pool, plan))
        for engine in [P256Verifier.Engine.portable, .vector] {
            for size in batchSizes {
                let series = Series(
                    "\(engine.rawValue)/\(size)/\(keys)", "\(engine.rawValue), batch of \(size), \(name)",
                    .signaturesPerSecond, peer: peer,
                    bar: keys == 3 && [16, 256].contains(size)
                        ? "\(engine.rawValue) engine, batch of \(size)" : nil)
                guard P256Verifier.Engine.available.contains(engine) else {
                    scenarios.append(Scenario(series, unavailable: "not on this processor"))
                    continue
                }
                let subject = BatchSubject(P256Verifier(engine: engine), tables, batchSize: size)
                scenarios.append(try scenario(series, subject, pool, plan))
            }
        }
        return scenarios
    }

    private static let headlines = [
        Headline("vector engine, batch of 256 ÷ libcrypto", "vector/256/3", dividedBy: "libcrypto/3"),
        Headline("vector engine, batch of 512 ÷ libcrypto", "vector/512/3", dividedBy: "libcrypto/3"),
        Headline("vector engine, batch of 16 ÷ libcrypto", "vector/16/3", dividedBy: "libcrypto/3"),
        Headline("portable engine, batch of 256 ÷ libcrypto", "portable/256/3", dividedBy: "libcrypto/3"),
        Headline("portable engine, batch of 512 ÷ libcrypto", "portable/512/3", dividedBy: "libcrypto/3"),
        Headline("one signature alone, on tables ÷ libcrypto", "single/3", dividedBy: "libcrypto/3"),
    ]

    /// A scenario that repeats the pool's signatures, after checking that the verdicts are right.
    private static func scenario(
        _ series: Series, _ subject: (any KernelSubject)?, _ pool: SignaturePool, _ plan: Plan
    ) throws -> Scenario {
        guard let subject else { return Scenario(series, unavailable: Peers.absence) }
        let size = subject.batchSize
        var spoilt = Array(pool.items[..<size])
        spoilt[size / 2] = try spoilt[size / 2].flipped()
        guard subject.validCount(of: pool.items[..<size]) == size,
            subject.validCount(of: spoilt[...]) == size - 1
        else { throw BenchmarkError.wrongVerdict(series.title) }
        let watch = Stopwatch(seconds: plan.kernelSeconds, countPerCall: size)
        var place = 0
        var invalid = 0
        return Scenario(series, count: watch.count) {
            let speed = try watch.speed {
                if place + size > pool.items.count { place = 0 }
                invalid += size - subject.validCount(of: pool.items[place..<place + size])
                place += size
            }
            guard invalid == 0 else { throw BenchmarkError.wrongVerdict(series.title) }
            return speed
        }
    }
}
