import TestSupport
import Testing

/// Checks every import line of `Sources` against `Package.swift`, and `Package.swift` against its own layers.
@Suite struct TargetGraphTests {
    private let graph: TargetGraph

    /// The system's own modules; they are in no layer.
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Darwin", "Dispatch",
        "Synchronization", "Swift",
    ]

    /// Who may import what keeps a dependency or reaches C: one target each, so that it can be replaced in one place.
    private static let importers: [String: Set<String>] = [
        "Yams": ["StrictYAML"], "Crypto": ["Files", "Keys", "KPIClient"],
        "ArgumentParser": ["tripkpi", "tripkpi-serve"],
        "Logging": ["Operations", "Serving"], "Hummingbird": ["Serving"], "JWTKit": ["Serving"],
        "GRDB": ["Store", "Queries", "Publishing"], "GRDBSQLite": ["Store", "Queries"],
        "CZlib": ["ExportBytes", "Files"], "CXLSXWriter": ["Workbooks"], "CByteScan": ["ExportBytes"],
        "CFastInflate": ["ExportBytes"],
        "Mustache": ["Dashboard"], "NIOCore": ["Serving"], "NIOSSL": ["Serving"],
        "ServiceLifecycle": ["Serving"],
    ]

    init() throws {
        graph = TargetGraph(manifest: try Repository.text("Package.swift"))
    }

    @Test func theManifestIsRead() {
        #expect(graph.targets["Basics"]?.dependencies == [])
        #expect(graph.targets["tripkpi"]?.layer == graph.targets.values.map(\.layer).max())
        #expect(graph.importable(by: "tripkpi").contains("ArgumentParser"))
        #expect(graph.importable(by: "UseCases").contains("Store"))
        #expect(graph.targets["CZlib"]?.dependencies == [])
        #expect(graph.targets.count >= 15)
    }

    @Test func dependenciesGoDownOnly() {
        for target in graph.targets.values {
            for dependency in target.dependencies where TargetGraph.outsideModules[dependency] == nil {
                let below = graph.targets[dependency]?.layer
                #expect(below != nil, "\(target.name) depends on \(dependency), which Package.swift does not declare")
                #expect(
                    (below ?? 0) < target.layer, "\(target.name) may not depend on \(dependency): imports go down only")
            }
        }
    }

    @Test func everyImportIsDeclared() throws {
        for line in try importLines() where !Self.system.contains(line.module) && line.module != line.target {
            #expect(
                graph.importable(by: line.target).contains(line.module),
                "\(line.file) imports \(line.module), which Package.swift does not give \(line.target)")
        }
    }

    @Test func everythingDeclaredIsImported() throws {
        var imported: [String: Set<String>] = [:]
        for line in try importLines() { imported[line.target, default: []].insert(line.module) }
        // Parts of packages whose types come through another part, or that only need to be linked.
        let unnamed: Set = [
            "HummingbirdCore", "HummingbirdTLS", "NIOPosix", "HTTPTypes", "NIOHTTPTypes", "UnixSignals",
        ]
        for target in graph.targets.values
        where Repository.has("Sources/\(target.name)") && !target.dependencies.isEmpty {
            let unused = graph.importable(by: target.name).subtracting(imported[target.name] ?? []).subtracting(unnamed)
            #expect(unused.isEmpty, "Package.swift gives \(target.name) what it does not import: \(unused.sorted())")
        }
    }

    /// A test target that does not declare a module may be left as it is when the module changes, and crash.
    @Test func testTargetsDeclareWhatTheyImport() throws {
        let manifest = try Repository.text("Package.swift")
        let declared = manifest.matches(of: /tests\(\s*"(\w+)",\s*\[([^\]]*)\]/)
        #expect(declared.count > 20)
        for match in declared {
            let own = Set(match.output.2.matches(of: /\w+/).map { String($0.output) })
            for file in Repository.files(under: "Tests/\(match.output.1)", withExtension: "swift") {
                for line in try Repository.text(file).split(separator: "\n") where line.hasPrefix("import ") {
                    let module = String(line.dropFirst("import ".count))
                    #expect(
                        graph.targets[module] == nil || own.contains(module),
                        "\(file) imports \(module), which Package.swift does not give \(match.output.1)")
                }
            }
        }
    }

    @Test func outsideModulesHaveOneImporter() throws {
        for line in try importLines() {
            guard let importers = Self.importers[line.module] else { continue }
            #expect(
                importers.contains(line.target), "\(line.file) imports \(line.module); only \(importers.sorted()) may")
        }
    }

    /// A change of the server does not build the figures again, and who breaks into the server finds no store and no key in it.
    @Test func theTwoProgramsShareNeitherWebServerNorStore() {
        let figures = graph.reached(by: "tripkpi"), server = graph.reached(by: "tripkpi-serve")
        let web = graph.importable(by: "Serving").subtracting(graph.targets.keys).subtracting(["Logging"])
        #expect(web.isSuperset(of: ["Hummingbird", "NIOCore", "NIOSSL", "JWTKit", "ServiceLifecycle"]))
        #expect(figures.isDisjoint(with: web.union(["Serving"])), "\(figures.intersection(web))")
        let closed: Set = [
            "Store", "Keys", "ExportBytes", "Intake", "Profiles", "Rules", "Privacy", "Settings", "Queries", "UseCases",
            "Dashboard",
        ]
        #expect(closed.isSubset(of: figures) && server.isSuperset(of: web.union(["Serving"])))
        #expect(server.isDisjoint(with: closed), "\(server.intersection(closed))")
    }

    /// The contract library also builds for iOS and for whoever decodes the feed.
    @Test func theContractImportsWhatHasNoPolicyAtMost() throws {
        for line in try importLines() where line.target == "KPIContract" {
            #expect(
                ["Basics", "Foundation"].contains(line.module), "\(line.file) imports \(line.module)")
        }
    }

    /// Who may touch raw memory, and for what.
    private static let rawMemory = [
        "Sources/ExportBytes/": "the byte core reads exports without copies",
        "Sources/Intake/": "decodes fields where they lie, packs trips to pages",
        "Sources/Trips/NoValueWords": "compares a value where it lies",
        "Sources/Workbooks/XLSX/": "owns libxlsxwriter's handle",
        "Sources/Files/Bytes/": "exchanges bytes with zlib",
    ]

    @Test func unsafePointersStayWhereTheyAreNeeded() throws {
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            if Self.rawMemory.keys.contains(where: file.hasPrefix) { continue }
            let text = try Repository.text(file)
            guard text.contains("Unsafe") else { continue }
            #expect(SwiftCode(text).bare.firstMatch(of: /Unsafe\w*Pointer/) == nil, "\(file) uses an unsafe pointer")
        }
    }

    /// Folders of `UseCases` that answer from exports or from published files. The others may open the store.
    private static let foldersWithoutStore = ["Digest", "Map", "Sample", "Scan"]

    @Test func whatNeedsNoStoreReachesNone() throws {
        let lines = try importLines().filter { $0.target == "UseCases" }
        let opening = Set(lines.filter { ["Store", "Queries"].contains($0.module) }.map(\.file))
        let types = Set(
            try opening.flatMap { file in
                try Repository.text(file).matches(
                    of: /(?m)^(?:package |final )*(?:struct|enum|class|protocol) ([A-Z]\w+)/
                ).map {
                    String($0.output.1)
                }
            })
        #expect(types.isSuperset(of: ["StoreReport", "WritingSession"]))
        for folder in Self.foldersWithoutStore {
            let files = Repository.files(under: "Sources/UseCases/\(folder)", withExtension: "swift")
            #expect(!files.isEmpty, "there is no folder \(folder)")
            for file in files {
                #expect(!opening.contains(file), "\(file) imports the store")
                let code = SwiftCode(try Repository.text(file)).bare
                let named = Set(code.split { !$0.isLetter && !$0.isNumber }.map(String.init)).intersection(types)
                #expect(named.isEmpty, "\(file) names \(named.sorted())")
            }
        }
    }

    /// What a report shows comes through `Reporting`, which has it audited.
    @Test func onlyReportingCallsTheAuditor() throws {
        for line in try importLines() where line.module == "DisclosureAudit" {
            #expect(line.target == "Reporting", "\(line.file) imports the auditor")
        }
    }

    private struct ImportLine {
        var file: String
        var target: String
        var module: String
    }

    private func importLines() throws -> [ImportLine] {
        var lines: [ImportLine] = []
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            let target = String(file.split(separator: "/")[1])
            let imports = try Repository.text(file).split(separator: "\n").filter { $0.contains("import ") }
            for line in imports {
                let statement =
                    /^\s*(?:@\w+ |(?:package|public|internal|private|fileprivate) )*import (?:(?:struct|enum|class|func|protocol) )?(\w+)/
                guard let module = line.firstMatch(of: statement)?.output.1 else { continue }
                lines.append(ImportLine(file: file, target: target, module: String(module)))
            }
        }
        #expect(lines.count > 5)
        return lines
    }
}
