import Foundation
import Intake
import Reports
import StrictYAML

/// Looks at what a run would need, without a run: what `doctor` prints.
package struct HealthCheck: Sendable {
    package enum State: String, Sendable, Hashable, Comparable {
        case ok, warn, fail

        package static func < (left: State, right: State) -> Bool { left.severity < right.severity }

        private var severity: Int {
            switch self {
            case .ok: 0
            case .warn: 1
            case .fail: 2
            }
        }
    }

    /// One line of the answer.
    package struct Finding: Sendable, Hashable {
        package var state: State
        package var subject: String
        package var text: String
        /// How to mend it; empty where nothing is wrong.
        package var remedy: String
        /// The family of failure, if it is one.
        package var failure: FailureKind?
    }

    /// Everything the answer depends on.
    package struct Surroundings: Sendable {
        package var dataDirectory: String?
        /// The project file by `--config`.
        package var config: String?
        package var environment: [String: String]
        package var executable: String
        package var workingFolder: String
        package var zoneFolder: String

        package init(
            dataDirectory: String?, config: String? = nil, environment: [String: String], executable: String,
            workingFolder: String, zoneFolder: String = "/usr/share/zoneinfo"
        ) {
            self.dataDirectory = dataDirectory
            self.config = config
            self.environment = environment
            self.executable = executable
            self.workingFolder = workingFolder
            self.zoneFolder = zoneFolder
        }
    }

    private let surroundings: Surroundings

    package init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    /// All findings, in an order that puts causes before consequences.
    package func findings() -> [Finding] {
        dataFindings() + [
            settingsFinding(), zoneFinding(), writeFinding(), libraryFinding(), machineFinding(), localeFinding(),
        ]
    }

    private func dataFindings() -> [Finding] {
        let folder: DataFolder
        do {
            folder = try DataFolder.find(
                flag: surroundings.dataDirectory, environment: surroundings.environment,
                executable: surroundings.executable)
        } catch {
            return [failure("data folder", "\(error)", remedy: "", .configuration)]
        }
        return [
            ok("data folder", "\(folder.path) (\(folder.origin.rawValue))"),
            filesFinding("profiles", in: folder) { _ = try Configuration(folder: folder).profile($0) },
            filesFinding("rules", in: folder) { _ = try Configuration(folder: folder).rules($0) },
        ]
    }

    /// Each file is read as a run would read it.
    private func filesFinding(
        _ name: String, in folder: DataFolder, read: (String) throws -> Void
    ) -> Finding {
        let files = folder.files(in: name, endingIn: [".yaml", ".yml"])
        if files.isEmpty {
            return Finding(
                state: .warn, subject: name, text: "none in \(folder.path(of: name))",
                remedy: "name a data folder that has them, or give the files by flags")
        }
        for file in files {
            do {
                try read(folder.path(of: name + "/" + file))
            } catch {
                return failure(name, "\(error)", remedy: "", .configuration)
            }
        }
        return ok(name, files.joined(separator: ", "))
    }

    private func settingsFinding() -> Finding {
        do {
            let settings = try Settings(
                flags: SettingLayer(origin: "flags"), config: surroundings.config,
                surroundings: Settings.Surroundings(
                    environment: surroundings.environment, workingFolder: surroundings.workingFolder,
                    processors: ProcessInfo.processInfo.activeProcessorCount))
            let text = settings.origins.isEmpty ? "none made" : settings.origins.joined(separator: ", ")
            return ok("settings", text)
        } catch {
            return failure("settings", "\(error)", remedy: "", .configuration)
        }
    }

    private func libraryFinding() -> Finding {
        ok("libraries", "libxlsxwriter \(WorkbookLibrary.version), zlib \(CompressionLibrary.version)")
    }

    private func zoneFinding() -> Finding {
        let zone = FileManager.default.contents(atPath: surroundings.zoneFolder + "/America/New_York")
        if let zone, zone.starts(with: Array("TZif".utf8)) { return ok("zone data", surroundings.zoneFolder) }
        return failure(
            "zone data", "there is none at \(surroundings.zoneFolder)", remedy: "install tzdata", .configuration)
    }

    private func writeFinding() -> Finding {
        let folder = surroundings.workingFolder
        if FileManager.default.isWritableFile(atPath: folder) { return ok("write access", folder) }
        return failure(
            "write access", "\(folder) cannot be written to",
            remedy: "change to a folder of yours, or name outputs by absolute paths", .cannotCreate)
    }

    private func machineFinding() -> Finding {
        let information = ProcessInfo.processInfo
        let mebibytes = information.physicalMemory >> 20
        let text = "\(information.activeProcessorCount) cores, \(mebibytes) MiB of memory"
        if mebibytes >= 512 { return ok("machine", text) }
        return Finding(
            state: .warn, subject: "machine", text: text, remedy: "use --jobs 1: each worker needs some memory")
    }

    private func localeFinding() -> Finding {
        let environment = surroundings.environment
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let plain = value.lowercased().filter { $0.isLetter || $0.isNumber }
        if plain.hasSuffix("utf8") { return ok("locale", value) }
        return Finding(
            state: .warn, subject: "locale", text: value.isEmpty ? "none is set" : "\(value) is not UTF-8",
            remedy: "set LC_ALL=C.UTF-8 if names in tables look wrong; files are UTF-8 in any case")
    }

    private func ok(_ subject: String, _ text: String) -> Finding {
        Finding(state: .ok, subject: subject, text: text, remedy: "")
    }

    private func failure(_ subject: String, _ text: String, remedy: String, _ kind: FailureKind) -> Finding {
        Finding(state: .fail, subject: subject, text: text, remedy: remedy, failure: kind)
    }
}
