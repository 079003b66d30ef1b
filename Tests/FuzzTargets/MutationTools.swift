package import SeededRandom

/// What mutators are given: chance, and the fuzzer's own way of changing bytes, which knows what was compared.
package struct MutationTools {
    /// The same for the same seed.
    package var random: SplitMix64
    /// The longest input that is wanted, in bytes.
    package let maximumBytes: Int
    private let changeBytes: (_ bytes: [UInt8], _ maximumBytes: Int) -> [UInt8]

    /// - Parameter changeBytes: changes bytes; the result has at most so many.
    package init(
        seed: UInt64, maximumBytes: Int, changeBytes: @escaping ([UInt8], _ maximumBytes: Int) -> [UInt8]
    ) {
        random = SplitMix64(seed: seed)
        self.maximumBytes = maximumBytes
        self.changeBytes = changeBytes
    }

    /// The bytes after a change without regard to what they mean.
    package func havoc(_ bytes: [UInt8]) -> [UInt8] { changeBytes(bytes, maximumBytes) }

    /// A number below a bound; 0 where there is none.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(random.next() % UInt64(bound)) : 0 }

    /// Whether something happens that happens once in so many times.
    mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

    /// One of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
