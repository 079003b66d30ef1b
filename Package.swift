// swift-tools-version: 6.2
import PackageDescription

/// VARIANT changes what is built, by words that Tests/README.md explains. Users of the package need none.
let variant = Set(Context.environment["VARIANT"]?.split(separator: " ").map { String($0) } ?? [])
let isFuzzing = variant.contains("fuzzing")

// MARK: - Settings

/// The rules of every Swift target. A newer compiler's warning breaks no user's build: only "strict" makes it an error.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (variant.contains("strict") ? [.treatAllWarnings(as: .error)] : [])

/// What a fuzzing build adds. Only the code under test has coverage instrumentation; the oracles have none. Each
/// compiler command names its sanitizers in one option, because the compiler heeds the last option of the kind.
let tested: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []
let oracle: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=address"])] : []
let testedC: [CSetting] = isFuzzing ? [.unsafeFlags(["-fsanitize=address"])] : []
/// For code whose time is that of what it calls, and which counts no allocations: it builds in half the time. No
/// product contains it, so the package stays one to depend on.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

/// Links Swift's libraries statically, with the parts of Foundation that its modules do not name themselves. Only the
/// linking differs: the objects of any build will do.
func linkingSwift(_ flags: String...) -> [LinkerSetting] {
    let foundation = ["-lFoundationInternationalization", "-l_FoundationICU", "-lCoreFoundation"]
    let web = foundation + ["-l_CFURLSessionInterface", "-lcurl"]
    return [
        .unsafeFlags(["-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"]),
        .unsafeFlags(web, .when(traits: ["Service"])), .unsafeFlags(flags),
    ]
}

// MARK: - Targets: by folder, each with the modules and products that it uses

/// What every door uses.
let door = "AppReceipts Libcrypto Platform SignedPayloads StoreKitVerify VerificationReports WireFormats"
/// What a server uses of the traits' packages.
let running = "CoreMetrics Metrics ServiceLifecycle UnixSignals"
let server = "HTTPTypes Hummingbird HummingbirdCore Logging NIOCore NIOHTTP1 NIOHTTPTypes NIOPosix"

/// Modules, and by their names: commands in lower case, modules in C that begin with a C, and tests. Tests use
/// `testSupport` too. A variant with an @ builds only the tests that are marked so.
let table: KeyValuePairs<String, KeyValuePairs<String, String>> = [
    "Sources/Bytes": [
        "CTextScanning": "", "CSHA256": "", "Platform": "", "WireFormats": "CTextScanning",
        "Libcrypto": "CLibcrypto CSHA256",
    ],
    "Sources/Verdict": [
        "CompactJWS": "WireFormats", "AppReceipts": "WireFormats",
        "CertificateChain": "Libcrypto WireFormats",
        "Revocation": "CertificateChain Libcrypto Platform WireFormats",
        "CP256Vector": "", "P256Verification": "CP256Vector",
        "SignedPayloads":
            "AppReceipts CertificateChain CompactJWS Libcrypto P256Verification Revocation WireFormats",
    ],
    "Sources/StoreKit": [
        "StoreKitVerify": "CompactJWS Platform SignedPayloads WireFormats",
        "WebhookDelivery": "",
        "StoreKitVerifySQLite": "GRDB Libcrypto SignedPayloads StoreKitVerify WireFormats",
    ],
    "Sources/Output": [
        "VerificationReports":
            "AppReceipts CertificateChain Libcrypto SignedPayloads StoreKitVerify WireFormats",
        "SVGDrawing": "WireFormats",
        "PurchaseTimelines": "SVGDrawing StoreKitVerify VerificationReports WireFormats",
    ],
    "Sources/Doors": [
        "CommandSupport": "ArgumentParser Libcrypto Platform WireFormats", "CStoreKitVerify": "",
        "StoreKitVerifyC": "\(door) CStoreKitVerify Revocation",
        "VerificationService":
            "\(door) \(server) PurchaseTimelines Revocation StoreKitVerifySQLite \(running)",
        "storekit-verify":
            "\(door) ArgumentParser CommandSupport CompactJWS PurchaseTimelines "
            + "StoreKitVerifySQLite VerificationService",
    ],
    "Sources/TestStore": [
        "SeededRandom": "", "Minting": "CLibcrypto",
        "StoreKitTestSession":
            "CompactJWS Libcrypto Minting P256Verification SeededRandom SignedPayloads StoreKitVerify WireFormats",
        "storekit-test":
            "\(server) ArgumentParser CommandSupport Platform SeededRandom StoreKitTestSession "
            + "StoreKitVerify WebhookDelivery WireFormats",
    ],
    "Tests/Support": [
        "CAllocationCounter": "", "CTextScanningByWords": "", "CVectorArithmetic": "CP256Vector",
        "RepositoryFiles": "", "CommandProcesses": "RepositoryFiles", "OCSPResponders": "Minting",
        "StoreKitFixtures": "Minting SeededRandom SignedPayloads StoreKitVerify",
        "FormerJSON": "WireFormats", "ReceiptOracle": "CLibcrypto",
        "DocumentationSamples": "SignedPayloads StoreKitVerify", "StoreKitSamples": "StoreKitVerify",
        "apply-lines": "SignedPayloads StoreKitVerify StoreKitVerifySQLite",
        "echo-server": "\(server)",
    ],
    "Tests/Modules": [
        "WireFormatsTests": "@memory CTextScanning CTextScanningByWords FormerJSON WireFormats",
        "LibcryptoTests": "@memory Libcrypto WireFormats",
        "CompactJWSTests": "@memory CompactJWS WireFormats",
        "AppReceiptsTests": "@memory AppReceipts Libcrypto WireFormats",
        "CertificateChainTests": "@memory CertificateChain CompactJWS Libcrypto WireFormats",
        "RevocationTests": "@memory Libcrypto OCSPResponders Revocation SignedPayloads WireFormats",
        "P256VerificationTests": "@memory CLibcrypto CVectorArithmetic P256Verification",
        "SignedPayloadsTests": "@memory @threads CAllocationCounter SignedPayloads",
        "StoreKitVerifyTests":
            "CAllocationCounter DocumentationSamples StoreKitFixtures StoreKitSamples StoreKitVerify WireFormats",
        "StoreKitVerifySQLiteTests":
            "@database GRDB SignedPayloads StoreKitFixtures StoreKitVerify StoreKitVerifySQLite apply-lines",
        "CommandLineTests": "CommandProcesses OCSPResponders storekit-test storekit-verify",
        "DatabaseCommandTests": "@database CommandProcesses storekit-verify",
        "StoreKitTestSessionTests": "SignedPayloads StoreKitTestSession StoreKitVerify WireFormats",
        "PurchaseTimelinesTests":
            "PurchaseTimelines SVGDrawing SignedPayloads StoreKitTestSession StoreKitVerify VerificationReports",
    ],
    "Tests/Vectors": [
        "TestVectorMinting": "Minting", "mint": "ArgumentParser Minting TestVectorMinting",
        "MintingTests": "TestVectorMinting", "SignedPayloadsVectorTests": "@memory SignedPayloads",
    ],
    "Tests/Fuzz": [
        "FuzzTargets":
            "\(door) CStoreKitVerify CLibcrypto Minting ReceiptOracle SeededRandom StoreKitVerifyC",
        "FuzzTargetsTests": "CertificateChain CompactJWS FuzzTargets SignedPayloads",
    ],
    "Tests/Proofs/Sanitizers": [
        "SanitizerTests": "@memory @threads CLibcrypto OCSPResponders SignedPayloads WireFormats"
    ],
]
let testSupport: [Substring] = ["Minting", "ReceiptOracle", "RepositoryFiles", "SeededRandom"]

/// The packages, and the products of them that are used. Only the traits, all off by default, fetch and build the others
/// than the first.
let packages: [(name: String, from: Version, products: String)] = [
    ("apple/swift-argument-parser", "1.5.0", "ArgumentParser"), ("groue/GRDB.swift", "7.0.0", "GRDB"),
    ("hummingbird-project/hummingbird", "2.0.0", "Hummingbird HummingbirdCore"),
    ("apple/swift-http-types", "1.0.0", "HTTPTypes"), ("apple/swift-log", "1.0.0", "Logging"),
    ("apple/swift-metrics", "2.0.0", "CoreMetrics Metrics"),
    ("apple/swift-nio", "2.80.0", "NIOCore NIOHTTP1 NIOPosix"),
    ("apple/swift-nio-extras", "1.0.0", "NIOHTTPTypes"),
    ("swift-server/swift-service-lifecycle", "2.0.0", "ServiceLifecycle UnixSignals"),
]

// MARK: - What single targets have besides

/// "kernel-emulated" replaces the vector kernel's instructions by plain C, and "kernel-disabled" leaves the kernel out.
let kernel: [CSetting] =
    ["EMULATED", "DISABLED"].filter { variant.contains("kernel-\($0.lowercased())") }.map {
        .define("P256_VECTOR_\($0)")
    } + [.headerSearchPath("../../../Tests/Support/EmulatedInstructions")]

func finish(_ target: Target) {
    switch target.name {
    case "CP256Vector" where kernel.count > 1, "CVectorArithmetic" where kernel.count > 1:
        target.cSettings? += kernel
    case "SeededRandom", "Minting", "FormerJSON", "ReceiptOracle", "FuzzTargets":
        target.swiftSettings = rules + oracle
    case "WireFormatsTests", "LibcryptoTests", "P256VerificationTests", "SignedPayloadsVectorTests":
        target.swiftSettings = rules + tested
    case "SanitizerTests" where variant.contains("planted-faults"):
        target.swiftSettings? += [.define("PLANTED_FAULTS")]
    case "TestVectorMinting": target.swiftSettings? += unoptimized
    case "StoreKitSamples": target.swiftSettings = [.swiftLanguageMode(.v5)]
    case "StoreKitVerifySQLite":
        target.dependencies.append(.target(name: "WebhookDelivery", condition: .when(traits: ["SQLite"])))
    case "StoreKitVerifyC" where variant.contains("c-library"),
        "storekit-verify" where variant.contains("static-runtime"):
        target.linkerSettings = linkingSwift("-static-stdlib")
    case "storekit-verify" where variant.contains("static-executable"):
        target.linkerSettings = linkingSwift("-static-executable", "-Xclang-linker", "-static-pie")
    case "VerificationService":
        let files = ["Resources/openapi.json", "Page/index.html", "Page/page.css", "Page/page.js"]
        target.resources = files.map { .embedInCode($0) }
    default: break
    }
}

// MARK: - The package

func dependency(_ name: Substring) -> Target.Dependency {
    let owner = packages.first { $0.products.split(separator: " ").contains(name) }?.name
    guard let package = owner?.split(separator: "/").last else { return .byName(name: String(name)) }
    let traits: Set = name == "GRDB" ? ["SQLite"] : ["Service", "TestServer"]
    let condition: TargetDependencyCondition? = name == "ArgumentParser" ? nil : .when(traits: traits)
    return .product(name: String(name), package: String(package), condition: condition)
}

func target(_ name: String, _ path: String, _ uses: String) -> Target? {
    let words = Set(uses.split(separator: " "))
    let isC = name.first == "C" && name.dropFirst().first?.isLowercase == false
    let target: Target
    if name.hasSuffix("Tests") {
        // The tests of a variant with an @ alone, if there is one.
        guard variant.allSatisfy({ $0.first != "@" || words.contains(Substring($0)) }) else { return nil }
        target = .testTarget(name: name, dependencies: testSupport.map(dependency))
    } else {
        target = name.first?.isLowercase == true ? .executableTarget(name: name) : .target(name: name)
    }
    target.path = path
    target.dependencies += words.filter { $0.first != "@" }.sorted().map(dependency)
    target.cSettings = isC ? testedC : nil
    target.swiftSettings = isC ? nil : rules + tested + (target.isTest ? unoptimized : [])
    finish(target)
    return target
}

let libcrypto: Target = .systemLibrary(
    name: "CLibcrypto", path: "Sources/Bytes/CLibcrypto", pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])])
/// What libFuzzer runs. It links with `--sanitize fuzzer` alone: see Tests/Fuzz/README.md.
let fuzzer: [Target] = [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Support/CLibFuzzer"),
    .executableTarget(
        name: "fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/fuzz",
        swiftSettings: rules + oracle, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
]
let command = variant.isDisjoint(with: ["static-runtime", "static-executable"]) ? "" : "-static"
let cLibrary: [Product] = [.library(name: "storekitverify", type: .dynamic, targets: ["StoreKitVerifyC"])]

let package = Package(
    name: "storekit-verify",
    platforms: [.macOS("26.0")],
    products: [
        "SignedPayloads", "P256Verification", "StoreKitVerify", "StoreKitVerifySQLite", "StoreKitTestSession",
    ].map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "storekit-verify\(command)", targets: ["storekit-verify"]),
        .executable(name: "storekit-test", targets: ["storekit-test"]),
    ] + (variant.contains("c-library") ? cLibrary : []),
    traits: [
        .trait(name: "SQLite", description: "A store and an inbox in a file. Needs libsqlite3-dev."),
        .trait(name: "TestServer", description: "storekit-test serve: the App Store Server API."),
        .trait(name: "Service", description: "storekit-verify serve: HTTP.", enabledTraits: ["SQLite"]),
    ],
    dependencies: packages.map { .package(url: "https://github.com/\($0.name)", from: $0.from) },
    targets: table.flatMap { folder, rows in rows.compactMap { target($0, "\(folder)/\($0)", $1) } }
        + [libcrypto] + (isFuzzing ? fuzzer : [])
)
