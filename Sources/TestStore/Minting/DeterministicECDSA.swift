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

/// Deterministic ECDSA (RFC 6979).
///
/// A deterministic signature makes vectors reproducible: a folder of vectors that is minted again has the
/// same bytes.
package struct DeterministicECDSA: Sendable {
    package var curve: EllipticCurve
    /// The hash of HMAC_DRBG, the same one that made the digest.
    package var hash: HashFunction

    package init(curve: EllipticCurve, hash: HashFunction) {
        self.curve = curve
        self.hash = hash
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
        // SEC 1, 3.2.1: a private key lies in 1 … n-1.
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
            // RFC 6979, 3.2, step h: such a k is refused. It happens with a probability of about 2 / n.
            if r.isZero || s.isZero { continue }
            return ECDSASignature(
                r: try r.bytes(count: curve.byteCount), s: try s.bytes(count: curve.byteCount))
        }
    }

    /// `bits2int` of RFC 6979, 2.3.2: the leftmost `count` bits.
    static func leftmostBits(_ bytes: [UInt8], count: Int) throws(MintingError) -> BigNumber {
        let number = try BigNumber.bigEndian(bytes)
        return try number.shiftedRight(by: max(0, bytes.count * 8 - count))
    }
}

/// HMAC_DRBG as RFC 6979, 3.2 uses it to derive k.
///
/// K and V of the RFC are `key` and `value`.
private struct NonceGenerator {
    private let hash: HashFunction
    private let orderBitCount: Int
    private var key: [UInt8]
    private var value: [UInt8]

    /// Steps b to g. `scalar` is int2octets(x), `digest` bits2octets(h1).
    ///
    /// Both halves of `scalar + digest` have as many bytes as the order.
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
            // Step h.2: as many bytes as the order has bits, rounded up to whole hashes.
            while bytes.count * 8 < orderBitCount {
                value = try hash.authenticationCode(key: key, message: value)
                bytes += value
            }
            let candidate = try DeterministicECDSA.leftmostBits(bytes, count: orderBitCount)
            // Step h.3. It is done for a candidate that is used too, so that the next call goes on behind it.
            try update(separator: 0, with: [])
            if !candidate.isZero, candidate.isLess(than: n) { return candidate }
        }
    }
}
