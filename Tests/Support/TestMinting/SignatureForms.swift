package import Minting

/// Signatures of a wanted form.
extension DeterministicECDSA {
    /// The first signature of `message`, over successive nonces, for which `wanted` returns true.
    ///
    /// A search costs one signature for each nonce that was tried and all before it: `nonceIndex` begins anew
    /// each time.
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
}

extension ECDSASignature {
    /// Which of two valid values of s to use: s or n - s, of which one is low.
    ///
    /// Both are valid signatures of the same message: JWS does not restrict s (RFC 7518, 3.4).
    package enum SForm: Sendable { case low, high }

    /// The signature with the lower or the higher value of s.
    ///
    /// - Parameter order: n of the curve (`CurveOrder`).
    package func with(_ form: SForm, order: [UInt8]) -> ECDSASignature {
        let other = Self.difference(order, s)
        let isLow = s.lexicographicallyPrecedes(other)
        return (form == .low) == isLow ? self : ECDSASignature(r: r, s: other)
    }

    /// The difference of two numbers of as many bytes, of which the first is the greater one.
    private static func difference(_ minuend: [UInt8], _ subtrahend: [UInt8]) -> [UInt8] {
        var (difference, borrow) = (minuend, 0)
        for index in minuend.indices.reversed() {
            let digit = Int(minuend[index]) - Int(subtrahend[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: digit)
        }
        return difference
    }
}

extension TokenMinter {
    /// The compact JWS of a payload, with the lower or the higher value of s.
    package func token(payload: String, _ form: ECDSASignature.SForm) throws(MintingError) -> String {
        var segments = try segments(payload: Array(payload.utf8))
        let signature = try key.signature(of: segments.signingInput)
        segments.signature = Base64.urlEncoded(signature.with(form, order: CurveOrder.p256).raw)
        return segments.compact
    }
}
