/// An ECDSA signature. Each half has as many bytes as the curve's coordinates, most significant first.
package struct ECDSASignature: Equatable, Sendable {
    package var r: [UInt8]
    package var s: [UInt8]

    package init(r: [UInt8], s: [UInt8]) {
        self.r = r
        self.s = s
    }

    /// r‖s, the form of JWS (RFC 7518, 3.4).
    package var raw: [UInt8] { r + s }

    /// `ECDSA-Sig-Value`, the form of certificates (RFC 3279, 2.2.3).
    package var der: [UInt8] { DER.sequence(DER.unsignedInteger(r), DER.unsignedInteger(s)) }
}

/// Deterministic ECDSA (RFC 6979), with controls for test vectors.
package struct DeterministicECDSA: Sendable {
    /// Which of two valid values of s to use: s or n - s.
    package enum SForm: Sendable { case asComputed, low, high }

    package var curve: EllipticCurve
    /// The hash of HMAC_DRBG, the same one that made the digest.
    package var hash: HashFunction
    package var sForm: SForm = .asComputed

    package init(curve: EllipticCurve, hash: HashFunction, sForm: SForm = .asComputed) {
        self.curve = curve
        self.hash = hash
        self.sForm = sForm
    }

    /// Hashes and signs `message`.
    package func signature(
        message: [UInt8], scalar: [UInt8], nonceIndex: Int = 0
    ) throws(MintingError) -> ECDSASignature {
        try signature(digest: hash.digest(message), scalar: scalar, nonceIndex: nonceIndex)
    }

    /// Signs `digest` with the private `scalar`.
    ///
    /// `nonceIndex` selects a later candidate for k of RFC 6979, 3.2, step h, as if the earlier ones had been
    /// refused. So one digest has any number of different, reproducible signatures.
    package func signature(
        digest: [UInt8], scalar: [UInt8], nonceIndex: Int = 0
    ) throws(MintingError) -> ECDSASignature {
        let group = try CurveGroup.named(curve)
        let n = try group.order()
        let d = try BigNumber.bigEndian(scalar)
        guard !d.isZero, d.isLess(than: n) else { throw .scalarOutOfRange }
        let z = try group.reduced(Self.leftmostBits(digest, count: n.bitCount), modulo: n)
        var nonces = try NonceGenerator(
            hash: hash, orderBitCount: n.bitCount, scalar: d.bytes(count: curve.byteCount),
            digest: z.bytes(count: curve.byteCount))
        var remaining = nonceIndex
        while true {
            let k = try nonces.next(below: n)
            remaining -= 1
            if remaining >= 0 { continue }
            let point = try group.generatorMultiple(k, byteCount: curve.byteCount)
            let x = try BigNumber.bigEndian(Array(point.prefix(curve.byteCount)))
            let r = try group.reduced(x, modulo: n)
            let s = try group.signatureScalar(k: k, z: z, r: r, d: d, n: n)
            if r.isZero || s.isZero { continue }
            return ECDSASignature(
                r: try r.bytes(count: curve.byteCount), s: try formed(s, n).bytes(count: curve.byteCount))
        }
    }

    /// The first signature of `message`, over successive nonces, for which `wanted` returns true.
    package func firstSignature(
        message: [UInt8], scalar: [UInt8], where wanted: (ECDSASignature) -> Bool
    ) throws(MintingError) -> ECDSASignature {
        // One byte is zero once in 256 attempts, so 16384 attempts fail with a probability of e^-64.
        let attempts = 16_384
        for index in 0..<attempts {
            let candidate = try signature(message: message, scalar: scalar, nonceIndex: index)
            if wanted(candidate) { return candidate }
        }
        throw .searchExhausted(attempts: attempts)
    }

    private func formed(
        _ s: borrowing BigNumber, _ n: borrowing BigNumber
    ) throws(MintingError) -> BigNumber {
        let other = try n.subtracting(s)
        let isLow = s.isLess(than: other)
        let keep = sForm == .asComputed || (sForm == .low) == isLow
        return keep ? try s.shiftedRight(by: 0) : other
    }

    /// `bits2int` of RFC 6979, 2.3.2: the leftmost `count` bits.
    static func leftmostBits(_ bytes: [UInt8], count: Int) throws(MintingError) -> BigNumber {
        let number = try BigNumber.bigEndian(bytes)
        return try number.shiftedRight(by: max(0, bytes.count * 8 - count))
    }
}

/// HMAC_DRBG as RFC 6979, 3.2 uses it to derive k.
private struct NonceGenerator {
    private let hash: HashFunction
    private let orderBitCount: Int
    private var key: [UInt8]
    private var value: [UInt8]

    /// Steps b to g. `scalar` is int2octets(x), `digest` bits2octets(h1).
    init(
        hash: HashFunction, orderBitCount: Int, scalar: [UInt8], digest: [UInt8]
    ) throws(MintingError) {
        self.hash = hash
        self.orderBitCount = orderBitCount
        let count = try hash.digest([]).count
        key = [UInt8](repeating: 0, count: count)
        value = [UInt8](repeating: 1, count: count)
        try update(separator: 0, with: scalar + digest)
        try update(separator: 1, with: scalar + digest)
    }

    private mutating func update(separator: UInt8, with data: [UInt8]) throws(MintingError) {
        key = try hash.authenticationCode(key: key, message: value + [separator] + data)
        value = try hash.authenticationCode(key: key, message: value)
    }

    /// Step h: the next candidate within 1 … n-1.
    mutating func next(below n: borrowing BigNumber) throws(MintingError) -> BigNumber {
        while true {
            var bytes: [UInt8] = []
            while bytes.count * 8 < orderBitCount {
                value = try hash.authenticationCode(key: key, message: value)
                bytes += value
            }
            let candidate = try DeterministicECDSA.leftmostBits(bytes, count: orderBitCount)
            try update(separator: 0, with: [])
            if !candidate.isZero, candidate.isLess(than: n) { return candidate }
        }
    }
}
