/// Verifies ECDSA signatures on P-256 over SHA-256 digests (FIPS 186-5, section 6.4.2) under keys that are
/// used again and again, from tables of their multiples.
///
/// A value to make once and share among tasks. Everything it sees is public (keys, signatures, digests), so
/// its time depends on them; never use it, or its parts, where one of them is secret.
public struct P256Verifier: Sendable {
    /// The code that does the arithmetic. All verdicts are the same.
    public enum Engine: String, Sendable, CaseIterable {
        /// Plain Swift, on every processor.
        case portable
        /// Several signatures at once, on x86-64 processors: eight by AVX-512 IFMA, or else four by AVX2 and FMA.
        case vector

        /// The engines that this machine can run, the fastest first.
        public static var available: [Engine] {
            Arithmetic.available.contains { $0.engine == .vector } ? [.vector, .portable] : [.portable]
        }
    }

    /// The engine in use.
    public var engine: Engine { arithmetic.engine }
    /// What it does its arithmetic with.
    package let arithmetic: Arithmetic
    private let generator: P256KeyTable

    /// - Parameters:
    ///   - engine: the engine to use; `nil` takes the fastest. One that this machine cannot run is replaced by
    ///     the portable one.
    ///   - generatorWindowBits: the width of the windows of the generator's table, in bits: 5 to 16. Wider is
    ///     faster, and takes more memory (`P256KeyTable.byteCount(windowBits:)`) and longer to make.
    public init(engine: Engine? = nil, generatorWindowBits: Int = 12) {
        let fastest = Arithmetic.available.first { engine == nil || $0.engine == engine }
        self.init(arithmetic: fastest ?? .portable, generatorWindowBits: generatorWindowBits)
    }

    /// As above, for an arithmetic that this machine can do.
    package init(arithmetic: Arithmetic, generatorWindowBits: Int = 12) {
        self.arithmetic = arithmetic
        generator = P256KeyTable(.generator, windowBits: generatorWindowBits)
    }

    /// Verifies one signature: the fastest way for a signature alone, at a third of the time of libcrypto's
    /// or less.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r || s` (RFC 7518, section 3.4); any other length is not valid.
    ///   - digest: the 32 bytes of the message's SHA-256; any other length is not valid.
    ///   - key: the signer's table.
    public func isValid(signature: Span<UInt8>, digest: Span<UInt8>, key: P256KeyTable) -> Bool {
        guard signature.count == 64, digest.count == 32 else { return false }
        guard let equation = SignatureEquation(signatures: signature, digests: digest, at: 0) else {
            return false
        }
        return equation.holds(generator: generator, key: key)
    }

    /// Verifies every signature of a batch; `isValid(at:)` has the verdicts. Signatures are taken together as
    /// far as their keys' tables have windows of the same width.
    public func verify(_ batch: inout P256Batch) { batch.verify(arithmetic, generator: generator) }
}
