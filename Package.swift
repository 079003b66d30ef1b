// swift-tools-version: 6.2
import PackageDescription

// The modules are listed at the end, folder by folder, each with what it imports. Before them stand what a build can vary, the
// rules of every module, the names, and the packages of others.

// MARK: - What a build can vary

/// A word of the environment variable VARIANT, which has words with spaces between them. Users of the package need none.
/// Sanitizers, kernels and static commands are options of `swift build` in `.ci` and `Tests/Proofs`, not variants.
enum Variant: String {
    /// Warnings are errors, and one process compiles a module, which is less work in all. The gate sets it.
    case strict
    /// What is above the verdict is not optimised, as the sanitizers want it: it compiles in a quarter of the time.
    case unoptimized
    /// Adds the executable `fuzz`, which links under libFuzzer alone.
    case fuzzing
    // With one of the following, only the tests of a set are built: for the address sanitizer,
    case memory = "@memory"
    // for the thread sanitizer,
    case threads = "@threads"
    // with the vector kernel in plain C,
    case arithmetic = "@arithmetic"
    // without a vector kernel,
    case kernel = "@kernel"
    // and with the traits `SQLite` or `Service`.
    case database = "@database"
}

let words = Context.environment["VARIANT"]?.split(separator: " ") ?? []
let variants = Set(words.compactMap { Variant(rawValue: String($0)) })
precondition(variants.count == Set(words).count, "Package.swift does not know each word of VARIANT: \(words)")

/// The sets that were asked for. A test target is built if it is in all of them.
let wanted = variants.intersection([.memory, .threads, .arithmetic, .kernel, .database])

// MARK: - Rules

let oneProcess: SwiftSetting = .unsafeFlags(["-no-emit-module-separately-wmo"])
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"]), oneProcess]

/// The rules of every Swift module. A newer compiler's warning breaks no user's build: only `strict` makes it an error.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (variants.contains(.strict) ? [.treatAllWarnings(as: .error), oneProcess] : [])

// MARK: - Names

/// The modules. A folder has the module's name.
enum Module: String {
    // Bytes
    case cBuildFacts = "CBuildFacts"
    case cLibcrypto = "CLibcrypto"
    case cLibcurl = "CLibcurl"
    case cSHA256 = "CSHA256"
    case cTextScanning = "CTextScanning"
    case essentials = "Essentials"
    case libc = "Libc"
    case libcrypto = "Libcrypto"
    case libcurl = "Libcurl"
    case platform = "Platform"
    case wireFormats = "WireFormats"
    // Verdict
    case appReceipts = "AppReceipts"
    case cP256Vector = "CP256Vector"
    case certificateChain = "CertificateChain"
    case compactJWS = "CompactJWS"
    case p256Verification = "P256Verification"
    case signedPayloads = "SignedPayloads"
    // StoreKit
    case appStoreServerAPI = "AppStoreServerAPI"
    case appStoreTables = "AppStoreTables"
    case notificationInbox = "NotificationInbox"
    case purchaseDatabase = "PurchaseDatabase"
    case reconciliation = "Reconciliation"
    case requestSigning = "RequestSigning"
    case storeKitVerify = "StoreKitVerify"
    case storeKitVerifySQLite = "StoreKitVerifySQLite"
    // Output
    case inspectionReports = "InspectionReports"
    case payloadOutput = "PayloadOutput"
    case purchaseTimelines = "PurchaseTimelines"
    case svgDrawing = "SVGDrawing"
    // Doors
    case cAssets = "CAssets"
    case cStoreKitVerify = "CStoreKitVerify"
    case commandSupport = "CommandSupport"
    case httpConnections = "HTTPConnections"
    case storeKitVerifyC = "StoreKitVerifyC"
    case storekitVerify = "storekit-verify"
    case verificationService = "VerificationService"
    // TestStore
    case minting = "Minting"
    case seededRandom = "SeededRandom"
    case storeKitTestSession = "StoreKitTestSession"
    case storekitTest = "storekit-test"
    case testServerAPI = "TestServerAPI"
    case webhookDelivery = "WebhookDelivery"
    // Tests/Support
    case appStoreServerLibrary = "AppStoreServerLibrary"
    case applyLines = "apply-lines"
    case cAllocationCounter = "CAllocationCounter"
    case cLibFuzzer = "CLibFuzzer"
    case cTextScanningByWords = "CTextScanningByWords"
    case cVectorArithmetic = "CVectorArithmetic"
    case commandProcesses = "CommandProcesses"
    case databaseFolders = "DatabaseFolders"
    case documentationSamples = "DocumentationSamples"
    case echoServer = "echo-server"
    case ledgerLives = "LedgerLives"
    case ocspResponders = "OCSPResponders"
    case receiptOracle = "ReceiptOracle"
    case repositoryFiles = "RepositoryFiles"
    case storeKitFixtures = "StoreKitFixtures"
    case storeKitSamples = "StoreKitSamples"
    case testMinting = "TestMinting"
    // Tests/Modules
    case appReceiptsTests = "AppReceiptsTests"
    case appStoreServerAPITests = "AppStoreServerAPITests"
    case certificateChainTests = "CertificateChainTests"
    case commandLineTests = "CommandLineTests"
    case compactJWSTests = "CompactJWSTests"
    case databaseCommandTests = "DatabaseCommandTests"
    case httpConnectionsTests = "HTTPConnectionsTests"
    case libcryptoTests = "LibcryptoTests"
    case libcurlTests = "LibcurlTests"
    case p256VerificationTests = "P256VerificationTests"
    case payloadOutputTests = "PayloadOutputTests"
    case purchaseDatabaseTests = "PurchaseDatabaseTests"
    case purchaseTimelinesTests = "PurchaseTimelinesTests"
    case requestSigningTests = "RequestSigningTests"
    case revocationTests = "RevocationTests"
    case sanitizerTests = "SanitizerTests"
    case signedPayloadsTests = "SignedPayloadsTests"
    case storeKitTestSessionTests = "StoreKitTestSessionTests"
    case storeKitVerifyTests = "StoreKitVerifyTests"
    case verificationServiceTests = "VerificationServiceTests"
    case wireFormatsTests = "WireFormatsTests"
    // Tests/Vectors
    case mint
    case mintingTests = "MintingTests"
    case signedPayloadsVectorTests = "SignedPayloadsVectorTests"
    case testVectorMinting = "TestVectorMinting"
    // Tests/Fuzz
    case fuzz
    case fuzzTargets = "FuzzTargets"
    case fuzzTargetsTests = "FuzzTargetsTests"
}

/// The traits, all off by default.
enum Feature: String {
    case sqlite = "SQLite"
    case serverAPI = "ServerAPI"
    case testServer = "TestServer"
    case service = "Service"
}

// MARK: - Packages of others

/// A product of another package. Without a trait, only swift-argument-parser is fetched and built.
enum Library: String {
    case argumentParser = "ArgumentParser"
    case coreMetrics = "CoreMetrics"
    case grdb = "GRDB"
    case grdbSQLite = "GRDBSQLite"
    case httpTypes = "HTTPTypes"
    case hummingbird = "Hummingbird"
    case hummingbirdCore = "HummingbirdCore"
    case logging = "Logging"
    case metrics = "Metrics"
    case nioCore = "NIOCore"
    case nioEmbedded = "NIOEmbedded"
    case nioHTTP1 = "NIOHTTP1"
    case nioHTTPTypes = "NIOHTTPTypes"
    case nioHTTPTypesHTTP1 = "NIOHTTPTypesHTTP1"
    case nioPosix = "NIOPosix"
    case serviceLifecycle = "ServiceLifecycle"
    case unixSignals = "UnixSignals"

    /// The package that has the product, and the traits each of which brings it. Empty traits: always.
    var origin: (package: String, features: [Feature]) {
        switch self {
        case .argumentParser: ("swift-argument-parser", [])
        case .grdb, .grdbSQLite: ("GRDB.swift", [.sqlite])
        case .hummingbird, .hummingbirdCore: ("hummingbird", [.service, .testServer])
        case .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix: ("swift-nio", [.service, .testServer])
        case .nioHTTPTypes, .nioHTTPTypesHTTP1: ("swift-nio-extras", [.service, .testServer])
        case .logging: ("swift-log", [.service, .testServer])
        case .coreMetrics, .metrics: ("swift-metrics", [.service, .testServer])
        case .httpTypes: ("swift-http-types", [.service, .testServer])
        case .serviceLifecycle, .unixSignals: ("swift-service-lifecycle", [.service, .testServer])
        }
    }

    var dependency: Target.Dependency {
        let (package, features) = origin
        let traits = Set(features.map { $0.rawValue })
        return .product(
            name: rawValue, package: package, condition: traits.isEmpty ? nil : .when(traits: traits))
    }
}

let packages: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
]

// MARK: - From a row to a target

/// What the list below says of a module.
struct Row {
    enum Kind { case c, swift, command, test }

    let kind: Kind
    let module: Module
    var uses: [Module] = []
    var libraries: [Library] = []
    /// Modules that are used with a trait alone. Without it, they are not built for a product.
    var featured: KeyValuePairs<Feature, [Module]> = [:]
    var sets: Set<Variant> = []
    var exclude: [String] = []
    var settings = rules

    static func c(_ module: Module, uses: [Module] = []) -> Row { Row(kind: .c, module: module, uses: uses) }

    static func swift(
        _ module: Module, uses: [Module] = [], from libraries: [Library] = [],
        with featured: KeyValuePairs<Feature, [Module]> = [:], exclude: [String] = [],
        settings: [SwiftSetting] = rules
    ) -> Row {
        Row(
            kind: .swift, module: module, uses: uses, libraries: libraries, featured: featured,
            exclude: exclude,
            settings: settings)
    }

    /// What takes time is in the modules below a command, and commands have a lot of code that runs once: they are made small.
    static func command(
        _ module: Module, uses: [Module], from libraries: [Library] = [],
        with featured: KeyValuePairs<Feature, [Module]> = [:]
    ) -> Row {
        Row(
            kind: .command, module: module, uses: uses, libraries: libraries, featured: featured,
            settings: rules + small)
    }

    /// Every test may use keys and certificates, random numbers and the repository's files. Tests are not optimised, because
    /// they would take longer to compile than they take to run.
    static func test(
        _ module: Module, uses: [Module], from libraries: [Library] = [],
        with featured: KeyValuePairs<Feature, [Module]> = [:], in sets: Set<Variant> = []
    ) -> Row {
        let support: [Module] = [.minting, .repositoryFiles, .seededRandom, .testMinting]
        return Row(
            kind: .test, module: module, uses: uses + support, libraries: libraries, featured: featured,
            sets: sets, settings: rules + unoptimized)
    }

    /// The target, unless a set of tests was asked for that it is not in.
    func target(in folder: String) -> Target? {
        guard kind != .test || wanted.isSubset(of: sets) else { return nil }
        let dependencies =
            uses.map { Target.Dependency.byName(name: $0.rawValue) } + libraries.map { $0.dependency }
            + featured.flatMap { feature, modules in
                modules.map { .target(name: $0.rawValue, condition: .when(traits: [feature.rawValue])) }
            }
        let (name, path) = (module.rawValue, "\(folder)/\(module.rawValue)")
        switch kind {
        case .c: return .target(name: name, dependencies: dependencies, path: path)
        case .swift:
            let isUnoptimized =
                variants.contains(.unoptimized) && !["Sources/Bytes", "Sources/Verdict"].contains(folder)
            return .target(
                name: name, dependencies: dependencies, path: path, exclude: exclude,
                swiftSettings: settings + (isUnoptimized ? unoptimized : []))
        case .command:
            return .executableTarget(
                name: name, dependencies: dependencies, path: path, swiftSettings: settings)
        case .test:
            return .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
        }
    }
}

// MARK: - The modules

/// What uses verified payloads, and what is handed them by every door.
let verified: [Module] = [.essentials, .signedPayloads, .storeKitVerify, .wireFormats]

/// HTTP/1.1 as the service and the test store's server speak it.
let server: [Library] = [
    .hummingbird, .hummingbirdCore, .httpTypes, .logging, .serviceLifecycle, .unixSignals,
]

let bytes: [Row] = [
    .c(.cBuildFacts),
    .c(.cSHA256),
    .c(.cTextScanning),
    .swift(.essentials),
    .swift(.libc),
    .swift(.libcrypto, uses: [.cLibcrypto, .cSHA256, .libc]),
    .swift(.libcurl, uses: [.cLibcurl, .platform]),
    .swift(.platform, uses: [.cBuildFacts, .libc]),
    .swift(.wireFormats, uses: [.cTextScanning, .essentials, .libc]),
]

let verdict: [Row] = [
    .c(.cP256Vector),
    .swift(.appReceipts, uses: [.essentials, .wireFormats]),
    .swift(.certificateChain, uses: [.libc, .libcrypto, .platform, .wireFormats]),
    .swift(.compactJWS, uses: [.wireFormats]),
    .swift(.p256Verification, uses: [.cP256Vector]),
    .swift(
        .signedPayloads,
        uses: [
            .appReceipts, .certificateChain, .compactJWS, .essentials, .libcrypto, .p256Verification,
            .wireFormats,
        ]),
]

let storeKit: [Row] = [
    .swift(.appStoreServerAPI, uses: verified + [.appStoreTables, .libcurl, .requestSigning]),
    .swift(.appStoreTables),
    // The names of two products are modules that export PurchaseDatabase.
    .swift(.notificationInbox, uses: [.purchaseDatabase]),
    .swift(
        .purchaseDatabase, uses: verified + [.libcrypto, .libcurl, .platform], from: [.grdb, .grdbSQLite]),
    .swift(.reconciliation, uses: verified + [.appStoreServerAPI, .purchaseDatabase, .requestSigning]),
    .swift(.requestSigning, uses: [.essentials, .libcrypto, .platform, .wireFormats]),
    .swift(.storeKitVerify, uses: [.compactJWS, .essentials, .platform, .signedPayloads, .wireFormats]),
    .swift(.storeKitVerifySQLite, uses: [.purchaseDatabase]),
]

let output: [Row] = [
    .swift(.inspectionReports, uses: verified + [.appReceipts, .certificateChain]),
    .swift(.payloadOutput, uses: verified + [.appReceipts]),
    .swift(.purchaseTimelines, uses: [.essentials, .storeKitVerify, .svgDrawing, .wireFormats]),
    .swift(.svgDrawing, uses: [.wireFormats]),
]

let doors: [Row] = [
    .c(.cAssets),
    .c(.cStoreKitVerify),
    .swift(.commandSupport, uses: [.libcrypto, .platform, .wireFormats], from: [.argumentParser]),
    .swift(
        .httpConnections, uses: [.platform],
        from: [
            .hummingbirdCore, .httpTypes, .logging, .nioCore, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1,
        ]),
    .swift(
        .storeKitVerifyC,
        uses: verified + [
            .appReceipts, .cStoreKitVerify, .certificateChain, .inspectionReports, .libcrypto, .payloadOutput,
            .platform,
        ]),
    .swift(
        .verificationService,
        uses: verified + [
            .appReceipts, .appStoreServerAPI, .httpConnections, .inspectionReports, .libcrypto,
            .payloadOutput, .platform, .purchaseDatabase, .purchaseTimelines, .reconciliation,
            .requestSigning,
        ],
        from: server + [.coreMetrics, .metrics, .nioCore, .nioHTTP1, .nioPosix],
        with: [.service: [.cAssets]], exclude: ["Resources", "Page/Files"]),
    .command(
        .storekitVerify,
        uses: verified + [
            .commandSupport, .inspectionReports, .libcrypto, .payloadOutput, .platform, .purchaseTimelines,
            .requestSigning,
        ],
        from: [.argumentParser],
        with: [
            .sqlite: [.purchaseDatabase],
            .serverAPI: [.appStoreServerAPI, .reconciliation],
            .service: [.verificationService],
        ]),
]

let testStore: [Row] = [
    .swift(.minting, uses: [.cLibcrypto, .wireFormats]),
    .swift(.seededRandom),
    .swift(
        .storeKitTestSession,
        uses: verified + [
            .appStoreTables, .compactJWS, .libcrypto, .minting, .p256Verification, .seededRandom,
        ]),
    .swift(.webhookDelivery),
    .command(
        .storekitTest,
        uses: [
            .commandSupport, .platform, .seededRandom, .storeKitTestSession, .storeKitVerify,
            .webhookDelivery,
            .wireFormats,
        ],
        from: server + [.argumentParser, .nioCore], with: [.testServer: [.httpConnections, .testServerAPI]]),
    .swift(.testServerAPI, uses: verified + [.appStoreTables, .storeKitTestSession]),
]

let testSupport: [Row] = [
    .c(.cAllocationCounter),
    .c(.cTextScanningByWords),
    .c(.cVectorArithmetic, uses: [.cP256Vector]),
    .swift(.appStoreServerLibrary, uses: verified + [.appReceipts, .appStoreServerAPI, .requestSigning]),
    .swift(.commandProcesses, uses: [.repositoryFiles]),
    .swift(
        .databaseFolders, uses: verified + [.minting, .purchaseDatabase, .storeKitFixtures], from: [.grdb]),
    .swift(.documentationSamples, uses: [.signedPayloads, .storeKitVerify]),
    .swift(.ledgerLives, uses: [.repositoryFiles, .storeKitFixtures, .storeKitTestSession, .storeKitVerify]),
    .swift(.ocspResponders, uses: [.minting, .testMinting]),
    .swift(.receiptOracle, uses: [.cLibcrypto]),
    .swift(.repositoryFiles),
    .swift(.storeKitFixtures, uses: verified + [.minting, .seededRandom, .testMinting]),
    // Apple's samples are of Swift 5, and the rules must not refuse them.
    .swift(.storeKitSamples, uses: [.storeKitVerify], settings: [.swiftLanguageMode(.v5)]),
    .swift(.testMinting, uses: [.cLibcrypto, .minting]),
    .command(.applyLines, uses: verified + [.purchaseDatabase]),
    .command(.echoServer, uses: [], from: [.hummingbird, .logging]),
]

let moduleTests: [Row] = [
    .test(.appReceiptsTests, uses: [.appReceipts], in: [.memory]),
    .test(
        .appStoreServerAPITests,
        uses: verified + [
            .appStoreServerAPI, .appStoreServerLibrary, .appStoreTables, .purchaseDatabase, .reconciliation,
            .requestSigning, .storeKitTestSession, .testServerAPI,
        ],
        from: [.nioCore, .nioHTTP1, .nioPosix], in: [.database]),
    .test(
        .certificateChainTests, uses: [.certificateChain, .compactJWS, .essentials, .wireFormats],
        in: [.memory]),
    // They run both commands, which must be built.
    .test(.commandLineTests, uses: [.commandProcesses, .ocspResponders, .storekitTest, .storekitVerify]),
    .test(.compactJWSTests, uses: [.compactJWS, .wireFormats], in: [.memory]),
    .test(
        .databaseCommandTests,
        uses: [
            .commandProcesses, .ledgerLives, .storeKitFixtures, .storeKitTestSession, .storeKitVerify,
            .storekitVerify,
        ],
        in: [.database]),
    .test(
        .httpConnectionsTests, uses: [],
        from: [.httpTypes, .nioCore, .nioEmbedded, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1],
        with: [.testServer: [.httpConnections]], in: [.database]),
    .test(.libcryptoTests, uses: [.libcrypto, .wireFormats], in: [.memory]),
    .test(.libcurlTests, uses: [.libcurl, .ocspResponders], in: [.database]),
    .test(
        .p256VerificationTests, uses: [.cLibcrypto, .cVectorArithmetic, .p256Verification],
        in: [.arithmetic, .kernel, .memory]),
    .test(
        .payloadOutputTests,
        uses: verified + [.appReceipts, .cAllocationCounter, .payloadOutput, .storeKitFixtures]),
    .test(
        .purchaseDatabaseTests,
        uses: verified + [
            .applyLines, .databaseFolders, .notificationInbox, .purchaseDatabase, .storeKitFixtures,
            .storeKitVerifySQLite,
        ],
        from: [.grdb], in: [.database]),
    .test(
        .purchaseTimelinesTests,
        uses: verified + [.purchaseTimelines, .storeKitFixtures, .storeKitTestSession, .svgDrawing]),
    .test(
        .requestSigningTests,
        uses: verified + [.cLibcrypto, .requestSigning, .storeKitTestSession, .testServerAPI],
        in: [.database]),
    .test(
        .revocationTests, uses: [.certificateChain, .libcrypto, .ocspResponders, .signedPayloads],
        in: [.memory]),
    .test(
        .sanitizerTests, uses: [.cLibcrypto, .ocspResponders, .signedPayloads, .wireFormats],
        in: [.memory, .threads]),
    .test(
        .signedPayloadsTests,
        uses: [.cAllocationCounter, .compactJWS, .essentials, .receiptOracle, .signedPayloads, .wireFormats],
        in: [.kernel, .memory, .threads]),
    .test(
        .storeKitTestSessionTests,
        uses: verified + [.appStoreTables, .storeKitTestSession, .testServerAPI]),
    .test(
        .storeKitVerifyTests,
        uses: verified + [.cAllocationCounter, .documentationSamples, .storeKitFixtures, .storeKitSamples]),
    .test(
        .verificationServiceTests, uses: [.commandProcesses],
        from: [
            .grdb, .hummingbird, .httpTypes, .nioCore, .nioEmbedded, .nioHTTP1, .nioHTTPTypes,
            .nioHTTPTypesHTTP1, .nioPosix, .serviceLifecycle,
        ],
        with: [
            .service: verified + [
                .databaseFolders, .httpConnections, .ledgerLives, .payloadOutput, .purchaseDatabase,
                .purchaseTimelines, .requestSigning, .storeKitFixtures, .storeKitTestSession, .storekitVerify,
                .verificationService,
            ]
        ], in: [.database]),
    .test(
        .wireFormatsTests, uses: [.cTextScanning, .cTextScanningByWords, .wireFormats],
        in: [.memory]),
]

let vectors: [Row] = [
    .command(.mint, uses: [.minting, .testMinting, .testVectorMinting], from: [.argumentParser]),
    .test(.mintingTests, uses: [.receiptOracle, .testVectorMinting]),
    .test(
        .signedPayloadsVectorTests, uses: [.receiptOracle, .signedPayloads, .wireFormats],
        in: [.kernel, .memory]),
    .swift(.testVectorMinting, uses: [.minting, .testMinting], settings: rules + unoptimized),
]

let fuzzing: [Row] =
    [
        .swift(
            .fuzzTargets,
            uses: [
                .appReceipts, .cLibcrypto, .cStoreKitVerify, .certificateChain, .compactJWS, .essentials,
                .minting,
                .p256Verification, .receiptOracle, .seededRandom, .signedPayloads, .storeKitVerifyC,
                .testMinting, .wireFormats,
            ]),
        .test(
            .fuzzTargetsTests,
            uses: [.certificateChain, .compactJWS, .fuzzTargets, .signedPayloads, .wireFormats]),
    ]
    + (variants.contains(.fuzzing) ? [.command(.fuzz, uses: [.cLibFuzzer, .essentials, .fuzzTargets])] : [])

let folders: KeyValuePairs<String, [Row]> = [
    "Sources/Bytes": bytes, "Sources/Verdict": verdict, "Sources/StoreKit": storeKit,
    "Sources/Output": output,
    "Sources/Doors": doors, "Sources/TestStore": testStore, "Tests/Support": testSupport,
    "Tests/Modules": moduleTests, "Tests/Vectors": vectors, "Tests/Fuzz": fuzzing,
]

func library(_ module: Module) -> Product { .library(name: module.rawValue, targets: [module.rawValue]) }

let package = Package(
    name: "storekit-verify",
    platforms: [.macOS("26.0")],
    products: [
        library(.appStoreServerAPI),
        library(.notificationInbox),
        library(.p256Verification),
        library(.requestSigning),
        library(.signedPayloads),
        library(.storeKitTestSession),
        library(.storeKitVerify),
        library(.storeKitVerifySQLite),
        library(.testServerAPI),
        .library(name: "storekitverify", type: .dynamic, targets: [Module.storeKitVerifyC.rawValue]),
        .executable(name: "storekit-verify", targets: [Module.storekitVerify.rawValue]),
        .executable(name: "storekit-test", targets: [Module.storekitTest.rawValue]),
    ],
    traits: [
        .trait(name: "SQLite", description: "A store and inbox in a file. Needs libsqlite3-dev, libcurl."),
        .trait(name: "ServerAPI", description: "A client of the App Store Server API. Needs libcurl."),
        .trait(name: "TestServer", description: "storekit-test serve: the App Store Server API."),
        .trait(name: "Service", description: "All.", enabledTraits: ["SQLite", "ServerAPI", "TestServer"]),
    ],
    dependencies: packages,
    targets: [
        .systemLibrary(
            name: Module.cLibcrypto.rawValue, path: "Sources/Bytes/CLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: Module.cLibcurl.rawValue, path: "Sources/Bytes/CLibcurl"),
        .systemLibrary(name: Module.cLibFuzzer.rawValue, path: "Tests/Support/CLibFuzzer"),
    ] + folders.flatMap { folder, rows in rows.compactMap { $0.target(in: folder) } }
)
