import Classification
import Foundation
import Intake
import Operations
import Profiles
import Publishing
import Store
import Trips

/// What a run would do, without doing it: nothing is written, made or locked.
package struct NightlyForecast {
    private let plan: NightlyPlan

    package init(_ plan: NightlyPlan) {
        self.plan = plan
    }

    /// A line each, for a run over the inbox.
    package func lines() throws -> [String] {
        let inbox = try Inbox(folder: plan.inbox, profile: plan.profile)
        var lines = try storeLines()
        lines += try fileLines(inbox.files, isRun: true)
        lines += inbox.skipped.map {
            "leave alone \(label($0.path)): a draft, a hidden file or no export by its ending"
        }
        lines.append(try publicationLine())
        return lines
    }

    /// A line each, for publishing the store as it is.
    package func publicationLines() throws -> [String] {
        guard FileManager.default.fileExists(atPath: plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let stale = try TripStore(reading: plan.storePath).staleMonths()
        var lines = try storeLines()
        if !stale.isEmpty { lines.append("finish the numbers of \(stale.map(\.description).joined(separator: ", "))") }
        return lines + [try publicationLine()]
    }

    /// A line each, for going back to an earlier set.
    package func rollbackLines(to id: String?) throws -> [String] {
        let folder = PublicationFolder(root: plan.reportsPath)
        guard let goal = try id ?? folder.previousID() else {
            throw PublishingError.nothingToGoBackTo(root: plan.reportsPath)
        }
        guard try folder.list().contains(where: { $0.id == goal }) else { throw PublishingError.unknownRun(goal) }
        return ["make \(goal) current, in place of \(try folder.currentID() ?? "nothing")"]
    }

    private func publicationLine() throws -> String {
        let current = try PublicationFolder(root: plan.reportsPath).currentID()
        return "publish to \(plan.reportsPath), in place of \(current ?? "nothing")"
    }

    /// A line each, for loading and withdrawing.
    package func lines(files: [String], withdraw: [String]) throws -> [String] {
        var lines = try storeLines()
        if !withdraw.isEmpty {
            let store = try TripStore(reading: plan.storePath)
            for hash in withdraw {
                let export = try store.export(beginningWith: hash)
                lines.append("withdraw \(export.label), \(export.trips) trips, \(export.sha256.prefix(12))")
            }
        }
        return lines + (try fileLines(files.map { Inbox.File(path: $0, profile: plan.profile) }, isRun: false))
    }

    private func storeLines() throws -> [String] {
        guard FileManager.default.fileExists(atPath: plan.storePath) else {
            return [
                "make the store \(plan.storePath), rules \(plan.rules.name), version \(plan.rules.version.prefix(12))"
            ]
        }
        let store = try TripStore(reading: plan.storePath)
        var lines = [
            "store \(plan.storePath): \(try store.totals().trips) trips of \(try store.exports().count) exports"
        ]
        let rules = try store.rules()
        if rules.version != plan.rules.version {
            lines.append("classify all trips anew: rules \(plan.rules.name), version \(plan.rules.version.prefix(12))")
        }
        return lines
    }

    private func fileLines(_ files: [Inbox.File], isRun: Bool) throws -> [String] {
        let store =
            FileManager.default.fileExists(atPath: plan.storePath)
            ? try TripStore(reading: plan.storePath) : nil
        let ledger = Set(try store?.exports().map(\.sha256) ?? [])
        let waivers = try store?.waivers() ?? [:]
        let withdrawn = try store?.withdrawnExports() ?? []
        return files.map { file in
            do {
                let fingerprint = try ExportFingerprint.of(path: file.path)
                let what = "\(label(file.path)), \(ByteText.of(fingerprint.bytes)), \(fingerprint.sha256.prefix(12))"
                if ledger.contains(fingerprint.sha256) { return "known already: \(what)" }
                if waivers[fingerprint.sha256] != nil { return "waived: \(what)" }
                if isRun, withdrawn.contains(fingerprint.sha256) { return "withdrawn before: \(what)" }
                if let name = file.profile, name != plan.profile {
                    try plan.configuration.checkInboxFolder(named: name)
                }
                let profile = try file.profile.map { try plan.configuration.profile($0) }
                let reader = try ExportReader(
                    ExportReader.Request(
                        path: file.path, profile: profile, vocabulary: plan.lists ?? .standard, zone: plan.zone,
                        textNeeds: []))
                return "load \(what): \(reader.description), profile \(file.profile ?? "none")"
            } catch {
                return "cannot load \(label(file.path)): \(LabelledMessage(error, path: file.path))"
            }
        }
    }

    private func label(_ path: String) -> String {
        FileLabel(fileName: path).description
    }
}
