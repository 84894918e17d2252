import TestSupport
import Testing

/// Checks every import line of `Sources` against `Package.swift`, and `Package.swift` against its own floors.
@Suite struct FloorPlanTests {
    private let plan: FloorPlan

    /// The system's own modules; they are on no floor.
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Darwin", "Dispatch",
        "Synchronization", "Swift",
    ]

    /// Who may import what keeps a dependency or reaches C: one room each, so that it can be replaced in one place.
    private static let keepers: [String: Set<String>] = [
        "Yams": ["StrictYAML"], "Crypto": ["Encoding", "Keys", "KPIClient"],
        "ArgumentParser": ["tripkpi", "tripkpi-serve"],
        "Logging": ["Operations", "Serving"], "Hummingbird": ["Serving"], "JWTKit": ["Serving"],
        "GRDB": ["Store", "Queries", "TripPages"], "GRDBSQLite": ["Store", "Queries"],
        "CZlib": ["ExportBytes", "Encoding"], "CXLSXWriter": ["Spreadsheets"], "CByteScan": ["ExportBytes"],
        "CFastInflate": ["ExportBytes"],
        "Mustache": ["Dashboard"], "NIOCore": ["Serving"], "NIOSSL": ["Serving"],
        "ServiceLifecycle": ["Serving"],
    ]

    init() throws {
        plan = FloorPlan(manifest: try Repository.text("Package.swift"))
    }

    @Test func theManifestIsRead() {
        #expect(plan.rooms["Trips"]?.dependencies == [])
        #expect(plan.rooms["tripkpi"]?.floor == plan.rooms.values.map(\.floor).max())
        #expect(plan.importable(by: "tripkpi").contains("ArgumentParser"))
        #expect(plan.importable(by: "Scans").contains("Reports"))
        #expect(plan.rooms["CZlib"]?.dependencies == [])
        #expect(plan.rooms.count >= 15)
    }

    @Test func dependenciesGoDownOnly() {
        for room in plan.rooms.values {
            for dependency in room.dependencies where FloorPlan.outsideModules[dependency] == nil {
                let below = plan.rooms[dependency]?.floor
                #expect(below != nil, "\(room.name) depends on \(dependency), which Package.swift does not declare")
                #expect((below ?? 0) < room.floor, "\(room.name) may not depend on \(dependency): imports go down only")
            }
        }
    }

    @Test func everyImportIsDeclared() throws {
        for line in try importLines() where !Self.system.contains(line.module) && line.module != line.room {
            #expect(
                plan.importable(by: line.room).contains(line.module),
                "\(line.file) imports \(line.module), which Package.swift does not give \(line.room)")
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
                        plan.rooms[module] == nil || own.contains(module),
                        "\(file) imports \(module), which Package.swift does not give \(match.output.1)")
                }
            }
        }
    }

    @Test func onlyTheirKeepersImportOutsideModules() throws {
        for line in try importLines() {
            guard let keepers = Self.keepers[line.module] else { continue }
            #expect(keepers.contains(line.room), "\(line.file) imports \(line.module); only \(keepers.sorted()) may")
        }
    }

    /// A change of the server does not build the figures again, and who breaks into the server finds no store and no key in it.
    @Test func theTwoProgramsShareNeitherWebServerNorStore() {
        let figures = plan.reached(by: "tripkpi"), server = plan.reached(by: "tripkpi-serve")
        let web = plan.importable(by: "Serving").subtracting(plan.rooms.keys).subtracting(["Logging"])
        #expect(web.isSuperset(of: ["Hummingbird", "NIOCore", "NIOSSL", "JWTKit", "ServiceLifecycle"]))
        #expect(figures.isDisjoint(with: web.union(["Serving"])), "\(figures.intersection(web))")
        let closed: Set = [
            "Store", "Keys", "ExportBytes", "Intake", "Profiles", "Rules", "Privacy", "Settings", "Queries", "Versions",
        ]
        #expect(closed.isSubset(of: figures) && server.isSuperset(of: web.union(["Serving"])))
        #expect(server.isDisjoint(with: closed), "\(server.intersection(closed))")
    }

    /// The contract library also builds for iOS and for whoever decodes the feed.
    @Test func theContractImportsFoundationAtMost() throws {
        for line in try importLines() where line.room == "KPIContract" {
            #expect(
                ["Foundation", "FoundationEssentials"].contains(line.module), "\(line.file) imports \(line.module)")
        }
    }

    /// Who may touch raw memory, and for what.
    private static let rawMemory = [
        "Sources/ExportBytes/": "the byte core reads exports without copies",
        "Sources/Intake/": "decodes fields where they lie",
        "Sources/Trips/NoValueWords": "compares a value where it lies",
        "Sources/Versions/": "packs trips to pages",
        "Sources/Spreadsheets/": "owns libxlsxwriter's handle",
        "Sources/Encoding/": "exchanges bytes with zlib",
    ]

    @Test func unsafePointersStayInTheirRooms() throws {
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            if Self.rawMemory.keys.contains(where: file.hasPrefix) { continue }
            let text = try Repository.text(file)
            guard text.contains("Unsafe") else { continue }
            #expect(SwiftCode(text).bare.firstMatch(of: /Unsafe\w*Pointer/) == nil, "\(file) uses an unsafe pointer")
        }
    }

    /// Above this a target has more than one concept. The limit shows a smell; it is no reason to divide what belongs together.
    @Test func noTargetHasMoreThan6500Lines() throws {
        var lines: [String: Int] = [:]
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            let text = try Repository.text(file)
            lines[String(file.split(separator: "/")[1]), default: 0] += text.utf8.count { $0 == UInt8(ascii: "\n") }
        }
        for (target, count) in lines { #expect(count <= 6500, "\(target) has \(count) lines; divide it") }
    }

    private struct ImportLine {
        var file: String
        var room: String
        var module: String
    }

    private func importLines() throws -> [ImportLine] {
        var lines: [ImportLine] = []
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            let room = String(file.split(separator: "/")[1])
            let imports = try Repository.text(file).split(separator: "\n").filter { $0.contains("import ") }
            for line in imports {
                let statement =
                    /^\s*(?:@\w+ |(?:package|public|internal|private|fileprivate) )*import (?:(?:struct|enum|class|func|protocol) )?(\w+)/
                guard let module = line.firstMatch(of: statement)?.output.1 else { continue }
                lines.append(ImportLine(file: file, room: room, module: String(module)))
            }
        }
        #expect(lines.count > 5)
        return lines
    }
}
