// Chooses the arithmetic of a verifier. CP256Vector/kernel_choice.c detects the processor's features.
extension P256Verifier {
    /// The arithmetic of an engine. All give the same verdicts.
    package enum Arithmetic: Sendable, CaseIterable {
        /// Vectors of eight words, on processors with AVX-512 IFMA.
        case avx512
        /// Vectors of four words, on processors with AVX2 and FMA.
        case avx2
        /// Plain Swift.
        case portable

        /// The arithmetics that this machine can run, the fastest first.
        package static var available: [Arithmetic] {
            allCases.filter { $0 == .portable || VectorKernel.isSupported($0) }
        }

        /// The engine that uses this arithmetic.
        package var engine: Engine { self == .portable ? .portable : .vector }

        /// The number of signatures from which the kernel is faster than the portable engine. With AVX2, one
        /// signature takes as many additions as a vector of four: 25 us instead of 16, measured on Zen 3.
        var leastForVectors: Int {
            switch self {
            case .avx512: 1
            case .avx2: 2
            case .portable: .max
            }
        }
    }
}
