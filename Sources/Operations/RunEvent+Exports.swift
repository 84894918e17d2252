package import Trips

/// What becomes of each export of the inbox.
extension RunEvent {
    package enum SkipReason: String, Sendable, CaseIterable {
        /// Its size or time still changes: somebody is writing it.
        case unsettled
        /// Its name begins with a dot or ends as a draft does.
        case hidden
        /// It does not end as an export does, or it is a folder in a profile's folder.
        case noExport = "no_export"
    }

    package static func exportFound(_ file: FileLabel, bytes: Int) -> RunEvent {
        RunEvent(
            "export.found", .info, "found \(file), \(bytes) bytes",
            [.file: .text(file.description), .bytes: .whole(bytes)])
    }

    package static func exportKnown(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.known", .info, "\(file) is known by its content; nothing to do",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    package static func exportLoaded(
        _ file: FileLabel, sha256: String, counts: ReadCounts, durationMilliseconds: Int
    ) -> RunEvent {
        RunEvent(
            "export.loaded", .info, "loaded \(file): \(counts.sentence)",
            [
                .file: .text(file.description), .sha256: .hash(sha256),
                .durationMilliseconds: .whole(durationMilliseconds),
            ].merging(counts.values) { own, _ in own })
    }

    /// - Parameters:
    ///   - reason: a code, such as `too_many_rejects`.
    ///   - message: the same for people, with how to mend it: the description of an error type of ours, with the file's
    ///     label in place of its path.
    package static func exportFailed(
        _ file: FileLabel, sha256: String, reason: String, message: String, read: Int?, rejected: Int?
    ) -> RunEvent {
        let share = read.map { ", \(rejected ?? 0) of \($0) records rejected" } ?? ""
        return RunEvent(
            "export.failed", .error,
            "\(file) was not loaded (\(RunEventValue.cleaned(reason)))\(share): \(message)",
            [
                .file: .text(file.description), .sha256: .hash(sha256), .reason: .code(reason),
                .message: .text(message), .read: read.map { .whole($0) }, .rejected: rejected.map { .whole($0) },
            ])
    }

    package var isExportFailure: Bool { name == "export.failed" }

    /// - Parameter note: what the reader says of columns that nobody mapped: places and kinds, nothing of their content.
    package static func exportNoted(_ file: FileLabel, note: String) -> RunEvent {
        RunEvent(
            "export.noted", .notice, "\(file): \(note)", [.file: .text(file.description), .message: .text(note)])
    }

    package static func exportWaived(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.waived", .notice, "\(file) is passed over: it was waived",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    package static func exportWithdrawnKnown(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.withdrawn_known", .notice,
            "\(file) is passed over: it was withdrawn; `tripkpi load` would take it in again",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    package static func exportSkipped(_ file: FileLabel, _ reason: SkipReason) -> RunEvent {
        let why =
            switch reason {
            case .unsettled: "it still changes; the next run takes it"
            case .hidden: "a draft or a hidden file"
            case .noExport: "no export by its ending, or a folder in a profile's folder"
            }
        return RunEvent(
            "export.skipped", reason == .hidden ? .info : .notice, "\(file) is left alone: \(why)",
            [.file: .text(file.description), .reason: .code(reason.rawValue)])
    }
}

extension ReadCounts {
    /// The equation, as every report states it.
    var sentence: String {
        "\(read) read = \(added) added + \(updated) updated + \(unchanged) unchanged + \(superseded) superseded"
            + " + \(skipped) skipped + \(rejected) rejected"
    }

    var values: [RunEventField: RunEventValue?] {
        [
            .read: .whole(read), .added: .whole(added), .updated: .whole(updated), .unchanged: .whole(unchanged),
            .superseded: .whole(superseded), .skipped: .whole(skipped), .rejected: .whole(rejected),
        ]
    }
}

extension RunEvent {
    /// - Parameter label: of the file that it was loaded from, as the store keeps it.
    package static func exportWithdrawn(label: String, sha256: String, trips: Int) -> RunEvent {
        RunEvent(
            "export.withdrawn", .notice, "\(FileLabel(fileName: label)) is taken out, \(trips) trips",
            [.file: .text(FileLabel(fileName: label).description), .sha256: .hash(sha256), .trips: .whole(trips)])
    }
}
