// swift-tools-version: 6.2
import PackageDescription

/// VARIANT changes what is built, by words that Tests/README.md explains. Users of the package need none.
let variant = Set(Context.environment["VARIANT"]?.split(separator: " ").map { String($0) } ?? [])
let lean: SwiftSetting = .unsafeFlags(["-no-emit-module-separately-wmo"])  // One process a module, not two.
let (isFuzzing, isStatic) = (variant.contains("fuzzing"), variant.contains { $0.hasPrefix("static-") })

/// The rules of every Swift target. A newer compiler's warning breaks no user's build: only "strict" makes it an error.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (variant.contains("strict") ? [.treatAllWarnings(as: .error), lean] : [])

/// What a fuzzing build adds. Only the code under test has coverage instrumentation; the oracles have none. Each
/// compiler command names its sanitizers in one option, because the compiler heeds the last option of the kind.
let tested: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []
let oracle: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=address"])] : []
let testedC: [CSetting] = isFuzzing ? [.unsafeFlags(["-fsanitize=address"])] : []
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"]), lean]

/// Links Swift statically, with parts of Foundation that modules do not name. The objects of any build will do.
func linkingSwift(_ flags: String...) -> [LinkerSetting] {
    let web = "FoundationInternationalization _FoundationICU CoreFoundation _CFURLSessionInterface curl"
    return [
        .unsafeFlags(["-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"] + flags),
        .unsafeFlags(web.split(separator: " ").map { "-l\($0)" }, .when(traits: ["Service"])),
    ]
}

/// The packages, and their products that are used. Only traits, which are off, fetch and build others than the first.
let packages: [(name: String, from: Version, products: String)] = [
    ("apple/swift-argument-parser", "1.5.0", "ArgumentParser"),
    ("groue/GRDB.swift", "7.0.0", "GRDB GRDBSQLite"), ("apple/swift-nio-ssl", "2.26.0", "NIOSSL"),
    ("swift-server/async-http-client", "1.24.0", "AsyncHTTPClient"),
    ("hummingbird-project/hummingbird", "2.0.0", "Hummingbird HummingbirdCore"),
    ("apple/swift-nio-extras", "1.0.0", "NIOHTTPTypes NIOHTTPTypesHTTP1"),
    ("apple/swift-log", "1.0.0", "Logging"), ("apple/swift-nio", "2.80.0", "NIOCore NIOHTTP1 NIOPosix"),
    ("apple/swift-metrics", "2.0.0", "CoreMetrics Metrics"), ("apple/swift-http-types", "1.0.0", "HTTPTypes"),
    ("swift-server/swift-service-lifecycle", "2.0.0", "ServiceLifecycle UnixSignals"),
]

/// What many use: verified payloads, every door, both commands, a file of SQLite, and the servers of the traits.
let (core, verified) = ("SignedPayloads WireFormats", "SignedPayloads StoreKitVerify WireFormats")
let door = "AppReceipts CertificateChain InspectionReports Libcrypto PayloadOutput Platform \(verified)"
let answers = "AppStoreServerAPI PurchaseTimelines Reconciliation RequestSigning"
let (api, database) = ("\(verified) NIOCore NIOHTTP1 NIOPosix", "GRDB NotificationInbox StoreKitVerifySQLite")
let (command, fixtures) = ("ArgumentParser CommandSupport", "\(verified) StoreKitFixtures")
let server = packages.dropFirst(4).map(\.products).joined(separator: " ")

/// By folder, each module with what it uses. A name tells commands (in lower case), modules in C (they begin with a C)
/// and tests, which use `testSupport` too. A variant with an @ builds only the tests that are marked so.
let table: KeyValuePairs<String, KeyValuePairs<String, String>> = [
    "Sources/Bytes": [
        "CTextScanning": "", "CSHA256": "", "CBuildFacts": "", "Platform": "CBuildFacts",
        "WireFormats": "CTextScanning", "Libcrypto": "CLibcrypto CSHA256",
    ],
    "Sources/Verdict": [
        "CP256Vector": "", "P256Verification": "CP256Vector", "CompactJWS": "WireFormats",
        "AppReceipts": "WireFormats", "CertificateChain": "Libcrypto Platform WireFormats",
        "SignedPayloads": "AppReceipts CertificateChain CompactJWS Libcrypto P256Verification WireFormats",
    ],
    "Sources/StoreKit": [
        "StoreKitVerify": "CompactJWS Platform SignedPayloads WireFormats",
        "RequestSigning": "Libcrypto Platform WireFormats",
        "AppStoreServerAPI": "\(api) AsyncHTTPClient NIOSSL RequestSigning",
        "StoreKitVerifySQLite": "\(verified) GRDB GRDBSQLite Platform",
        "Reconciliation": "\(verified) AppStoreServerAPI StoreKitVerifySQLite", "WebhookDelivery": "",
        "NotificationInbox": "\(verified) GRDB Libcrypto StoreKitVerifySQLite",
    ],
    "Sources/Output": [
        "PayloadOutput": "\(verified) AppReceipts Libcrypto",
        "InspectionReports": "\(verified) AppReceipts CertificateChain Libcrypto",
        "SVGDrawing": "WireFormats", "PurchaseTimelines": "SVGDrawing StoreKitVerify WireFormats",
    ],
    "Sources/Doors": [
        "CommandSupport": "ArgumentParser Libcrypto Platform WireFormats", "CStoreKitVerify": "",
        "CAssets": "", "HTTPConnections": "\(server) Platform", "StoreKitVerifyC": "\(door) CStoreKitVerify",
        "VerificationService": "\(door) \(server) \(database) \(answers) CAssets HTTPConnections",
        "storekit-verify": "\(door) \(command) \(database) \(answers) CompactJWS VerificationService",
    ],
    "Sources/TestStore": [
        "SeededRandom": "", "Minting": "CLibcrypto",
        "StoreKitTestSession": "\(verified) CompactJWS Libcrypto Minting P256Verification SeededRandom",
        "storekit-test":
            "\(verified) \(command) \(server) HTTPConnections Platform SeededRandom StoreKitTestSession WebhookDelivery",
    ],
    "Tests/Support": [
        "CAllocationCounter": "", "CTextScanningByWords": "", "CVectorArithmetic": "CP256Vector",
        "RepositoryFiles": "", "CommandProcesses": "RepositoryFiles", "OCSPResponders": "Minting",
        "FormerJSON": "WireFormats", "AppStoreServerLibrary": "\(verified) \(answers) AppReceipts",
        "StoreKitFixtures": "Minting SeededRandom SignedPayloads StoreKitVerify",
        "DocumentationSamples": "SignedPayloads StoreKitVerify", "StoreKitSamples": "StoreKitVerify",
        "DatabaseFolders": "\(verified) GRDB Minting StoreKitFixtures StoreKitVerifySQLite",
        "apply-lines": "\(verified) \(database)", "echo-server": "\(server)", "ReceiptOracle": "CLibcrypto",
    ],
    "Tests/Modules": [
        "WireFormatsTests": "@memory CTextScanning CTextScanningByWords FormerJSON WireFormats",
        "LibcryptoTests": "@memory Libcrypto WireFormats",
        "CompactJWSTests": "@memory CompactJWS WireFormats",
        "AppReceiptsTests": "@memory AppReceipts Libcrypto WireFormats",
        "CertificateChainTests": "@memory CertificateChain CompactJWS Libcrypto WireFormats",
        "RevocationTests": "@memory CertificateChain Libcrypto OCSPResponders SignedPayloads WireFormats",
        "P256VerificationTests": "@arithmetic @kernel @memory CLibcrypto CVectorArithmetic P256Verification",
        "SignedPayloadsTests": "@kernel @memory @threads \(core) CAllocationCounter CompactJWS",
        "SanitizerTests": "@memory @threads CLibcrypto OCSPResponders SignedPayloads WireFormats",
        "StoreKitVerifyTests": "\(fixtures) CAllocationCounter DocumentationSamples StoreKitSamples",
        "PayloadOutputTests": "\(verified) AppReceipts CAllocationCounter PayloadOutput StoreKitFixtures",
        "RequestSigningTests": "@database \(verified) CLibcrypto RequestSigning StoreKitTestSession",
        "AppStoreServerAPITests": "@database \(api) \(answers) AppStoreServerLibrary StoreKitTestSession",
        "StoreKitVerifySQLiteTests": "@database \(fixtures) \(database) DatabaseFolders apply-lines",
        "NotificationInboxTests": "@database \(fixtures) \(database) DatabaseFolders apply-lines",
        "CommandLineTests": "@mine CommandProcesses OCSPResponders storekit-test storekit-verify",
        "DatabaseCommandTests": "@database CommandProcesses storekit-verify",
        "StoreKitTestSessionTests": "\(verified) StoreKitTestSession",
        "PurchaseTimelinesTests": "\(fixtures) PurchaseTimelines SVGDrawing StoreKitTestSession",
    ],
    "Tests/Vectors": [
        "mint": "ArgumentParser Minting TestVectorMinting", "MintingTests": "TestVectorMinting",
        "TestVectorMinting": "Minting", "SignedPayloadsVectorTests": "@kernel @memory \(core)",
    ],
    "Tests/Fuzz": [
        "FuzzTargets":
            "\(door) CLibcrypto CStoreKitVerify Minting ReceiptOracle SeededRandom StoreKitVerifyC",
        "FuzzTargetsTests": "CertificateChain CompactJWS FuzzTargets SignedPayloads",
    ],
]
let testSupport: [Substring] = ["Minting", "ReceiptOracle", "RepositoryFiles", "SeededRandom"]

/// "kernel-emulated" replaces the vector kernel's instructions by plain C, and "kernel-disabled" leaves the kernel out.
let emulated = "../../../Tests/Support/EmulatedInstructions"
let emulation: [CSetting] = [.define("P256_VECTOR_EMULATED"), .headerSearchPath(emulated)]
let disabling: [CSetting] = variant.contains("kernel-disabled") ? [.define("P256_VECTOR_DISABLED")] : []
let kernel = variant.contains("kernel-emulated") ? emulation : disabling

/// What single targets have besides.
func finish(_ target: Target) {
    switch target.name {
    case "CP256Vector", "CVectorArithmetic": target.cSettings? += kernel
    case "SeededRandom", "Minting", "FormerJSON", "ReceiptOracle", "FuzzTargets":
        target.swiftSettings = rules + oracle
    case "WireFormatsTests", "LibcryptoTests", "P256VerificationTests", "SignedPayloadsVectorTests":
        target.swiftSettings = rules + tested
    case "SanitizerTests" where variant.contains("planted-faults"):
        target.swiftSettings? += [.define("PLANTED_FAULTS")]
    case "TestVectorMinting": target.swiftSettings? += unoptimized
    case "StoreKitSamples": target.swiftSettings = [.swiftLanguageMode(.v5)]
    case "NotificationInbox":
        target.dependencies.append(.target(name: "WebhookDelivery", condition: .when(traits: ["SQLite"])))
    case "StoreKitVerifyC" where variant.contains("c-library"),
        "storekit-verify" where variant.contains("static-runtime"):
        target.linkerSettings = linkingSwift("-static-stdlib")
    case "storekit-verify" where variant.contains("static-executable"):
        target.linkerSettings = linkingSwift("-static-executable", "-Xclang-linker", "-static-pie")
    case "CAssets": target.cSettings? += [.define("SERVICE", .when(traits: ["Service"]))]
    case "VerificationService": target.exclude = ["Resources", "Page/Files"]
    default: break
    }
}

func dependency(_ name: Substring) -> Target.Dependency {
    let owner = packages.first { $0.products.split(separator: " ").contains(name) }?.name
    guard let package = owner?.split(separator: "/").last else { return .byName(name: String(name)) }
    let isClient = ["async-http-client", "swift-nio-ssl"].contains(package)
    let web: Set = ["Service", "TestServer", package == "swift-nio" ? "ServerAPI" : "Service"]
    let traits = package == "GRDB.swift" ? ["SQLite"] : isClient ? ["ServerAPI"] : web
    let condition: TargetDependencyCondition? = name == "ArgumentParser" ? nil : .when(traits: traits)
    return .product(name: String(name), package: String(package), condition: condition)
}

func target(_ name: String, _ path: String, _ uses: String) -> Target? {
    let (words, isTest) = (uses.split(separator: " "), name.hasSuffix("Tests"))
    if isTest, variant.contains(where: { $0.first == "@" && !words.contains(Substring($0)) }) { return nil }
    let isC = name.first == "C" && name.dropFirst().first?.isLowercase == false
    let isCommand = name.first?.isLowercase == true
    let target: Target =
        isTest ? .testTarget(name: name) : isCommand ? .executableTarget(name: name) : .target(name: name)
    (target.path, target.cSettings) = (path, isC ? testedC : nil)
    target.dependencies = (words + (isTest ? testSupport : [])).filter { $0.first != "@" }.map(dependency)
    let isPlain = isTest || variant.contains("unoptimized") && !path.contains(/Bytes|Verdict/)
    target.swiftSettings = isC ? nil : rules + tested + (isPlain ? unoptimized : [])
    finish(target)
    return target
}

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CLibcrypto", path: "Sources/Bytes/CLibcrypto", pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Support/CLibFuzzer"),
]
/// What libFuzzer runs. It links with `--sanitize fuzzer` alone: see Tests/Fuzz/README.md.
let fuzzer: Target = .executableTarget(
    name: "fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/fuzz",
    swiftSettings: rules + oracle, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])])

let package = Package(
    name: "storekit-verify",
    platforms: [.macOS("26.0")],
    products: [
        "SignedPayloads", "P256Verification", "StoreKitVerify", "StoreKitVerifySQLite", "NotificationInbox",
        "StoreKitTestSession", "RequestSigning", "AppStoreServerAPI",
    ].map { .library(name: $0, targets: [$0]) }
        + [
            .executable(name: "storekit-verify" + (isStatic ? "-static" : ""), targets: ["storekit-verify"]),
            .executable(name: "storekit-test", targets: ["storekit-test"]),
            .library(name: "storekitverify", type: .dynamic, targets: ["StoreKitVerifyC"]),
        ].filter { variant.contains("c-library") || $0.name != "storekitverify" },
    traits: [
        .trait(name: "SQLite", description: "A store and an inbox in a file. Needs libsqlite3-dev."),
        .trait(name: "ServerAPI", description: "A client of the App Store Server API."),
        .trait(name: "TestServer", description: "storekit-test serve: the App Store Server API."),
        .trait(name: "Service", description: "All.", enabledTraits: ["SQLite", "ServerAPI", "TestServer"]),
    ],
    dependencies: packages.map { .package(url: "https://github.com/\($0.name)", from: $0.from) },
    targets: systemLibraries + (isFuzzing ? [fuzzer] : [])
        + table.flatMap { folder, rows in rows.compactMap { target($0, "\(folder)/\($0)", $1) } }
)
