package import Files
import KPIContract

/// A set that is copied elsewhere, or comes back from a copy.
extension PublicationFolder {
    /// A file of a set, open: it can be read also when the set is removed meanwhile.
    package struct OpenSetFile: Sendable {
        package let name: String
        package let file: OpenFile
        package let bytes: Int
        package let sha256: String
    }

    /// The set that readers see, and whether it is held, from one moment.
    package struct CurrentSet: Sendable {
        package let id: String
        /// RFC 3339; nil: runs publish over it.
        package let heldSince: String?
        /// Its manifest last.
        package let files: [OpenSetFile]
    }

    /// Opens the set that readers see; nil if nothing is published. Commands may hold, resume and roll back meanwhile. Where one
    /// of them was stopped between a hold and the set that is to be held, it is that set.
    ///
    /// - Throws: `PublishingError.damaged` if its manifest, or a file that it names, is missing.
    package func openCurrent() throws(PublishingError) -> CurrentSet? {
        while true {
            let hold = try holdLines(), current = try currentID()
            // Of the same lines: a second reading might be of another hold.
            var held = Self.heldID(hold)
            if let id = held, try !holdsManifest(id) { held = nil }
            let id = held ?? current
            var files: [OpenSetFile] = []
            if let id { files = try open(id) }
            // Each further turn is one command of a person.
            let holdNow = try holdLines(), currentNow = try currentID()
            guard holdNow == hold, held != nil || currentNow == current else { continue }
            return id.map { CurrentSet(id: $0, heldSince: hold?.first, files: files) }
        }
    }

    private func open(_ id: String) throws(PublishingError) -> [OpenSetFile] {
        let own = PublicationManifestV1.fileName
        guard let bytes = try contentsIfAny(of: own, in: id), let manifest = try manifest(of: id) else {
            throw .damaged(run: id, findings: ["\(own) is missing or damaged"])
        }
        var opened: [OpenSetFile] = []
        let digest = FileDigest(of: bytes)
        let entries = manifest.files.map { (name: $0.name, bytes: $0.bytes, sha256: $0.sha256) }
        for entry in entries + [(own, digest.bytes, digest.sha256)] {
            let path = try path(of: entry.name, in: id)
            do throws(FileError) {
                let file = try OpenFile(path, for: .read)
                opened.append(OpenSetFile(name: entry.name, file: file, bytes: entry.bytes, sha256: entry.sha256))
            } catch {
                guard error.isNoFile else { throw .system(error) }
                throw .damaged(run: id, findings: ["\(entry.name) is missing"])
            }
        }
        return opened
    }

    /// Whether readers see a set that is there.
    package func hasCurrent() throws(PublishingError) -> Bool {
        guard let id = try currentID() else { return false }
        return try holdsManifest(id)
    }

    /// Writes a set that comes from a copy among the runs. Readers do not see it yet: see `makeCurrent`.
    ///
    /// - Parameters:
    ///   - id: a set that is there, whole, stays. A damaged one is replaced.
    ///   - source: a folder that has its files, found whole.
    ///   - owner: root gives the files and folders that it makes to the owner of this one.
    /// - Returns: whether there was no set of this id.
    package func putBack(_ id: String, from source: String, owner: FileStatus) throws -> Bool {
        guard SafeName.isSafe(id) else { throw PublishingError.unsafeName(id) }
        try files.makeFolder(root)
        try files.makeFolder(runsPath)
        try clearLeftovers()
        let isNew = try files.status(path(of: id)) == nil
        if !isNew {
            if try check(id).isEmpty { return false }
            try files.rename(path(of: id), to: runsPath + "/" + Leftover.gone.name(of: id))
        }
        let part = runsPath + "/" + Leftover.part.name(of: id)
        try files.makeFolder(part)
        for name in try files.names(in: source) { try files.copy("\(source)/\(name)", to: "\(part)/\(name)") }
        try give(part, to: owner)
        try files.sync(folder: part)
        try files.rename(part, to: path(of: id))
        try files.sync(folder: runsPath)
        try clearLeftovers()
        return isNew
    }

    /// Removes a set that `putBack` has written, unless it is current.
    package func takeBack(_ id: String) throws {
        guard try currentID() != id, try files.status(path(of: id)) != nil else { return }
        try remove(id)
        try files.sync(folder: runsPath)
    }

    private func give(_ part: String, to owner: FileStatus) throws(PublishingError) {
        let names = try files.names(in: part)
        do throws(FileError) {
            for name in names { try OpenFile("\(part)/\(name)", for: .read).setOwner(like: owner) }
            for folder in [FilePath.folder(of: root), root, runsPath, part] {
                try OpenFile(folder, for: .folder).setOwner(like: owner)
            }
        } catch {
            throw .system(error)
        }
    }
}
