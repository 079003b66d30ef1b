// swift-tools-version: 6.2
import PackageDescription

/// The settings of the measured package.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (Context.environment["VARIANT"]?.contains("strict") == true ? [.treatAllWarnings(as: .error)] : [])

// A package of its own, so that users of the library do not fetch the libraries that it is compared with.
let package = Package(
    name: "storekit-verify-benchmarks",
    platforms: [.macOS("26.0")],
    traits: [
        .trait(name: "Peers", description: "Measures the libraries that users could take instead.")
    ],
    dependencies: [
        .package(name: "storekit-verify", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/google/swift-benchmark", exact: "0.1.2"),
        // The peers, with exact versions, which the results name. The trait fetches and builds them.
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // Rounds, statistics, reports and processes: the code that does not depend on the measured subject. Its folder Drawing has
        // links to the package's own drawing, which is no product.
        .target(
            name: "BenchmarkKit", swiftSettings: settings),
        .systemLibrary(
            name: "CLibcryptoPeer", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .executableTarget(
            name: "storekit-verify-benchmarks",
            dependencies: [
                "BenchmarkKit", "CLibcryptoPeer",
                .product(name: "P256Verification", package: "storekit-verify"),
                .product(name: "SignedPayloads", package: "storekit-verify"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Benchmark", package: "swift-benchmark"),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Peers"])),
                .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["Peers"])),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["Peers"])),
                .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["Peers"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"], exclude: ["Golden"],
            swiftSettings: settings),
    ]
)
