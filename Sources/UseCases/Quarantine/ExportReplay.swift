import ExportBytes
import Foundation
import Intake
import Store

/// `quarantine replay`: reads an export again, with its profile as it is now, in one transaction. What was loaded from
/// it before is removed only if all of it can be read.
package struct ExportReplay: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings

    package init(_ site: StoreSite, _ figures: FigureSettings) {
        self.site = site
        self.figures = figures
    }

    /// - Parameters:
    ///   - hash: the beginning of its SHA-256.
    ///   - file: its path; nil: it is somewhere in the inbox.
    package func run(_ hash: String, file: String?, _ environment: RunEnvironment) throws -> NightlyOutcome {
        let export = try NamedExport(hash, in: TripStore(reading: site.store))
        let file = try file.map { try named($0, export) } ?? inInbox(export)
        return try LoadRun(site, figures).run(files: [file], .replay, environment)
    }

    private func inInbox(_ export: NamedExport) throws -> Inbox.File {
        for file in try Inbox(figures.reading).files
        where try ExportFileStat.of(path: file.path).bytes == export.bytes {
            if try ExportFingerprint.of(path: file.path).sha256 == export.sha256 { return file }
        }
        throw QuarantineError.fileNotFound(inbox: figures.reading.inbox)
    }

    /// The file of that path, with the profile of its folder if it is in the inbox.
    private func named(_ path: String, _ export: NamedExport) throws -> Inbox.File {
        guard try ExportFingerprint.of(path: path).sha256 == export.sha256 else { throw QuarantineError.otherFile }
        let place = URL(fileURLWithPath: path).standardizedFileURL
        let known = try Inbox.ifAny(figures.reading)?.files.first {
            URL(fileURLWithPath: $0.path).standardizedFileURL == place
        }
        return known ?? figures.reading.file(path)
    }
}
