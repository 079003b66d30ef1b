/// Verifies ECDSA signatures on P-256 over SHA-256 digests (FIPS 186-5, section 6.4.2). It is for keys that
/// are used many times, and verifies from tables of their multiples.
///
/// Make one verifier and share it among tasks. All of its inputs are public (keys, signatures, digests), so
/// its time depends on them. Never use it, or its parts, for secret values.
public struct P256Verifier: Sendable {
    /// The code that does the arithmetic. All engines give the same verdicts.
    public enum Engine: String, Sendable, CaseIterable {
        /// Portable Swift, on every processor.
        case portable
        /// Several signatures at once, on x86-64 processors: eight with AVX-512 IFMA, or else four with AVX2
        /// and FMA.
        case vector

        /// The engines that this machine can run, the fastest first.
        public static var available: [Engine] {
            Arithmetic.available.contains { $0.engine == .vector } ? [.vector, .portable] : [.portable]
        }
    }

    /// The engine in use.
    public var engine: Engine { arithmetic.engine }
    /// Why a faster engine is not in use, though the processor says that it can run it: a sentence for the
    /// person who runs the program, without a full stop. It is `nil` almost always.
    ///
    /// A vector engine verifies known signatures, good and bad, before it is used. Emulators, Valgrind and
    /// broken virtual machines may get these wrong, and then the next engine is taken.
    public let note: String?
    /// The arithmetic of the engine.
    package let arithmetic: Arithmetic
    private let generator: P256KeyTable

    /// - Parameters:
    ///   - engine: the engine to use; `nil` takes the fastest. An engine that this machine cannot run is
    ///     replaced by the portable one; see `note`.
    ///   - generatorWindowBits: the window width of the generator's table, in bits: 5 to 16. A wider one is
    ///     faster, needs more memory (`P256KeyTable.byteCount(windowBits:)`) and takes longer to make.
    public init(engine: Engine? = nil, generatorWindowBits: Int = 12) {
        self.init(Choice(engine), generatorWindowBits: generatorWindowBits)
    }

    /// As above, with the arithmetic of a choice.
    package init(_ choice: Choice, generatorWindowBits: Int = 12) {
        let generator = P256KeyTable(.generator, windowBits: generatorWindowBits)
        self.init(arithmetic: choice.arithmetic, generator: generator, note: choice.note)
    }

    /// As above, for an arithmetic that this machine can run.
    package init(arithmetic: Arithmetic, generatorWindowBits: Int = 12) {
        let generator = P256KeyTable(.generator, windowBits: generatorWindowBits)
        self.init(arithmetic: arithmetic, generator: generator)
    }

    /// With a table of the generator.
    init(arithmetic: Arithmetic, generator: P256KeyTable, note: String? = nil) {
        self.arithmetic = arithmetic
        self.generator = generator
        self.note = note
    }

    /// Verifies one signature. This is the fastest way for a single signature, and takes at most a third of
    /// libcrypto's time.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r || s` (RFC 7518, section 3.4). With any other length, the signature is not
    ///     valid.
    ///   - digest: the 32 bytes of the message's SHA-256. With any other length, the signature is not valid.
    ///   - key: the signer's table.
    public func isValid(signature: Span<UInt8>, digest: Span<UInt8>, key: P256KeyTable) -> Bool {
        guard signature.count == 64, digest.count == 32 else { return false }
        guard let equation = SignatureEquation(signatures: signature, digests: digest, at: 0) else {
            return false
        }
        return equation.holds(generator: generator, key: key)
    }

    /// Verifies every signature of a batch; `isValid(at:)` gives the verdicts. Signatures are verified
    /// together if their keys' tables have the same window width.
    public func verify(_ batch: inout P256Batch) { batch.verify(arithmetic, generator: generator) }
}
