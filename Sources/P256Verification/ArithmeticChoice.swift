// Which arithmetic a verifier uses. What the processor has is asked in CP256Vector/kernel_choice.c.
extension P256Verifier {
    /// What an engine does its arithmetic with. All verdicts are the same.
    package enum Arithmetic: Sendable, CaseIterable {
        /// Vectors of eight words, on processors with AVX-512 IFMA.
        case avx512
        /// Vectors of four words, on processors with AVX2 and FMA.
        case avx2
        /// Plain Swift.
        case portable

        /// What this machine can do, the fastest first.
        package static var available: [Arithmetic] {
            allCases.filter { $0 == .portable || VectorKernel.isSupported($0) }
        }

        /// The engine that it belongs to.
        package var engine: Engine { self == .portable ? .portable : .vector }

        /// From how many signatures on the kernel is faster than the portable engine. One alone takes a vector of four
        /// through as many additions as four would: 25 us instead of 16, measured on Zen 3.
        var leastForVectors: Int {
            switch self {
            case .avx512: 1
            case .avx2: 2
            case .portable: .max
            }
        }
    }
}
