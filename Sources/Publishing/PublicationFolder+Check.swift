import Files
import KPIContract

/// What is wrong with a file of a published set.
package struct SetFinding: Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        case missing
        case unreadable
        /// A manifest that is not JSON of its version.
        case malformed
        /// The manifest is another run's.
        case otherRun
        case size(expected: Int, found: Int)
        case content
        /// In the folder, but not in the manifest.
        case extra
    }

    /// In the set's folder.
    package var file: String
    package var problem: Problem

    package var description: String {
        switch problem {
        case .missing: "\(file) is missing"
        case .unreadable: "\(file) cannot be read"
        case .malformed: "\(file) is not a manifest of version 1"
        case .otherRun: "\(file) is that of another run"
        case .size(let expected, let found): "\(file) has \(found) bytes, not \(expected)"
        case .content: "\(file) has other content than the manifest says"
        case .extra: "\(file) is not in the manifest"
        }
    }
}

extension PublicationFolder {
    /// Reads a set again and compares it with its manifest: all findings, in the order of the names; none if it is whole.
    ///
    /// - Throws: `PublishingError.unknownRun` if there is no such folder.
    package func check(_ id: String) throws(PublishingError) -> [SetFinding] {
        guard SafeName.isSafe(id) else { throw .unsafeName(id) }
        guard try files.isFolder(path(of: id)) else { throw .unknownRun(id) }
        let own = PublicationManifestV1.fileName
        guard try holdsManifest(id) else { return [SetFinding(file: own, problem: .missing)] }
        guard try contentsIfAny(of: own, in: id) != nil else { return [SetFinding(file: own, problem: .unreadable)] }
        guard let manifest = try manifest(of: id), manifest.manifestVersion.hasPrefix("1.") else {
            return [SetFinding(file: own, problem: .malformed)]
        }
        var findings: [SetFinding] = []
        if !Self.isEdition(id, of: manifest.runId) { findings.append(SetFinding(file: own, problem: .otherRun)) }
        for file in manifest.files {
            if let problem = try problem(with: file, in: id) {
                findings.append(SetFinding(file: file.name, problem: problem))
            }
        }
        let known = Set(manifest.files.map(\.name) + [own])
        for name in try files.names(in: path(of: id)) where !known.contains(name) {
            findings.append(SetFinding(file: name, problem: .extra))
        }
        return findings.sorted { $0.file < $1.file }
    }

    private func problem(
        with file: PublicationManifestV1.File, in id: String
    ) throws(PublishingError) -> SetFinding.Problem? {
        // A name that leads elsewhere is no file of this set, whatever it leads to.
        guard SafeName.isSafe(file.name) else { return .missing }
        let path = path(of: id) + "/" + file.name
        guard let status = try files.status(path), status.kind == .file else { return .missing }
        guard status.size == file.bytes else { return .size(expected: file.bytes, found: status.size) }
        do throws(FileError) {
            return try FileDigest(of: path).sha256 == file.sha256 ? nil : .content
        } catch {
            guard error.isNoFile else { throw .system(error) }
            return .unreadable
        }
    }
}
