package import SeededRandom

/// The tools of mutators: random numbers, and the fuzzer's own change of bytes, which uses compared values.
package struct MutationTools {
    /// A generator that gives the same numbers for the same seed.
    package var random: SplitMix64
    /// The maximum length of an input, in bytes.
    package let maximumBytes: Int
    private let changeBytes: (_ bytes: [UInt8], _ maximumBytes: Int) -> [UInt8]

    /// - Parameter changeBytes: changes bytes; its second argument is the maximum length of the result.
    package init(
        seed: UInt64, maximumBytes: Int, changeBytes: @escaping ([UInt8], _ maximumBytes: Int) -> [UInt8]
    ) {
        random = SplitMix64(seed: seed)
        self.maximumBytes = maximumBytes
        self.changeBytes = changeBytes
    }

    /// The bytes after a change that ignores their meaning.
    package func havoc(_ bytes: [UInt8]) -> [UInt8] { changeBytes(bytes, maximumBytes) }

    /// A random number below a bound; 0 if the bound is 0.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(random.next() % UInt64(bound)) : 0 }

    /// True once in this many times, on average.
    mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

    /// A random one of several elements.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
