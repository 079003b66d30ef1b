// Random tests of the Swift engine's functions: a checksum of what each one gives for a million random inputs. Two texts of
// the engine that are told apart by no such input print the same.
struct Random {
    var state: UInt64 = 1
    var checksum: UInt64 = 0xcbf2_9ce4_8422_2325

    /// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// A number below p and n.
    mutating func number() -> Words256 { Words256(next(), next(), next(), next() % 0xffff_ffff_0000_0000) }
    mutating func element() -> FieldElement { FieldElement(words: number()) }
    mutating func point() -> AffinePoint { AffinePoint(x: element(), y: element()) }

    mutating func mix(_ word: UInt64) { checksum = (checksum ^ word) &* 0x100_0000_01b3 }
    mutating func mix(_ words: Words256) {
        mix(words.word0)
        mix(words.word1)
        mix(words.word2)
        mix(words.word3)
    }
    mutating func mix(_ element: FieldElement) { mix(element.canonical()) }
}

func trial(_ name: String, _ rounds: Int, _ body: (inout Random, Int) -> Void) {
    var random = Random()
    for round in 0..<rounds { body(&random, round) }
    print(name, random.checksum)
}

trial("field", 1_000_000) { random, _ in
    let (a, b) = (random.element(), random.element())
    random.mix((a * b - a).squared())
    random.mix((a + b).reduced() - a)
    random.mix(a.isZero ? 1 : 0)
    random.mix(a.plain())
}
trial("scalars", 1_000_000) { random, round in
    let (a, b) = (Scalar(random.number()), Scalar(random.number()))
    random.mix((a * b).words)
    random.mix(Scalar.isInRange(Words256(random.next(), random.next(), random.next(), random.next())) ? 1 : 0)
    if round % 4 == 0 { random.mix(a.inverted().words) }
}
trial("inversions", 250_000) { random, _ in
    random.mix(random.element().inverted())
}
trial("digits", 1_000_000) { random, round in
    var digits: UInt64 = 0
    WindowRecoding(bits: 5 + round % 12).forEachDigit(of: random.number()) { window, digit in
        digits = digits &* 31 &+ UInt64(window) ^ UInt64(digit.index) << 1 ^ (digit.isNegative ? 1 : 0)
    }
    random.mix(digits)
}

// Sums of fifty points, from a point on.
var sum = JacobianPoint.infinity
trial("Jacobian sums", 1_000_000) { random, round in
    if round % 50 == 0 { sum = JacobianPoint(random.point()) }
    sum = random.next() & 1 == 0 ? sum + random.point() : sum + random.point().negated
    random.mix(sum.x)
    random.mix(sum.y)
    random.mix(sum.z)
    random.mix(sum.doubled().z)
}
trial("affine sums", 10_000) { random, _ in
    var sums = AffineSums(capacity: 100)
    for _ in 0..<50 { sums.append(random.point(), random.point()) }
    for index in 50..<100 {
        sums.append(random.next() & 1 == 0 ? random.point() : random.point().negated)
        sums.setAddend(random.next() & 1 == 0 ? random.point() : random.point().negated, at: index)
    }
    sums.add()
    for index in 0..<100 {
        random.mix(sums[index].x)
        random.mix(sums[index].y)
    }
    random.mix(UInt64(sums.exceptions.count))
}
