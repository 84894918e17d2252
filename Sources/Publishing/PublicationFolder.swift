import Files
import Foundation
package import KPIContract

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of published sets.
///
///     <root>/runs/<id>/…              one set each, with its manifest.json; <id>.2 is a second edition of a run
///     <root>/current  -> runs/<id>    what readers read
///     <root>/previous -> runs/<id>    what they read before: what a rollback goes back to
///
/// Readers resolve `current` once and stay in that set until they are done. One writer at a time: whoever calls
/// `publish`, `rollback` or `keep` holds the run lock. No step needs a repair by hand: what a killed run
/// left has a name that begins with a dot, and the next writer removes it.
package struct PublicationFolder: Sendable {
    package let root: String
    let files: DurableFiles
    let beforeStep: @Sendable (PublishingStep) throws -> Void

    /// - Parameters:
    ///   - root: made when something is published; it may be a link to a folder elsewhere.
    ///   - beforeStep: called before each step of `publish`. A test that throws its own error from it sees what a kill
    ///     at that instant leaves: only after a `PublishingError` is the draft cleaned away.
    package init(
        root: String, modes: AccessModes = AccessModes(),
        beforeStep: @escaping @Sendable (PublishingStep) throws -> Void = { _ in }
    ) {
        self.root = root
        files = DurableFiles(modes: modes)
        self.beforeStep = beforeStep
    }

    /// One published set among the others.
    package struct Run: Sendable, Hashable {
        package var id: String
        /// RFC 3339; nil if its manifest cannot be read.
        package var generatedAt: String?
        package var isCurrent: Bool
        package var isPrevious: Bool
    }

    /// All sets, newest first. A folder without a manifest is none.
    package func list() throws(PublishingError) -> [Run] {
        let current = try target(of: .current)
        let previous = try target(of: .previous)
        var runs: [Run] = []
        for id in try files.names(in: runsPath) where SafeName.isSafe(id) {
            guard try holdsManifest(id) else { continue }
            runs.append(
                Run(
                    id: id, generatedAt: try manifest(of: id)?.generatedAt, isCurrent: id == current,
                    isPrevious: id == previous))
        }
        return runs.sorted { ($0.generatedAt ?? "", $0.id) > ($1.generatedAt ?? "", $1.id) }
    }

    /// The run that readers see; nil if nothing is published.
    package func currentID() throws(PublishingError) -> String? { try target(of: .current) }

    /// The run that a rollback goes back to.
    package func previousID() throws(PublishingError) -> String? { try target(of: .previous) }

    /// A run's manifest; nil if there is none, or it is damaged.
    package func manifest(of id: String) throws(PublishingError) -> PublicationManifestV1? {
        try contentsIfAny(of: PublicationManifestV1.fileName, in: id)
            .flatMap { try? JSONDecoder().decode(PublicationManifestV1.self, from: Data($0)) }
    }

    /// The bytes of a file of a run; nil where it is missing, or is no file.
    ///
    /// - Throws: where the machine failed, or this user may not read it: that is no sign of damage.
    package func contentsIfAny(of name: String, in id: String) throws(PublishingError) -> [UInt8]? {
        do throws(PublishingError) { return try contents(of: name, in: id) } catch {
            guard case .system(let cause) = error, cause.isNoFile else { throw error }
            return nil
        }
    }

    /// The bytes of a file of a run.
    package func contents(of name: String, in id: String) throws(PublishingError) -> [UInt8] {
        try files.contents(of: path(of: name, in: id))
    }

    /// Where a set's file is, for one that is too large to be held.
    package func path(of name: String, in id: String) throws(PublishingError) -> String {
        guard SafeName.isSafe(id) else { throw .unsafeName(id) }
        guard SafeName.isSafe(name) else { throw .unsafeName(name) }
        return path(of: id) + "/" + name
    }
}

extension PublicationFolder {
    /// The two links.
    enum Link: String {
        case current, previous
    }

    var runsPath: String { root + "/runs" }

    func path(of id: String) -> String { runsPath + "/" + id }

    func path(of link: Link) -> String { root + "/" + link.rawValue }

    func holdsManifest(_ id: String) throws(PublishingError) -> Bool {
        try files.status(path(of: id) + "/" + PublicationManifestV1.fileName)?.kind == .file
    }

    /// The run that a link points at, whether it is there or not; nil without a link.
    ///
    /// - Throws: `PublishingError.notOurs` for anything but a link to a run.
    func target(of link: Link) throws(PublishingError) -> String? {
        let path = path(of: link)
        guard let status = try files.status(path) else { return nil }
        guard status.kind == .symbolicLink else { throw .notOurs(path: path, expected: "a link to a run") }
        let target = try files.target(ofLink: path)
        guard target.hasPrefix("runs/"), SafeName.isSafe(String(target.dropFirst(5))) else {
            throw .notOurs(path: path, expected: "a link to a run")
        }
        return String(target.dropFirst(5))
    }

    func point(_ link: Link, to id: String) throws(PublishingError) {
        try files.link(path(of: link), draft: root + "/.\(link.rawValue).part", to: "runs/\(id)")
    }
}
