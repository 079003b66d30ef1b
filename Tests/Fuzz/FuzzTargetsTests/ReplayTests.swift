import Foundation
import FuzzTargets
import RepositoryFiles
import Testing

/// Replays every seed, and every input of an earlier finding, as ordinary tests.
@Suite struct ReplayTests {
    private static let names = FuzzTargets.all.map { $0.name }

    @Test("the committed inputs", arguments: names)
    func committedInputs(name: String) throws {
        let type = try #require(FuzzTargets.named(name))
        let target = try type.init()
        let inputs = try Seeds.committed(type)
        #expect(!inputs.isEmpty)
        for (file, input) in inputs {
            #expect(throws: Never.self, "\(name)/\(file)") { try target.check(input) }
        }
    }

    @Test("every line of the test vectors", arguments: names)
    func vectors(name: String) throws {
        let target = try #require(FuzzTargets.named(name)).init()
        let seeds = try Seeds.vectors(for: target)
        #expect(seeds.count > 20)
        // The lines themselves are inputs too, for every format.
        for (place, input) in Self.share(of: seeds + (try Seeds.vectorLines()), for: name) {
            #expect(throws: Never.self, "\(name) of \(place)") { try target.check(input) }
        }
    }

    /// Another eighth of the inputs for each target; all of them at a large `TestScale`.
    private static func share(
        of inputs: [(name: String, input: [UInt8])], for target: String
    ) -> [(name: String, input: [UInt8])] {
        guard !TestScale.isLarge else { return inputs }
        let first = names.firstIndex(of: target) ?? 0
        return inputs.indices.filter { $0 % 8 == first % 8 }.map { inputs[$0] }
    }

    @Test("inputs as mutators change them", arguments: names)
    func mutations(name: String) throws {
        let target = try #require(FuzzTargets.named(name)).init()
        let seeds = try Seeds.vectors(for: target).map(\.input)
        try #require(!seeds.isEmpty)
        var changed = 0
        for number in 0..<400 {
            let seed = seeds[number * 7919 % seeds.count]
            var tools = MutationTools(seed: UInt64(number), maximumBytes: 1 << 16) { bytes, maximum in
                Self.spoilt(bytes, number, maximum)
            }
            let input = target.mutate(seed, &tools)
            if input != seed { changed += 1 }
            #expect(throws: Never.self, "\(name), mutation \(number)") { try target.check(input) }
        }
        #expect(changed > 200)
    }

    /// A simple replacement for libFuzzer's change of bytes.
    private static func spoilt(_ bytes: [UInt8], _ number: Int, _ maximum: Int) -> [UInt8] {
        guard !bytes.isEmpty else { return [UInt8(number & 0xff)] }
        var bytes = bytes
        let place = number * 31 % bytes.count
        switch number % 3 {
        case 0: bytes[place] ^= 1 << UInt8(number / 3 % 8)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: number), at: place)
        }
        return Array(bytes.prefix(maximum))
    }
}
