package import Basics
import ExportBytes
import Foundation
import Intake
import Privacy
package import Settings
import Trips
import Workbooks

/// Looks at what a run would need, without a run: what `doctor` prints.
package struct HealthCheck: Sendable {
    /// Everything the answer depends on.
    package struct Context: Sendable {
        package let dataDirectory: String?
        /// The project file by `--config`.
        package let config: String?
        package let environment: [String: String]
        package let executable: String
        package let workingFolder: String
        /// What the command line says of a run.
        package let flags: SettingLayer
        /// The real clock; `SOURCE_DATE_EPOCH` of the environment comes before it.
        package let now: UTCTime
        /// Whether every page of the store is read: on a store of many gigabytes that takes a while.
        package let readsWholeStore: Bool

        package init(
            dataDirectory: String?, config: String? = nil, environment: [String: String], executable: String,
            workingFolder: String, flags: SettingLayer = SettingLayer(),
            now: UTCTime, readsWholeStore: Bool = true
        ) {
            self.flags = flags
            self.readsWholeStore = readsWholeStore
            self.now = now
            self.dataDirectory = dataDirectory
            self.config = config
            self.environment = environment
            self.executable = executable
            self.workingFolder = workingFolder
        }
    }

    private let context: Context

    package init(_ context: Context) {
        self.context = context
    }

    /// All findings, in an order that puts causes before consequences.
    package func findings() -> [HealthFinding] {
        var findings: [HealthFinding] = []
        let folder = noting("data folder", &findings) {
            try DataFolder.find(
                flag: context.dataDirectory, environment: context.environment,
                executable: context.executable)
        }
        if let folder {
            findings += [
                .ok("data folder", "\(folder.path) (\(folder.origin.rawValue))"),
                filesFinding("profiles", in: folder) { try Configuration(folder: folder).checkProfile($0) },
                filesFinding("rules", in: folder) { _ = try Configuration(folder: folder).rules($0) },
                tablesFinding(folder), queriesFinding(folder),
            ]
        }
        let settings = noting("settings", &findings) { try readSettings() }
        if let settings {
            let text = settings.origins.isEmpty ? "none made" : settings.origins.joined(separator: ", ")
            findings.append(.ok("settings", text))
            if let path = try? settings.auditLogOfExports(environment: context.environment),
                path != settings.auditLog, AuditLogCheck.isThereOrUnknown(path)
            {
                findings.append(.auditLog(path: path))
            }
            findings += APIHealth(
                settings: settings, executable: context.executable, environment: context.environment,
                now: context.now
            ).findings()
            if let folder, let health = noting("settings", &findings, { try nightly(settings, folder) }) {
                findings += health.findings()
            }
        }
        return findings + [
            zoneFinding(settings?.zone), writeFinding(), libraryFinding(), machineFinding(), localeFinding(),
        ]
    }

    /// What the body makes; nil with a finding if it fails.
    private func noting<Value>(
        _ subject: String, _ findings: inout [HealthFinding], _ body: () throws -> Value
    ) -> Value? {
        do {
            return try body()
        } catch {
            findings.append(.failure(subject, error))
            return nil
        }
    }

    private func readSettings() throws -> Settings {
        try Settings(
            flags: context.flags, config: context.config,
            environment: context.environment, workingFolder: context.workingFolder,
            processors: ProcessInfo.processInfo.activeProcessorCount)
    }

    private func nightly(_ settings: Settings, _ folder: DataFolder) throws -> NightlyHealth {
        let configuration = Configuration(
            folder: folder, profiles: settings.profiles, vocabulary: settings.vocabulary)
        let generatedAt = try Settings.generatedAt(environment: context.environment) {
            context.now
        }
        return NightlyHealth(
            settings: settings, configuration: configuration, rules: Result { try configuration.rules(settings.rules) },
            site: StoreSite(settings, credentials: context.environment["CREDENTIALS_DIRECTORY"]),
            generatedAt: generatedAt,
            now: context.now,
            readsWholeStore: context.readsWholeStore)
    }

    /// Each file is read as a run would read it.
    private func filesFinding(
        _ name: String, in folder: DataFolder, read: (String) throws -> Void
    ) -> HealthFinding {
        let files: [String]
        do { files = try folder.files(in: name, endingIn: [".yaml", ".yml"]) } catch { return .failure(name, error) }
        if files.isEmpty {
            return .warn(
                name, "none in \(folder.path(of: name))",
                remedy: "name a data folder that has them, or give the files by flags")
        }
        for file in files {
            do {
                try read(folder.path(of: name + "/" + file))
            } catch {
                return .failure(name, error)
            }
        }
        return .ok(name, files.joined(separator: ", "))
    }

    /// The tables that row-level output needs are read as `trips` reads them.
    private func tablesFinding(_ folder: DataFolder) -> HealthFinding {
        do {
            _ = try RowPolicy(
                profile: .safeHarbor, data: folder, minimumCell: MinimumCell.standard,
                generatedAt: context.now)
            return .ok("reference", "states and restricted ZIP areas")
        } catch {
            return .failure("reference", error)
        }
    }

    /// The queries are read as `query` and `verify` read them; no store is opened.
    private func queriesFinding(_ folder: DataFolder) -> HealthFinding {
        do {
            _ = try StoreQuestions(data: folder, store: "")
            return .ok("queries", "the queries and checks of the store")
        } catch {
            return .failure("queries", error)
        }
    }

    private func libraryFinding() -> HealthFinding {
        .ok("libraries", "libxlsxwriter \(WorkbookLibrary.version), \(CompressionLibrary.version)")
    }

    /// The zones are those of the program's runtime; the system's own data are not used. The next change of the clocks can be
    /// compared with what the authorities announce.
    private func zoneFinding(_ zone: String?) -> HealthFinding {
        let source = "built into this program"
        guard let zone else { return .ok("zone data", "\(source); no zone is set") }
        guard let table = ZoneTable(identifier: zone) else {
            return .fail("zone data", "there is no zone \(zone)", remedy: "use an IANA name", .configuration)
        }
        let change = table.change(after: context.now.secondsSince1970).map {
            "the clocks change next at \(UTCTime(secondsSince1970: $0))"
        }
        return .ok("zone data", "\(source); in \(zone) \(change ?? "the clocks do not change")")
    }

    private func writeFinding() -> HealthFinding {
        let folder = context.workingFolder
        if FileManager.default.isWritableFile(atPath: folder) { return .ok("write access", folder) }
        return .fail(
            "write access", "\(folder) cannot be written to",
            remedy: "change to a folder of yours, or name outputs by absolute paths", .cannotCreate)
    }

    private func machineFinding() -> HealthFinding {
        let information = ProcessInfo.processInfo
        let mebibytes = information.physicalMemory >> 20
        let text = "\(information.activeProcessorCount) cores, \(mebibytes) MiB of memory"
        if mebibytes >= 512 { return .ok("machine", text) }
        return .warn("machine", text, remedy: "use --jobs 1: each worker needs some memory")
    }

    private func localeFinding() -> HealthFinding {
        let environment = context.environment
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let plain = value.lowercased().filter { $0.isLetter || $0.isNumber }
        if plain.hasSuffix("utf8") { return .ok("locale", value) }
        return .warn(
            "locale", value.isEmpty ? "none is set" : "\(value) is not UTF-8",
            remedy: "set LC_ALL=C.UTF-8 if names in tables look wrong; files are UTF-8 in any case")
    }
}
