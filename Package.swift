// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target. Continuous integration adds warnings-as-errors through the environment,
/// so that a newer compiler's new warning never breaks a user's build.
let commonSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// FUZZING in the environment adds the executable that libFuzzer runs, which links with `--sanitize fuzzer` alone;
/// Tests/FuzzTargets/README.md has the commands. What is attacked counts where it goes, what judges it does not.
/// Each compiler command names its sanitizers at once: the last option of the kind is heeded, and the order in which
/// `--sanitize` twice would give two is not the same from one build to the next.
let isFuzzing = Context.environment["FUZZING"] != nil
let settings = commonSettings + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])
let judgeSettings = commonSettings + (isFuzzing ? [.unsafeFlags(["-sanitize=address"])] : [])
let scanningSettings: [CSetting] = isFuzzing ? [.unsafeFlags(["-fsanitize=address"])] : []

/// How the vector kernel is built. For tests on CPUs without its instructions, P256_VECTOR_EMULATED in the
/// environment replaces them by plain C; P256_VECTOR_DISABLED leaves the kernel out, as on other architectures.
let vectorSettings: [CSetting] = scanningSettings + kernelSettings(headers: "emulation")

/// The same for the tests that include the kernel's headers.
let vectorArithmeticSettings: [CSetting] =
    scanningSettings + kernelSettings(headers: "../../Sources/CP256Vector/emulation")
    + [.headerSearchPath("../../Sources/CP256Vector")]

func kernelSettings(headers: String) -> [CSetting] {
    ["P256_VECTOR_EMULATED", "P256_VECTOR_DISABLED"].flatMap { name in
        Context.environment[name] == nil ? [] : [CSetting.define(name), .headerSearchPath(headers)]
    }
}

/// PLANTED_FAULTS in the environment compiles mistakes into the sanitizers' tests, to show that they are found.
let plantedFaults: [SwiftSetting] =
    Context.environment["PLANTED_FAULTS"] == nil ? [] : [.define("PLANTED_FAULTS")]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let fuzzer: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
    .executableTarget(
        name: "fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/FuzzDriver",
        swiftSettings: judgeSettings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
]

let package = Package(
    name: "storekit-verify",
    platforms: [.macOS("26.0")],
    products: [
        .library(name: "SignedPayloads", targets: ["SignedPayloads"]),
        .library(name: "P256Verification", targets: ["P256Verification"]),
        .library(name: "StoreKitVerify", targets: ["StoreKitVerify"]),
        .executable(name: "storekit-verify", targets: ["storekit-verify"]),
    ],
    dependencies: [
        // The command's argument parsing; the library depends on nothing but libcrypto.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        // The pipeline, in the order in which data passes it.
        .systemLibrary(
            name: "CLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "Libcrypto", dependencies: ["CLibcrypto"], swiftSettings: settings),
        .target(name: "CTextScanning", cSettings: scanningSettings),
        .target(name: "StrictJSON", dependencies: ["CTextScanning"], swiftSettings: settings),
        .target(
            name: "CompactJWS", dependencies: ["CTextScanning", "StrictJSON"], swiftSettings: settings),
        .target(name: "StrictDER", swiftSettings: settings),
        .target(
            name: "AppReceipts", dependencies: ["CompactJWS", "StrictDER", "StrictJSON"],
            swiftSettings: settings),
        .target(
            name: "CertificateChain", dependencies: ["CompactJWS", "Libcrypto", "StrictDER"],
            swiftSettings: settings),
        .target(
            name: "Revocation", dependencies: ["CertificateChain", "Libcrypto"], swiftSettings: settings),
        .target(name: "CP256Vector", exclude: ["emulation"], cSettings: vectorSettings),
        .target(name: "P256Verification", dependencies: ["CP256Vector"], swiftSettings: settings),
        .target(
            name: "SignedPayloads",
            dependencies: [
                "CompactJWS", "StrictJSON", "StrictDER", "AppReceipts", "CertificateChain", "Libcrypto",
                "P256Verification", "Revocation",
            ],
            swiftSettings: settings),
        .target(
            name: "StoreKitVerify", dependencies: ["SignedPayloads", "CompactJWS", "StrictJSON"],
            swiftSettings: settings),
        .executableTarget(
            name: "storekit-verify",
            dependencies: [
                "StoreKitVerify", "SignedPayloads", "AppReceipts", "CompactJWS", "StrictJSON", "Libcrypto",
                argumentParser,
            ],
            swiftSettings: settings),

        // For developers: a private PKI shaped like Apple's, and the vectors signed with it. In no product.
        .target(name: "Minting", dependencies: ["CLibcrypto"], swiftSettings: judgeSettings),
        .target(name: "TestVectorMinting", dependencies: ["Minting"], swiftSettings: settings),
        .executableTarget(
            name: "mint-test-vectors", dependencies: ["TestVectorMinting"], swiftSettings: settings),
        .executableTarget(
            name: "mint-corpus", dependencies: ["Minting", argumentParser], swiftSettings: settings),

        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: judgeSettings),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(
            name: "CVectorArithmetic", dependencies: ["CP256Vector"], path: "Tests/CVectorArithmetic",
            cSettings: vectorArithmeticSettings),
        .target(
            name: "CMSOracle", dependencies: ["CLibcrypto"], path: "Tests/CMSOracle",
            swiftSettings: judgeSettings),
        .target(
            name: "OCSPResponders", dependencies: ["Minting"], path: "Tests/OCSPResponders",
            swiftSettings: settings),
        .testTarget(
            name: "RevocationTests",
            dependencies: [
                "SignedPayloads", "Revocation", "Libcrypto", "Minting", "OCSPResponders", "SeededRandom",
            ],
            swiftSettings: settings),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "StrictJSON", "StrictDER", "CompactJWS", "AppReceipts", "CertificateChain",
                "P256Verification", "SignedPayloads", "CLibcrypto", "CMSOracle", "Minting", "SeededRandom",
            ],
            path: "Tests/FuzzTargets", exclude: ["Corpus", "README.md", "run"],
            swiftSettings: judgeSettings),
        .testTarget(
            name: "FuzzTargetsTests",
            dependencies: ["FuzzTargets", "CertificateChain", "CompactJWS", "Minting", "SignedPayloads"],
            swiftSettings: settings),
        .testTarget(name: "StrictDERTests", dependencies: ["StrictDER"], swiftSettings: settings),
        .testTarget(
            name: "AppReceiptsTests",
            dependencies: ["AppReceipts", "CompactJWS", "Libcrypto", "Minting", "SeededRandom", "StrictDER"],
            swiftSettings: settings),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: settings),
        .testTarget(
            name: "CompactJWSTests", dependencies: ["CompactJWS", "StrictJSON", "Minting", "SeededRandom"],
            swiftSettings: settings),
        .testTarget(
            name: "CertificateChainTests",
            dependencies: ["CertificateChain", "CompactJWS", "Libcrypto", "Minting", "StrictDER"],
            swiftSettings: settings),
        .testTarget(
            name: "P256VerificationTests",
            dependencies: ["P256Verification", "CLibcrypto", "CVectorArithmetic", "SeededRandom"],
            swiftSettings: settings),
        .testTarget(
            name: "SignedPayloadsTests",
            dependencies: ["SignedPayloads", "Minting", "SeededRandom", "CAllocationCounter", "CMSOracle"],
            swiftSettings: settings),
        .testTarget(
            name: "SignedPayloadsVectorTests", dependencies: ["SignedPayloads", "CMSOracle"],
            swiftSettings: settings),
        // Apple's samples, in the language mode that they were written for.
        .target(
            name: "StoreKitSamples", dependencies: ["StoreKitVerify"], path: "Tests/StoreKitSamples",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The samples of the documentation, in the package's own settings.
        .target(
            name: "DocumentationSamples", dependencies: ["SignedPayloads", "StoreKitVerify"],
            path: "Tests/DocumentationSamples", swiftSettings: settings),
        .testTarget(
            name: "StoreKitVerifyTests",
            dependencies: [
                "StoreKitVerify", "StoreKitSamples", "DocumentationSamples", "Minting", "SeededRandom",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["storekit-verify", "Minting", "OCSPResponders", "SeededRandom"],
            swiftSettings: settings),
        // Load for ThreadSanitizer, and what shows that the sanitizers see: Tests/Sanitizers/README.md.
        .testTarget(
            name: "SanitizerTests",
            dependencies: [
                "SignedPayloads", "StrictJSON", "CLibcrypto", "Minting", "OCSPResponders", "SeededRandom",
            ],
            path: "Tests/Sanitizers", exclude: ["README.md", "mutex_annotations.c", "run"],
            swiftSettings: settings + plantedFaults),
        .testTarget(
            name: "MintingTests", dependencies: ["Minting", "TestVectorMinting", "CMSOracle"],
            swiftSettings: settings),
    ] + (isFuzzing ? fuzzer : [])
)

/// CORE_TESTS_ONLY in the environment leaves out the tools and tests that say nothing of memory, threads or arithmetic,
/// for builds in which those are tested in another way.
if Context.environment["CORE_TESTS_ONLY"] != nil {
    let names: Set = [
        "TestVectorMinting", "mint-test-vectors", "mint-corpus", "StoreKitSamples", "DocumentationSamples",
        "StoreKitVerifyTests", "MintingTests", "FuzzTargets", "FuzzTargetsTests",
    ]
    package.targets.removeAll { names.contains($0.name) }
}
