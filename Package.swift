// swift-tools-version: 6.2
import PackageDescription

// MARK: - Switches in the environment

/// WARNINGS_AS_ERRORS is set by continuous integration alone, so that a newer compiler's warning breaks no user's build.
let areWarningsErrors = Context.environment["WARNINGS_AS_ERRORS"] != nil

/// FUZZING adds the executable that libFuzzer runs. It links with `--sanitize fuzzer` alone; see
/// Tests/FuzzTargets/README.md.
let isFuzzing = Context.environment["FUZZING"] != nil

/// PLANTED_FAULTS compiles mistakes into the sanitizers' tests, to show that the sanitizers find them.
let plantsFaults = Context.environment["PLANTED_FAULTS"] != nil

/// P256_VECTOR_EMULATED replaces the vector kernel's instructions by plain C. P256_VECTOR_DISABLED leaves the kernel
/// out, as on other architectures.
let kernelSwitches = ["P256_VECTOR_EMULATED", "P256_VECTOR_DISABLED"].filter {
    Context.environment[$0] != nil
}

/// TEST_TARGETS names the only test targets to build, for a proof that needs a build of its own.
let testTargetNames = Context.environment["TEST_TARGETS"]?.split(separator: " ").map { String($0) }

/// DATABASE_TESTS_ONLY leaves of the tests of StoreKitVerify and of the command what the trait SQLite has a part in.
let isDatabaseOnly = Context.environment["DATABASE_TESTS_ONLY"] != nil

/// CORE_TESTS_ONLY leaves out tools and tests that say nothing of memory, threads or arithmetic.
let isCoreOnly = Context.environment["CORE_TESTS_ONLY"] != nil

/// C_LIBRARY adds the product that Bindings/C/build makes a shared object of.
let buildsCLibrary = Context.environment["C_LIBRARY"] != nil
let cLibrary = Product.library(name: "storekitverify", type: .dynamic, targets: ["StoreKitVerifyC"])

/// STATIC_LINKING makes the product storekit-verify-static of the command, with what another machine may not have inside:
/// "runtime" Swift's runtime and Foundation, "executable" all that it needs. The C library always has Swift's runtime
/// inside. Only the linking differs: these products can be made in the folder of any build, of the objects there.
let staticLinking = Context.environment["STATIC_LINKING"]

// MARK: - Rules

/// One set of rules for every target.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (areWarningsErrors ? [.treatAllWarnings(as: .error)] : [])

/// What a fuzzing build adds. Only the code under test has coverage instrumentation; the oracles have none. Each
/// compiler command names its sanitizers in one option, because the compiler heeds the last option of the kind.
let testedCode: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []
let oracleCode: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=address"])] : []
let cRules: [CSetting] = isFuzzing ? [.unsafeFlags(["-fsanitize=address"])] : []

/// For code whose time is that of what it calls, and which counts no allocations: it builds in half the time. No
/// product contains it, so the package stays one to depend on.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

func kernelRules(headers: String) -> [CSetting] {
    cRules + kernelSwitches.flatMap { [.define($0), .headerSearchPath(headers)] }
}

/// A Swift target, by default of code that the fuzzers test.
func module(
    _ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [], resources: [Resource] = [], extra: [SwiftSetting] = testedCode,
    linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: folder.map { "\($0)/\(name)" }, exclude: exclude,
        resources: resources, swiftSettings: rules + extra, linkerSettings: linker)
}

func tests(
    _ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency], exclude: [String] = [],
    onlyDatabase sources: [String] = [], isOptimized: Bool = false, extra: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: folder, exclude: exclude,
        sources: isDatabaseOnly && !sources.isEmpty ? sources : nil,
        swiftSettings: rules + testedCode + (isOptimized ? [] : unoptimized) + extra)
}

func command(
    _ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency],
    linker: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: folder.map { "\($0)/\(name)" },
        swiftSettings: rules + testedCode, linkerSettings: linker)
}

/// The trait of everything that needs SQLite, off by default: a build without it fetches and builds nothing for it.
let database = Trait.trait(
    name: "SQLite", description: "SQLiteTransactionStore, and the command's database. Needs libsqlite3-dev.")
let grdb: Target.Dependency = .product(
    name: "GRDB", package: "GRDB.swift", condition: .when(traits: [database.name]))

/// The traits of the two servers, off by default as well.
let testServer = Trait.trait(
    name: "TestServer", description: "storekit-test serve: the App Store Server API on a local port.")
let service = Trait.trait(
    name: "Service", description: "storekit-verify serve: verification over HTTP, for any language.",
    enabledTraits: [database.name])

/// Links Swift's libraries statically, with the parts of Foundation that its modules do not name themselves.
let staticRuntime: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"]),
    .unsafeFlags(
        [
            "-lFoundationInternationalization", "-l_FoundationICU", "-lCoreFoundation",
            "-l_CFURLSessionInterface", "-lcurl",
        ], .when(traits: [service.name])),
]
let commandLinking: [LinkerSetting] =
    switch staticLinking {
    case "runtime": staticRuntime + [.unsafeFlags(["-static-stdlib"])]
    case "executable":
        staticRuntime + [.unsafeFlags(["-static-executable", "-Xclang-linker", "-static-pie"])]
    default: []
    }
let libraryLinking = buildsCLibrary ? staticRuntime + [.unsafeFlags(["-static-stdlib"])] : []

func products(_ list: [(name: String, package: String)], of traits: Set<String>) -> [Target.Dependency] {
    list.map { .product(name: $0.name, package: $0.package, condition: .when(traits: traits)) }
}

let serverProducts = products(
    [("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("Logging", "swift-log")],
    of: [testServer.name])
let serviceProducts = products(
    [
        ("Hummingbird", "hummingbird"), ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"),
        ("Logging", "swift-log"), ("Metrics", "swift-metrics"), ("CoreMetrics", "swift-metrics"),
        ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"),
        ("NIOPosix", "swift-nio"), ("ServiceLifecycle", "swift-service-lifecycle"),
        ("UnixSignals", "swift-service-lifecycle"),
    ], of: [service.name])

/// What the servers name of their dependencies. Only the traits fetch them; a package that no target names would be fetched
/// always.
let serverPackages: [Package.Dependency] = [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.0.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// MARK: - Targets

/// The pipeline, in the order in which data passes it.
let pipeline: [Target] = [
    .systemLibrary(
        name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "CTextScanning", cSettings: cRules),
    .target(name: "CSHA256", cSettings: cRules),
    .target(name: "CP256Vector", exclude: ["emulation"], cSettings: kernelRules(headers: "emulation")),
    module("OperatingSystem"),
    module("WireFormats", ["CTextScanning"]),
    module("Libcrypto", ["CLibcrypto", "CSHA256", "WireFormats"]),
    module("CompactJWS", ["WireFormats"]),
    module("AppReceipts", ["WireFormats"]),
    module("CertificateChain", ["CompactJWS", "Libcrypto", "WireFormats"]),
    module("Revocation", ["CertificateChain", "Libcrypto", "WireFormats"]),
    module("P256Verification", ["CP256Vector"]),
    module(
        "SignedPayloads",
        [
            "AppReceipts", "CertificateChain", "CompactJWS", "Libcrypto", "P256Verification", "Revocation",
            "WireFormats",
        ]),
    module("StoreKitVerify", ["CompactJWS", "SignedPayloads", "WireFormats"]),
    // Posts to web addresses by Foundation's networking, which only those link that need it.
    module("WebhookDelivery"),
    module(
        "StoreKitVerifySQLite",
        [
            "Libcrypto", "SignedPayloads", "StoreKitVerify", "WireFormats", grdb,
            .target(name: "WebhookDelivery", condition: .when(traits: [database.name])),
        ]),
    module(
        "StoreKitTestSession",
        [
            "CompactJWS", "Libcrypto", "Minting", "P256Verification", "SeededRandom", "SignedPayloads",
            "StoreKitVerify", "WireFormats",
        ]),
    module(
        "VerificationReports",
        ["AppReceipts", "CertificateChain", "Libcrypto", "SignedPayloads", "StoreKitVerify", "WireFormats"]),
    // Pictures: the drawing, and what it shows of purchases.
    module("SVGDrawing", ["WireFormats"]),
    module("PurchaseTimelines", ["SVGDrawing", "StoreKitVerify", "VerificationReports", "WireFormats"]),
    .target(name: "CStoreKitVerify", cSettings: cRules),
    // The C library, for which Bindings/C/build makes the shared object.
    module(
        "StoreKitVerifyC",
        [
            "AppReceipts", "CStoreKitVerify", "Libcrypto", "OperatingSystem", "Revocation", "SignedPayloads",
            "StoreKitVerify", "VerificationReports", "WireFormats",
        ], linker: libraryLinking),
    // The service's modules are empty without the trait.
    module(
        "VerificationService",
        [
            "AppReceipts", "Libcrypto", "OperatingSystem", "PurchaseTimelines", "Revocation",
            "SignedPayloads", "StoreKitVerify", "StoreKitVerifySQLite", "VerificationReports", "WireFormats",
        ] + serviceProducts,
        resources: ["Resources/openapi.json", "Page/index.html", "Page/page.css", "Page/page.js"].map {
            .embedInCode($0)
        }),
    command(
        "storekit-verify",
        [
            "AppReceipts", "CompactJWS", "Libcrypto", "OperatingSystem", "PurchaseTimelines",
            "SignedPayloads",
            "StoreKitVerify", "StoreKitVerifySQLite", "VerificationReports", "WireFormats", argumentParser,
        ] + (isCoreOnly || isDatabaseOnly ? [] : ["VerificationService"]),
        linker: commandLinking),
    command(
        "storekit-test",
        [
            "SeededRandom", "StoreKitTestSession", "StoreKitVerify", "WebhookDelivery", "WireFormats",
            argumentParser,
        ]
            + serverProducts),
]

/// Tools for developers: a private PKI shaped like Apple's, and what is signed with it. Only the test App Store is a
/// product with them in it.
let tools: [Target] = [
    module("SeededRandom", in: "Sources/Tools", extra: oracleCode),
    module("Minting", in: "Sources/Tools", ["CLibcrypto"], extra: oracleCode),
    module("TestVectorMinting", in: "Sources/Tools", ["Minting"], extra: testedCode + unoptimized),
    command("mint", in: "Sources/Tools", ["Minting", "TestVectorMinting", argumentParser]),
]

/// What tests share.
let support: [Target] = [
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    .target(
        name: "CVectorArithmetic", dependencies: ["CP256Vector"], path: "Tests/Support/CVectorArithmetic",
        cSettings: kernelRules(headers: "../../../Sources/CP256Vector/emulation")
            + [.headerSearchPath("../../../Sources/CP256Vector")]),
    .target(
        name: "CTextScanningByWords", path: "Tests/Support/CTextScanningByWords",
        cSettings: cRules + [.headerSearchPath("../../../Sources/CTextScanning/include")]),
    // The former reader of JSON, an oracle for today's.
    module("FormerJSON", in: "Tests/Support", ["WireFormats"], extra: oracleCode),
    module("CMSOracle", in: "Tests/Support", ["CLibcrypto"], extra: oracleCode),
    module("OCSPResponders", in: "Tests/Support", ["Minting"]),
    // A process that the database's tests kill.
    command(
        "apply-lines", in: "Tests/Support", ["SignedPayloads", "StoreKitVerify", "StoreKitVerifySQLite"]),
    // The handler that the service's speed is compared with.
    command("echo-server", in: "Tests/Support", serviceProducts),
    // The samples of the documentation, in the package's own settings.
    module("DocumentationSamples", in: "Tests/Support", ["SignedPayloads", "StoreKitVerify"]),
    // Apple's samples, in the language mode that they were written for.
    .target(
        name: "StoreKitSamples", dependencies: ["StoreKitVerify"], path: "Tests/Support/StoreKitSamples",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    module(
        "FuzzTargets", in: "Tests",
        [
            "AppReceipts", "CLibcrypto", "CMSOracle", "CStoreKitVerify", "CertificateChain", "CompactJWS",
            "Minting", "P256Verification", "SeededRandom", "SignedPayloads", "StoreKitVerifyC", "WireFormats",
        ], exclude: ["Corpus", "README.md", "run"], extra: oracleCode),
]

let testTargets: [Target] = [
    tests(
        "WireFormatsTests",
        ["CTextScanning", "CTextScanningByWords", "FormerJSON", "Minting", "SeededRandom", "WireFormats"],
        isOptimized: true),
    tests("LibcryptoTests", ["Libcrypto", "Minting", "SeededRandom"], isOptimized: true),
    tests("CompactJWSTests", ["CompactJWS", "Minting", "WireFormats"]),
    tests("AppReceiptsTests", ["AppReceipts", "Libcrypto", "Minting", "SeededRandom", "WireFormats"]),
    tests(
        "CertificateChainTests", ["CertificateChain", "CompactJWS", "Libcrypto", "Minting", "WireFormats"]),
    tests(
        "RevocationTests",
        [
            "Libcrypto", "Minting", "OCSPResponders", "Revocation", "SeededRandom", "SignedPayloads",
            "WireFormats",
        ]),
    tests(
        "P256VerificationTests", ["CLibcrypto", "CVectorArithmetic", "P256Verification", "SeededRandom"],
        isOptimized: true),
    tests(
        "SignedPayloadsTests",
        ["CAllocationCounter", "CMSOracle", "Minting", "SeededRandom", "SignedPayloads"]),
    tests(
        "SignedPayloadsVectorTests", ["CMSOracle", "Minting", "SeededRandom", "SignedPayloads"],
        isOptimized: true),
    tests(
        "StoreKitVerifyTests",
        [
            "CAllocationCounter", "Minting", "SeededRandom", "StoreKitVerify", "StoreKitVerifySQLite",
            "WireFormats", "apply-lines", grdb,
        ] + (isDatabaseOnly ? [] : ["DocumentationSamples", "StoreKitSamples"]),
        exclude: ["SQLite/Files"],
        onlyDatabase: ["SQLite", "Support.swift", "ContradictingPayloads.swift"]),
    tests(
        "CommandLineTests",
        ["Minting", "OCSPResponders", "SeededRandom", "storekit-verify"]
            + (isCoreOnly || isDatabaseOnly ? [] : ["storekit-test"]),
        exclude: ["Golden"],
        onlyDatabase: [
            "CommandProcess.swift", "EntitlementsCommandTests.swift", "IngestCommandTests.swift",
            "RunningCommand.swift", "TimelineCommandTests.swift", "UsageTests.swift",
        ]),
    tests(
        "StoreKitTestSessionTests",
        ["Minting", "SeededRandom", "SignedPayloads", "StoreKitTestSession", "StoreKitVerify", "WireFormats"]),
    tests(
        "PurchaseTimelinesTests",
        [
            "Minting", "PurchaseTimelines", "SVGDrawing", "SeededRandom", "SignedPayloads",
            "StoreKitTestSession", "StoreKitVerify", "VerificationReports",
        ]),
    tests("MintingTests", ["CMSOracle", "Minting", "TestVectorMinting"]),
    tests(
        "FuzzTargetsTests", ["CertificateChain", "CompactJWS", "FuzzTargets", "Minting", "SignedPayloads"]),
    // Load for ThreadSanitizer, and faults that the sanitizers must find: Tests/Sanitizers/README.md.
    tests(
        "SanitizerTests", in: "Tests/Sanitizers",
        ["CLibcrypto", "Minting", "OCSPResponders", "SeededRandom", "SignedPayloads", "WireFormats"],
        exclude: ["README.md", "mutex_annotations.c", "run"],
        extra: plantsFaults ? [.define("PLANTED_FAULTS")] : []),
]

let fuzzer: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Support/CLibFuzzer"),
    .executableTarget(
        name: "fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/FuzzDriver",
        swiftSettings: rules + oracleCode, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
]

let notCore: Set = [
    "TestVectorMinting", "mint", "StoreKitSamples", "DocumentationSamples", "StoreKitVerifyTests",
    "apply-lines",
    "MintingTests", "FuzzTargets", "FuzzTargetsTests", "StoreKitTestSession", "StoreKitTestSessionTests",
    "storekit-test", "CStoreKitVerify", "StoreKitVerifyC", "PurchaseTimelinesTests",
    "VerificationService", "echo-server",
]
let leftOut =
    isDatabaseOnly ? notCore.subtracting(["StoreKitVerifyTests", "apply-lines"]) : isCoreOnly ? notCore : []

let package = Package(
    name: "storekit-verify",
    platforms: [.macOS("26.0")],
    products: ([
        .library(name: "SignedPayloads", targets: ["SignedPayloads"]),
        .library(name: "P256Verification", targets: ["P256Verification"]),
        .library(name: "StoreKitVerify", targets: ["StoreKitVerify"]),
        .library(name: "StoreKitVerifySQLite", targets: ["StoreKitVerifySQLite"]),
        .library(name: "StoreKitTestSession", targets: ["StoreKitTestSession"]),
        // What the benchmarks draw their chart with.
        .library(name: "SVGDrawing", targets: ["SVGDrawing"]),
        .executable(
            name: staticLinking == nil ? "storekit-verify" : "storekit-verify-static",
            targets: ["storekit-verify"]),
        .executable(name: "storekit-test", targets: ["storekit-test"]),
    ] as [Product] + (buildsCLibrary ? [cLibrary] : [])).filter { !leftOut.contains($0.name) },
    traits: [database, testServer, service],
    dependencies: [
        // The command's argument parsing; the libraries depend on nothing but libcrypto.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // SQLite. Only the trait of that name fetches it.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ] + (leftOut.contains("storekit-test") ? [] : serverPackages),
    targets: (pipeline + tools + support + testTargets + (isFuzzing ? fuzzer : []))
        .filter { !leftOut.contains($0.name) }
        .filter { !$0.isTest || testTargetNames?.contains($0.name) ?? true }
)
