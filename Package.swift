// swift-tools-version: 6.2
import PackageDescription

// The floor plan. A target's floor is one more than the highest floor it imports; imports go down only.
// `Tests/RepositoryTests/FloorPlanTests.swift` holds this file and every import line to it.
//
//   5  tripkpi                              words on a command line become a plan
//   4  Pipeline                             the only place where the stages meet
//   3  Intake   Reports                     bytes -> trips          numbers -> files
//   2  Profiles Classification Privacy      what a source means     which trips are ours     what may be shown
//      Store    Publishing Audit            trips at rest           sets that readers can trust, who did what
//      Deidentification                     rows that may leave
//      Crosswalk                            identifiers, encrypted, where they are kept at all
//      Dashboard                            the summary as a page that needs nothing else
//   1  Conditions KPIs Samples              tests on values         tallies                  synthetic exports
//      Costs                                what finance asks
//      Hashing  Queries  Operations         keys and digests        SQL, read-only           lock, log, metrics, signals
//      OutputScan                           what no output may hold
//      DisclosureAudit                      recomputes a release from its groups
//   0  Trips KPIContract StrictYAML         the vocabulary          the wire format          YAML with places
//      CByteScan CZlib CXLSXWriter          C: structural scan      system libraries
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", exclude: exclude,
        swiftSettings: house)
}

let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "tripkpi",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        .executable(name: "tripkpi", targets: ["tripkpi"]),
        .library(name: "KPIContract", targets: ["KPIContract"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // 0
        library("Trips"),
        library("KPIContract"),
        library("StrictYAML", [yams]),
        .target(name: "CByteScan", cSettings: [.unsafeFlags(["-O3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        // 1
        library("Conditions", ["Trips", "StrictYAML"]),
        library("KPIs", ["Trips"]),
        library("Costs", ["Trips"]),
        library("Samples", ["Trips", "CZlib"]),
        library("Hashing", ["Trips", crypto]),
        library("OutputScan", ["Trips", "CZlib"]),
        library("Queries", ["StrictYAML", sqlite]),
        library("Operations", ["Trips", logging]),
        library("DisclosureAudit", ["KPIContract"]),
        // 2
        library("Profiles", ["Trips", "StrictYAML", "Conditions"]),
        library("Classification", ["Trips", "StrictYAML", "Conditions", "Hashing"]),
        library("Privacy", ["Trips", "KPIs"]),
        library("Deidentification", ["Trips", "StrictYAML", "Conditions"]),
        library("Store", ["Trips", "KPIs", "Hashing", "Queries", grdb, sqlite]),
        library("Publishing", ["KPIContract", "Hashing"]),
        library("Audit", ["KPIContract", "Hashing"]),
        library("Crosswalk", ["Trips", "Hashing"]),
        library(
            "Dashboard", ["KPIContract", "Hashing", mustache],
            resources: [
                .embedInCode("Page/page.mustache"), .embedInCode("Page/chart.mustache"),
                .embedInCode("Page/style.css"), .embedInCode("Page/figures.js"), .embedInCode("Page/charts.js"),
                .embedInCode("Page/explanation.js"), .embedInCode("Page/page.js"),
            ]),
        // 3
        library("Intake", ["Trips", "Conditions", "Hashing", "OutputScan", "Profiles", "CByteScan", "CZlib"]),
        library("Reports", ["Trips", "KPIs", "Costs", "Privacy", "Deidentification", "KPIContract", "CXLSXWriter"]),
        // 4
        library(
            "Pipeline",
            [
                "Trips", "KPIContract", "StrictYAML", "Conditions", "KPIs", "Costs", "Samples", "Hashing", "Queries",
                "Operations", "OutputScan", "Profiles", "Classification", "Privacy", "Deidentification", "Store",
                "Publishing", "Audit", "DisclosureAudit", "Crosswalk", "Dashboard", "Intake", "Reports",
            ]),
        // 5
        .executableTarget(
            name: "tripkpi", dependencies: ["Trips", "Operations", "Pipeline", "Privacy", argumentParser],
            swiftSettings: house),

        .target(name: "TestSupport", dependencies: ["Trips", "KPIs"], path: "Tests/TestSupport", swiftSettings: house),
        tests("TestSupportTests", []),
        tests("RepositoryTests", ["Trips"]),
        tests(
            "PipelineTests",
            [
                "Pipeline", "Trips", "StrictYAML", "KPIs", "KPIContract", "Samples", "Hashing", "Operations", "Queries",
                "Profiles", "Classification", "Privacy", "Store", "Publishing", "Crosswalk", "Dashboard", "Intake",
                "Reports", "OutputScan", "Audit",
            ]),
        tests("CommandTests", [grdb]),
        tests("TripsTests", ["Trips"]),
        tests("KPIsTests", ["KPIs", "Trips"]),
        tests("CostsTests", ["Costs", "Trips"]),
        tests("KPIContractTests", ["KPIContract"], exclude: ["Frozen"]),
        tests("StrictYAMLTests", ["StrictYAML"]),
        tests("ConditionsTests", ["Conditions", "StrictYAML", "Trips"]),
        tests("ProfilesTests", ["Trips", "StrictYAML", "Conditions", "Profiles"]),
        tests("ClassificationTests", ["Classification", "Conditions", "StrictYAML", "Trips"]),
        tests("PrivacyTests", ["Trips", "KPIs", "Privacy"]),
        tests("DeidentificationTests", ["Trips", "StrictYAML", "Conditions", "Deidentification"]),
        tests("HashingTests", ["Hashing", "Trips"]),
        tests("OutputScanTests", ["OutputScan", "Trips", "Samples"]),
        tests("AuditTests", ["Audit", "Hashing"]),
        tests("DisclosureAuditTests", ["DisclosureAudit", "KPIContract"]),
        tests("StoreTests", ["Store", "Trips", "KPIs", "Hashing"]),
        tests("PublishingTests", ["Publishing", "KPIContract", "Hashing"], exclude: ["Snapshots"]),
        tests("CrosswalkTests", ["Crosswalk", "Hashing", "Trips"]),
        tests("DashboardTests", ["Dashboard", "KPIContract", "Hashing"], exclude: ["Snapshots"]),
        tests("QueriesTests", ["Queries", "StrictYAML", "Trips", "KPIs", grdb]),
        tests("OperationsTests", ["Operations", "Trips"], exclude: ["Snapshots"]),
        tests("IntakeTests", ["Intake", "Trips", "Profiles", "CByteScan", "Hashing"]),
        tests("SamplesTests", ["Trips", "Samples"]),
        tests(
            "ReportsTests",
            ["Trips", "KPIs", "Privacy", "Conditions", "Deidentification", "KPIContract", "Reports"],
            exclude: ["Snapshots"]),
    ]
)
