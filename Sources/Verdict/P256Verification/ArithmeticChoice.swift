// Chooses the arithmetic of a verifier. CP256Vector/kernel_choice.c detects the processor's features, and
// SelfTest finds out whether they work.
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
        package static var available: [Arithmetic] { allCases.filter { $0.isSupported && $0.isCorrect } }

        /// The engine that uses this arithmetic.
        package var engine: Engine { self == .portable ? .portable : .vector }

        /// The instructions, by the names that a person knows.
        var instructions: String {
            switch self {
            case .avx512: "AVX-512 IFMA"
            case .avx2: "AVX2"
            case .portable: "portable code"
            }
        }

        /// The number of signatures from which the kernel is faster than the portable engine. With AVX2, one
        /// signature takes as many additions as a vector of four: 25 us instead of 16, measured on Zen 3.
        var leastForVectors: Int {
            switch self {
            case .avx512: 1
            case .avx2: 2
            case .portable: .max
            }
        }

        /// Whether the processor says that it has the instructions.
        package var isSupported: Bool { self == .portable || VectorKernel.isSupported(self) }

        /// Whether a kernel that is supported passes its test, which runs once in a process, at first use.
        var isCorrect: Bool {
            switch self {
            case .avx512: Self.isAVX512Correct
            case .avx2: Self.isAVX2Correct
            case .portable: true
            }
        }

        private static let isAVX512Correct = SelfTest.isPassed(by: .avx512)
        private static let isAVX2Correct = SelfTest.isPassed(by: .avx2)
    }

    /// The choice of an arithmetic, and which ones were passed over because they are wrong.
    package struct Choice: Sendable, Equatable {
        /// The fastest arithmetic of this engine whose self-test passes. If none passes, it is the portable one.
        package private(set) var arithmetic = Arithmetic.portable
        /// Kernels that the processor should be able to run, but which failed their test.
        package private(set) var incorrect: [Arithmetic] = []

        /// Chooses. Kernels that are slower than the one chosen are not tested.
        ///
        /// - Parameters:
        ///   - engine: the engine that was asked for; `nil` for the fastest.
        ///   - isSupported: whether the processor says that it can run an arithmetic.
        ///   - isCorrect: whether it runs a supported arithmetic correctly.
        package init(
            _ engine: Engine? = nil, isSupported: (Arithmetic) -> Bool = { $0.isSupported },
            isCorrect: (Arithmetic) -> Bool = { $0.isCorrect }
        ) {
            for candidate in Arithmetic.allCases
            where (engine == nil || candidate.engine == engine) && isSupported(candidate) {
                if isCorrect(candidate) {
                    arithmetic = candidate
                    return
                }
                incorrect.append(candidate)
            }
        }

        /// One sentence about a kernel that was passed over, for the person who runs the program; `nil` if
        /// there is none.
        package var note: String? {
            guard !incorrect.isEmpty else { return nil }
            let names = incorrect.map(\.instructions).joined(separator: " and ")
            return "\(names) did not give known verdicts on known signatures, so signatures are verified "
                + "with \(arithmetic.instructions); is this an emulator, or Valgrind?"
        }
    }
}
