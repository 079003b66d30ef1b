// For each width of windows: how many entries of a table are another multiple than their place says, and what
// was added.
for arithmetic in [P256Verifier.Arithmetic.portable, .vectors] {
    for bits in 5...16 {
        distances = Distances()
        let recoding = WindowRecoding(bits: bits)
        let table = PointStorage(multiplesOf: P256PublicKey(), recoding, arithmetic)
        var wrong = 0
        for window in 0..<recoding.windows {
            for entry in 0..<recoding.entries {
                let expected = Multiple(factor: 2 * entry + 1, exponent: bits * window)
                let point = table[window * recoding.entries + entry].point
                wrong += point.x.multiple == expected && point.y.multiple == expected ? 0 : 1
            }
        }
        print(
            bits, wrong, table.count, distances.additions, distances.sums.least, distances.sums.greatest,
            distances.differences.least, distances.differences.greatest)
    }
}
