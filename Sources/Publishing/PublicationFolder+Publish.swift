import Files
import KPIContract

extension PublicationFolder {
    /// What `publish` did.
    package enum Outcome: Sendable, Hashable {
        /// The set was written, and is what readers see.
        case written
        /// It was there already, whole; only `current` was switched.
        case switched
        /// It was there already and readers see it.
        case unchanged
    }

    /// Makes a set the one that readers see.
    ///
    /// The files and then the manifest are written to a hidden folder and synced, the folder gets its name, and `current`
    /// is switched to it by the rename of a link. Until that instant readers see the old set; if anything fails, they go
    /// on seeing it. What is published is never written again: where a run of the same id is damaged or says something
    /// else, the set becomes a second edition of it, `<id>.2`.
    ///
    /// - Parameters:
    ///   - keepingPrevious: whether a rollback goes back to what it would go back to now: the set shows the same as the current one.
    ///   - overLater: whether sets that are dated later are those of a wrong clock: one of them may be replaced, and none of them
    ///     is a set to go back to.
    /// - Throws: `PublishingError`, or what `beforeStep` throws.
    @discardableResult
    package func publish(
        _ draft: PublicationDraft, keepingPrevious: Bool = false, overLater: Bool = false
    ) throws -> Outcome {
        let current = try target(of: .current)
        let previous = try target(of: .previous)
        if !overLater { try checkClock(draft.manifest.generatedAt) }
        try files.makeFolder(root)
        try files.makeFolder(runsPath)
        try clearLeftovers()
        let (id, isThere) = try edition(for: draft)
        if !isThere { try write(draft, as: id) }
        // A publication that was cut short is completed here: all of it is harmless where it is done already.
        try files.sync(folder: runsPath)
        // A damaged set is none to go back to.
        if overLater {
            if let current { files.touch(path(of: current)) }
            if let previous, try isDated(previous, after: draft.manifest.generatedAt) {
                try files.remove(path(of: .previous))
            }
        } else if !keepingPrevious, let current, current != id, try files.isFolder(path(of: current)),
            try check(current).isEmpty
        {
            try beforeStep(.linkPrevious)
            try point(.previous, to: current)
            files.touch(path(of: current))
        }
        if current != id {
            try beforeStep(.linkCurrent)
            try point(.current, to: id)
        }
        try beforeStep(.syncRoot)
        try files.sync(folder: root)
        return isThere ? (current == id ? .unchanged : .switched) : .written
    }

    /// Runs a body that needs a folder for parts of files to come. Where it is stopped, the next writer removes the folder.
    package func withFolderOfParts<Value>(_ body: (String) throws -> Value) throws -> Value {
        try files.makeFolder(root)
        try files.makeFolder(runsPath)
        let path = runsPath + "/" + Leftover.part.name(of: "workbooks")
        if try files.isFolder(path) { try files.remove(path) }
        try files.makeFolder(path)
        let value = try body(path)
        // The next writer removes what cannot be removed now.
        try? files.remove(path)
        return value
    }

    /// Makes the folder of sets, with the mode that its readers need, if there is none.
    package func makeRoot() throws(PublishingError) { try files.makeFolder(root) }

    /// - Parameter generatedAt: RFC 3339 in UTC, which sorts as text.
    /// - Throws: `PublishingError.clockBehind` if readers see a set that was made later.
    package func checkClock(_ generatedAt: String) throws(PublishingError) {
        guard let current = try currentID(), let published = try manifest(of: current)?.generatedAt else { return }
        guard generatedAt >= published else { throw .clockBehind(generatedAt: generatedAt, published: published) }
    }

    private func isDated(_ id: String, after generatedAt: String) throws(PublishingError) -> Bool {
        try manifest(of: id).map { $0.generatedAt > generatedAt } ?? false
    }

    private func write(_ draft: PublicationDraft, as id: String) throws {
        let part = runsPath + "/" + Leftover.part.name(of: id)
        do {
            try fill(part, with: draft)
            try beforeStep(.install)
            try files.rename(part, to: path(of: id))
        } catch let error as PublishingError {
            // The first failure counts; what cannot be removed now, on a full disk perhaps, the next run removes.
            if (try? files.isFolder(part)) == true { try? files.remove(part) }
            throw error
        }
    }

    private func fill(_ part: String, with draft: PublicationDraft) throws {
        try beforeStep(.makeDraftFolder)
        try files.makeFolder(part)
        for file in draft.files {
            try beforeStep(.write(file: file.entry.name))
            switch file.content {
            case .bytes(let bytes): try files.write(bytes, to: part + "/" + file.entry.name)
            case .draft(let path): try files.copy(path, to: part + "/" + file.entry.name)
            }
        }
        try beforeStep(.writeManifest)
        try files.write(draft.manifest.canonicalJSON(), to: part + "/" + PublicationManifestV1.fileName)
        try beforeStep(.syncDraftFolder)
        try files.sync(folder: part)
    }
}

extension PublicationFolder {
    /// The name of the folder for a draft: the run's id, or `<id>.2`, `<id>.3` … where folders before hold something
    /// else; and whether the very same set is there already, whole.
    private func edition(for draft: PublicationDraft) throws(PublishingError) -> (id: String, isThere: Bool) {
        var number = 1
        while true {
            let id = number == 1 ? draft.manifest.runId : "\(draft.manifest.runId).\(number)"
            guard try files.status(path(of: id)) != nil else { return (id, false) }
            let manifest = try contentsIfAny(of: PublicationManifestV1.fileName, in: id)
            if manifest == draft.manifest.canonicalJSON(), try check(id).isEmpty { return (id, true) }
            number += 1
        }
    }

    /// Whether a folder's name is a run's id, or that of an edition of it.
    static func isEdition(_ name: String, of run: String) -> Bool {
        if name == run { return true }
        guard name.hasPrefix(run + "."), let number = Int(name.dropFirst(run.count + 1)) else { return false }
        return number >= 2
    }
}

/// Names of folders that are of no use any more, if a run finds them: `.<id>.part` was being written, `.<id>.gone` was
/// being removed.
enum Leftover: String, CaseIterable {
    case part, gone

    func name(of id: String) -> String { ".\(id).\(rawValue)" }

    static func isLeftover(_ name: String) -> Bool {
        guard name.hasPrefix(".") else { return false }
        return allCases.contains { kind in
            name.hasSuffix("." + kind.rawValue)
                && SafeName.isSafe(String(name.dropFirst().dropLast(kind.rawValue.count + 1)))
        }
    }
}

extension PublicationFolder {
    /// What killed runs left, or one that is under way is writing: names in `runs`.
    package func leftovers() throws(PublishingError) -> [String] {
        try files.names(in: runsPath).filter(Leftover.isLeftover)
    }

    /// Removes what killed runs left.
    func clearLeftovers() throws {
        for name in try leftovers() {
            try beforeStep(.clear(name))
            try files.remove(runsPath + "/" + name)
        }
    }
}

/// What publishing does, one step after the other. A stop between any two of them leaves readers a whole set.
package enum PublishingStep: Sendable, Hashable {
    /// Removes what a killed run left.
    case clear(String)
    case makeDraftFolder
    case write(file: String)
    case writeManifest
    case syncDraftFolder
    /// The draft takes its name among the runs.
    case install
    case linkPrevious
    case linkCurrent
    case syncRoot
}
