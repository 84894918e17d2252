// swift-tools-version: 6.2
import PackageDescription

// The layers. A target's layer is one more than the highest layer it imports; imports go down only (decision 0034).
// `Tests/RepositoryTests/TargetGraphTests.swift` checks this file and every import line against it.
//
//  10  tripkpi                              the command line, built without a web server
//   9  Cluster                              facts, tallies and their merge: for other machines
//   8  UseCases                             a folder for each verb: scan, load, publish, verify, back up, …
//   7  Reporting                            figures and rows of any source, released, audited, as bytes
//   6  Workbooks                            figures -> XLSX
//   5  Intake     Reports                   records -> trips        figures -> terminal, CSV, JSON
//      Settings                             flags, environment and files
//      tripkpi-serve                        the second program: listens, linked with no store, no key, no reader of exports
//   4  Privacy    Profiles                  what may be published   what a source's columns mean
//      Store      Serving                   trips at rest          published sets over HTTP, for tripkpi-serve
//   3  Rules      Queries                   in-house or contracted  SQL, read-only
//      Keys                                 pseudonyms, the crosswalk and their keys
//      Operations                           journal, audit log, metrics, signals, run lock
//      OutputScan                           what no output may contain
//      Publishing Dashboard                 sets of published files the summary as a page
//   2  KPIs                                 tallies of trips, costs and events
//      KPIClient                            reads the API: for the app
//      Files                                atomic files, locks, owners and modes; digits, gzip, SHA-256, CSV text
//      StrictYAML                           YAML with places
//      DisclosureAudit                      recomputes a release from its groups
//      ExportBytes                          bytes -> records
//   1  Trips      KPIContract               the vocabulary          the wire format, with its JSON and control charts
//   0  Basics                               month, day, time, rounding, the name of a sum, the threshold
//      CByteScan CFastInflate               C: structural scan, ISA-L where it is installed
//      CZlib CXLSXWriter                    system libraries
let language: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: language)
}

/// - Parameter isOptimized: no for large targets that call the program or a use case and compute little themselves: the
///   optimiser takes longer over them than they run.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], isOptimized: Bool = true
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", exclude: exclude,
        swiftSettings: language + (isOptimized ? [] : [.unsafeFlags(["-Onone"])]))
}

let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "tripkpi",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "tripkpi", targets: ["tripkpi"]),
        .executable(name: "tripkpi-serve", targets: ["tripkpi-serve"]),
        .library(name: "KPIContract", targets: ["KPIContract"]),
        .library(name: "KPIClient", targets: ["KPIClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // 0
        .target(name: "CByteScan", cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "CFastInflate"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        library("Basics"),
        // 1
        library("KPIContract", ["Basics"]),
        library("Trips", ["Basics"]),
        // 2
        library("DisclosureAudit", ["Basics", "KPIContract"]),
        library("ExportBytes", ["Basics", "Trips", "CByteScan", "CFastInflate", "CZlib"]),
        library("Files", ["Trips", "CZlib", crypto]),
        library("KPIClient", ["KPIContract", crypto]),
        library("KPIs", ["Basics", "KPIContract", "Trips"]),
        library("StrictYAML", ["Trips", yams]),
        // 3
        library(
            "Dashboard", ["Basics", "KPIContract", "Files", mustache],
            resources: [
                .embedInCode("Page/page.mustache"), .embedInCode("Page/style.css"), .embedInCode("Page/figures.js"),
                .embedInCode("Page/cards.js"), .embedInCode("Page/charts.js"), .embedInCode("Page/bars.js"),
                .embedInCode("Page/explanation.js"), .embedInCode("Page/tables.js"), .embedInCode("Page/page.js"),
                .embedInCode("Page/trips.mustache"), .embedInCode("Page/trips.css"), .embedInCode("Page/trips.js"),
            ]),
        library("Keys", ["Trips", "Files", crypto]),
        library("Operations", ["Basics", "KPIContract", "Trips", "Files", logging]),
        library("OutputScan", ["Basics", "Trips", "Files"]),
        library("Publishing", ["Basics", "KPIContract", "Trips", "Files", grdb]),
        library("Queries", ["Basics", "Trips", "Files", "StrictYAML", sqlite]),
        library("Rules", ["Basics", "Trips", "Files", "StrictYAML"]),
        // 4
        library("Privacy", ["Basics", "KPIContract", "Trips", "KPIs", "StrictYAML", "Rules"]),
        library("Profiles", ["Basics", "Trips", "KPIs", "StrictYAML", "Rules"]),
        library(
            "Serving",
            [
                "Basics", "KPIContract", "Trips", "Files", "Operations", "Publishing", httpTypes, hummingbird,
                hummingbirdCore, hummingbirdTLS, jwtKit, lifecycle, logging, nioCore, nioHTTP, nioPosix,
                nioSSL, unixSignals,
            ]),
        library("Store", ["Basics", "Trips", "Files", "KPIs", "Keys", "Queries", grdb, sqlite]),
        // 5
        library(
            "Intake",
            [
                "Basics", "Trips", "ExportBytes", "Files", "KPIs", "Keys", "OutputScan", "Rules", "Profiles",
            ]),
        library("Reports", ["Basics", "KPIContract", "Trips", "Files", "KPIs", "Privacy"]),
        library(
            "Settings",
            [
                "Basics", "KPIContract", "Trips", "Files", "StrictYAML", "Keys", "Operations", "Rules", "Privacy",
                "Profiles",
            ]),
        .executableTarget(
            name: "tripkpi-serve",
            dependencies: [
                "Basics", "Trips", "Files", "Operations", "Serving", argumentParser,
            ],
            swiftSettings: language),
        // 6
        library("Workbooks", ["Basics", "KPIContract", "Trips", "Files", "KPIs", "Reports", "CXLSXWriter"]),
        // 7
        library(
            "Reporting",
            [
                "Basics", "KPIContract", "Trips", "DisclosureAudit", "ExportBytes", "Files", "KPIs", "Dashboard",
                "Operations", "OutputScan", "Publishing", "Rules", "Privacy", "Profiles", "Intake", "Reports",
                "Settings", "Workbooks",
            ]),
        // 8
        library(
            "UseCases",
            [
                "Basics", "KPIContract", "Trips", "ExportBytes", "Files", "KPIs", "StrictYAML", "Dashboard", "Keys",
                "Operations", "OutputScan", "Publishing", "Queries", "Rules", "Privacy", "Profiles", "Store",
                "Intake", "Reports", "Settings", "Workbooks", "Reporting",
            ]),
        // 9
        library(
            "Cluster",
            [
                "Basics", "KPIContract", "Trips", "ExportBytes", "Files", "KPIs", "Keys", "Operations", "Publishing",
                "Rules", "Privacy", "Profiles", "Store", "Intake", "Settings", "Reporting", "UseCases",
            ]),
        // 10
        .executableTarget(
            name: "tripkpi",
            dependencies: [
                "Basics", "Trips", "ExportBytes", "Files", "Operations", "Privacy", "Reports", "Settings", "Reporting",
                "UseCases", "Cluster", argumentParser,
            ],
            swiftSettings: language),

        // The example of docs/api.md; a test runs it.
        .executableTarget(
            name: "kpi-example", dependencies: ["KPIClient", "KPIContract", crypto], path: "docs/example-client",
            swiftSettings: language),

        .target(
            name: "TestSupport", dependencies: ["KPIContract", "Trips", "KPIs"], path: "Tests/TestSupport",
            swiftSettings: language),
        .target(name: "AppTypes", path: "Tests/AppTypes", swiftSettings: language),
        tests(
            "CommandTests",
            [
                "KPIContract", "KPIClient", "Operations", "AppTypes", "tripkpi-serve", "kpi-example", crypto, grdb,
            ], isOptimized: false),
        tests("DashboardTests", ["Basics", "KPIContract", "Files", "Dashboard"], exclude: ["Snapshots"]),
        tests("DisclosureAuditTests", ["Basics", "KPIContract", "DisclosureAudit"]),
        tests("ExportBytesTests", ["Trips", "ExportBytes", "Files"]),
        tests("FilesTests", ["Trips", "Files"]),
        tests("IntakeTests", ["Basics", "Trips", "ExportBytes", "Files", "Keys", "Profiles", "Intake"]),
        tests("KPIClientTests", ["KPIContract", "KPIClient", crypto]),
        tests("KPIContractTests", ["KPIContract", "AppTypes"], exclude: ["Frozen"]),
        tests("KPIsTests", ["Basics", "KPIContract", "Trips", "KPIs"]),
        tests("KeysTests", ["Trips", "Files", "Keys"]),
        tests("OperationsTests", ["Basics", "Trips", "Files", "Operations"], exclude: ["Snapshots"]),
        tests("OutputScanTests", ["Basics", "Trips", "Files", "OutputScan"]),
        tests("PrivacyTests", ["Basics", "KPIContract", "Trips", "KPIs", "Rules", "Privacy"]),
        tests("ProfilesTests", ["Basics", "Trips", "StrictYAML", "Rules", "Profiles"]),
        tests("PublishingTests", ["Basics", "KPIContract", "Trips", "Files", "Publishing"], exclude: ["Snapshots"]),
        tests("QueriesTests", ["Basics", "KPIContract", "Trips", "Files", "KPIs", "StrictYAML", "Queries", grdb]),
        tests(
            "ReportsTests",
            [
                "Basics", "KPIContract", "Trips", "Files", "KPIs", "Rules", "Privacy", "Reports", "Workbooks",
            ], exclude: ["Snapshots"], isOptimized: false),
        tests("RepositoryTests", ["Trips"]),
        tests("RulesTests", ["Basics", "Trips", "StrictYAML", "Rules"]),
        tests("ServingTests", ["Operations", "Serving", lifecycle, logging]),
        tests("StoreTests", ["Basics", "Trips", "KPIs", "Keys", "Store", grdb]),
        tests("StrictYAMLTests", ["StrictYAML"]),
        tests("TestSupportTests", []),
        tests("TripsTests", ["Basics", "Trips"]),
        tests(
            "UseCaseTests",
            [
                "Basics", "KPIContract", "Trips", "ExportBytes", "Files", "KPIs", "StrictYAML", "Dashboard", "Keys",
                "Operations", "OutputScan", "Publishing", "Queries", "Rules", "Privacy", "Profiles", "Store",
                "Intake", "Reports", "Settings", "Reporting", "UseCases", "Cluster",
            ], isOptimized: false),
    ]
)
