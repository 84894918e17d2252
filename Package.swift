// swift-tools-version: 6.2
import PackageDescription

// The floor plan. A target's floor is one more than the highest floor it imports; imports go down only.
// `Tests/RepositoryTests/FloorPlanTests.swift` checks this file and every import line against it.
//
//  10  tripkpi                              the command line, built without a web server
//   9  Backups                              a site as one checked file, and back
//   8  Nightly                              changes the store: load, publish, quarantine, keys; checks of a site
//   7  Releases                             what the store publishes: released months, revisions, sets, store reports
//   6  Scans                                what exports say, without a store: tables, costs, rows, explanations
//   5  Settings Workbooks                   flags, environment and files    figures -> XLSX
//   4  Intake   Reports                     records -> trips        figures -> terminal, CSV, JSON
//      tripkpi-serve                        the second program: listens, linked with no store, no key, no reader of exports
//   3  Profiles Deidentification            what a source means     rows that may be published
//      Store    Serving                     trips at rest          published sets over HTTP, for tripkpi-serve
//      Versions                             the newest record of each trip within a run
//   2  Rules    Privacy                     in-house or contracted  what may be published
//      Queries  Samples                     SQL, read-only          synthetic exports
//      Keys                                 pseudonyms, the crosswalk and their keys
//      Operations                           journal, audit log, metrics, signals, run lock
//      OutputScan                           what no output may contain
//      Publishing Dashboard                 sets of published files the summary as a page
//      Spreadsheets TripPages               laid-out sheets -> XLSX rows -> trips.sqlite, read page by page
//   1  KPIs Costs                           tallies                 what finance asks
//      Events                               counts of what happened beside the trips
//      KPIClient                            reads the API: for the app
//      Encoding                             CSV, gzip, hexadecimal digits, SHA-256
//      Files                                atomic files, locks, owners and modes
//      StrictYAML                           YAML with places
//      DisclosureAudit                      recomputes a release from its groups
//      ExportBytes                          bytes -> records
//   0  Trips KPIContract                    the vocabulary          the wire format, with its JSON
//      ProcessControl                       XmR charts
//      CByteScan CFastInflate               C: structural scan, ISA-L where it is installed
//      CZlib CXLSXWriter                    system libraries
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: house)
}

/// - Parameter isOptimized: no for large targets that call the program or a use case and compute little themselves: the
///   optimiser takes longer over them than they run.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], isOptimized: Bool = true
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", exclude: exclude,
        swiftSettings: house + (isOptimized ? [] : [.unsafeFlags(["-Onone"])]))
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
        library("Trips"),
        library("KPIContract"),
        library("ProcessControl"),
        .target(name: "CByteScan", cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "CFastInflate"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        // 1
        library("KPIClient", ["KPIContract", crypto]),
        library("Encoding", ["CZlib", crypto]),
        library("Files", ["Trips"]),
        library("StrictYAML", ["Trips", yams]),
        library("KPIs", ["Trips", "KPIContract"]),
        library("Costs", ["Trips"]),
        library("Events", ["Trips"]),
        library("DisclosureAudit", ["KPIContract"]),
        library("ExportBytes", ["Trips", "CByteScan", "CFastInflate", "CZlib"]),
        // 2
        library("Rules", ["Trips", "StrictYAML", "Encoding"]),
        library("Samples", ["Trips", "Encoding"]),
        library("Keys", ["Trips", "Encoding", "Files", crypto]),
        library("OutputScan", ["Trips", "Encoding"]),
        library("Queries", ["Trips", "StrictYAML", "Files", sqlite]),
        library("Operations", ["Trips", "KPIContract", "Encoding", "Files", logging]),
        library("Privacy", ["Trips", "KPIs", "KPIContract", "Events"]),
        library("Publishing", ["Trips", "KPIContract", "Encoding", "Files"]),
        library(
            "Dashboard", ["KPIContract", "Trips", "Encoding", mustache],
            resources: [
                .embedInCode("Page/page.mustache"), .embedInCode("Page/style.css"), .embedInCode("Page/figures.js"),
                .embedInCode("Page/cards.js"), .embedInCode("Page/charts.js"), .embedInCode("Page/bars.js"),
                .embedInCode("Page/explanation.js"), .embedInCode("Page/tables.js"), .embedInCode("Page/page.js"),
                .embedInCode("Page/trips.mustache"), .embedInCode("Page/trips.css"), .embedInCode("Page/trips.js"),
            ]),
        library("TripPages", ["KPIContract", grdb]),
        library("Spreadsheets", ["Trips", "Encoding", "Files", "CXLSXWriter"]),
        // 3
        library("Profiles", ["Trips", "StrictYAML", "Rules", "Events"]),
        library("Deidentification", ["Trips", "StrictYAML", "Rules"]),
        library("Store", ["Trips", "KPIs", "Costs", "Events", "Encoding", "Files", "Keys", "Queries", grdb, sqlite]),
        library(
            "Serving",
            [
                "Trips", "KPIContract", "Publishing", "TripPages", "Dashboard", "Encoding", "Operations", logging,
                hummingbird, hummingbirdCore, hummingbirdTLS, jwtKit, lifecycle, unixSignals, nioCore, nioPosix, nioSSL,
                nioHTTP, httpTypes,
            ]),
        library("Versions", ["Trips", "ExportBytes", "Files", "Keys"]),
        // 4
        library(
            "Intake",
            [
                "Trips", "Rules", "Encoding", "Files", "Keys", "OutputScan", "Profiles", "ExportBytes", "Events",
                "Versions",
            ]),
        library(
            "Reports",
            [
                "Trips", "KPIs", "Privacy", "Deidentification", "KPIContract", "ProcessControl", "Encoding", "Files",
            ]),
        .executableTarget(
            name: "tripkpi-serve", dependencies: ["Trips", "Files", "Operations", "Serving", argumentParser],
            swiftSettings: house),
        // 5
        library(
            "Workbooks",
            [
                "Trips", "KPIs", "Costs", "Privacy", "KPIContract", "Files", "Reports", "Spreadsheets",
            ]),
        library(
            "Settings",
            [
                "Trips", "KPIContract", "StrictYAML", "Rules", "Encoding", "Files", "Keys", "Operations", "Profiles",
                "Privacy",
                "Deidentification",
            ]),
        // 6
        library(
            "Scans",
            [
                "Trips", "KPIContract", "StrictYAML", "Rules", "KPIs", "Costs", "Events", "Samples", "Encoding",
                "Files", "Keys",
                "Operations", "OutputScan", "Profiles", "Privacy", "Deidentification", "DisclosureAudit", "Dashboard",
                "Publishing", "ExportBytes", "Versions", "Intake", "Reports", "TripPages", "Workbooks", "Settings",
            ]),
        // 7
        library(
            "Releases",
            [
                "Trips", "KPIContract", "StrictYAML", "Rules", "KPIs", "Costs", "Events", "Encoding", "Files", "Keys",
                "Queries",
                "Operations", "OutputScan", "Profiles", "Privacy", "Store", "Publishing", "Dashboard", "ExportBytes",
                "Reports", "TripPages", "Workbooks", "Settings", "Scans",
            ]),
        // 8
        library(
            "Nightly",
            [
                "Trips", "KPIContract", "StrictYAML", "Rules", "KPIs", "Costs", "Events", "Samples", "Encoding",
                "Files", "Keys",
                "Queries", "Operations", "OutputScan", "Profiles", "Privacy", "Deidentification", "Store",
                "Publishing", "Dashboard", "ExportBytes", "Intake", "Reports", "Spreadsheets", "Workbooks", "Settings",
                "Scans", "Releases", "TripPages",
            ]),
        library(
            "Digest",
            ["Trips", "KPIContract", "Files", "Operations", "Privacy", "Publishing", "Releases"]),
        // 9
        library(
            "Backups",
            [
                "Trips", "KPIContract", "Rules", "Encoding", "Files", "Keys", "Operations", "Profiles", "Privacy",
                "Store",
                "Publishing", "Settings", "Scans", "Releases", "Nightly",
            ]),
        // 10
        .executableTarget(
            name: "tripkpi",
            dependencies: [
                "Trips", "Encoding", "Files", "Operations", "Privacy", "ExportBytes", "Reports", "Settings", "Scans",
                "Releases", "Nightly", "Digest", "Backups", argumentParser,
            ],
            swiftSettings: house),

        // The example of docs/api.md; a test runs it.
        .executableTarget(
            name: "kpi-example", dependencies: ["KPIClient", "KPIContract", crypto], path: "docs/example-client",
            swiftSettings: house),

        .target(name: "TestSupport", dependencies: ["Trips", "KPIs"], path: "Tests/TestSupport", swiftSettings: house),
        .target(name: "AppTypes", path: "Tests/AppTypes", swiftSettings: house),
        tests("TestSupportTests", []),
        tests(
            "BackupsTests",
            [
                "Backups", "Nightly", "Releases", "Store", "Publishing", "Operations", "Keys", "Settings", "Rules",
                "Files", "Trips", "KPIContract", "Encoding", "Privacy",
            ], isOptimized: false),
        tests("RepositoryTests", ["Trips"]),
        tests(
            "UseCaseTests",
            [
                "Settings", "Scans", "Releases", "Nightly", "Rules", "Trips", "StrictYAML", "KPIs", "KPIContract",
                "Samples", "Encoding", "Files", "Keys",
                "Operations", "Queries", "Profiles", "Privacy", "Deidentification", "Store", "Publishing", "Dashboard",
                "ExportBytes", "Intake", "Reports", "Workbooks", "OutputScan", "Costs",
            ], isOptimized: false),
        tests(
            "CommandTests",
            ["tripkpi-serve", "kpi-example", "KPIContract", "KPIClient", "AppTypes", crypto, grdb],
            isOptimized: false),
        tests("TripsTests", ["Trips"]),
        tests("KPIsTests", ["KPIs", "Trips"]),
        tests("CostsTests", ["Costs", "Trips"]),
        tests("ProcessControlTests", ["ProcessControl"]),
        tests("KPIContractTests", ["KPIContract", "AppTypes"], exclude: ["Frozen"]),
        tests("StrictYAMLTests", ["StrictYAML"]),
        tests("ProfilesTests", ["Trips", "StrictYAML", "Rules", "Profiles"]),
        tests("RulesTests", ["Rules", "StrictYAML", "Trips"]),
        tests("EventsTests", ["Trips", "KPIContract", "StrictYAML", "Events", "Privacy", "Profiles", "Intake"]),
        tests("PrivacyTests", ["Trips", "KPIs", "KPIContract", "Privacy"]),
        tests("DeidentificationTests", ["Trips", "StrictYAML", "Rules", "Deidentification"]),
        tests("EncodingTests", ["Encoding"]),
        tests("FilesTests", ["Files", "Trips"]),
        tests("KeysTests", ["Keys", "Files", "Trips"]),
        tests("OutputScanTests", ["OutputScan", "Trips", "Encoding"]),
        tests("DisclosureAuditTests", ["DisclosureAudit", "KPIContract"]),
        tests("StoreTests", ["Store", "Trips", "KPIs", "Costs", "Keys", "Events", grdb]),
        tests("PublishingTests", ["Publishing", "KPIContract", "Files", "Trips"], exclude: ["Snapshots"]),
        tests("KPIClientTests", ["KPIClient", "KPIContract", crypto]),
        tests("ServingTests", ["Serving", "Operations", lifecycle, logging]),
        tests("TripPagesTests", ["TripPages", "KPIContract"]),
        tests("DashboardTests", ["Dashboard", "KPIContract", "Encoding"], exclude: ["Snapshots"]),
        tests("QueriesTests", ["Queries", "StrictYAML", "Trips", "KPIs", "Files", grdb]),
        tests("OperationsTests", ["Operations", "Files", "Trips"], exclude: ["Snapshots"]),
        tests("ExportBytesTests", ["ExportBytes", "Trips", "Encoding"]),
        tests("IntakeTests", ["ExportBytes", "Intake", "Trips", "Profiles", "Encoding", "Keys"]),
        tests("SamplesTests", ["Trips", "Samples"]),
        tests(
            "ReportsTests",
            [
                "Trips", "KPIs", "Privacy", "Rules", "Deidentification", "KPIContract", "Files", "Reports", "Workbooks",
                "Costs",
            ],
            exclude: ["Snapshots"], isOptimized: false),
    ]
)
