import ExportBytes
package import Files
import Foundation
import Intake
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of exports. What lies in it is never moved or changed: the store knows an export by its content.
struct Inbox {
    /// A file that may be an export.
    struct File: Sendable, Hashable {
        var path: String
        /// By name or path; nil: the header must speak for itself.
        var profile: String?
        /// Why it cannot even be opened; nil: nothing is known to be wrong.
        var fault: ExportError?
    }

    /// Files that are left alone, by why.
    struct Skipped: Sendable, Hashable {
        var path: String
        var isHidden: Bool
    }

    private(set) var files: [File] = []
    private(set) var skipped: [Skipped] = []

    private static let endings: Set = ["csv", "tsv", "txt", "json", "ndjson", "jsonl", "gz", "zst", "zip", "xlsx"]

    /// The inbox of the settings.
    init(_ reading: ExportReading) throws(ExportFolderError) {
        try self.init(folder: reading.inbox, profile: reading.profile)
    }

    /// Nil if there is no such folder.
    static func ifAny(_ reading: ExportReading) throws(ExportFolderError) -> Inbox? {
        do throws(ExportFolderError) {
            return try Inbox(reading)
        } catch {
            guard error.failureKind == .inputMissing else { throw error }
            return nil
        }
    }

    /// - Parameter profile: of the files in the folder itself; a subfolder's name is that of its files.
    init(folder: String, profile: String?) throws(ExportFolderError) {
        for name in try Self.names(in: folder) {
            let path = folder + "/" + name.text
            guard name.isFolder else {
                add(path, name, profile: profile)
                continue
            }
            if name.text.hasPrefix(".") { continue }
            guard name.isUTF8 else {
                addUnreadable(path, name)
                continue
            }
            do {
                for inner in try Self.names(in: path) {
                    if inner.isFolder {
                        let isHidden = inner.text.hasPrefix(".")
                        skipped.append(Skipped(path: path + "/" + inner.text, isHidden: isHidden))
                    } else {
                        add(path + "/" + inner.text, inner, profile: name.text)
                    }
                }
            } catch {
                // The exports there are not seen, and a run that sees nothing must not look like one without exports.
                guard error.failureKind == .permission else { throw error }
                let fault = ExportError(
                    kind: .forbidden, file: FileLabel(fileName: name.text).description,
                    problem: "this user may not look into this folder of the inbox",
                    remedy: "give it read and search permission there")
                files.append(File(path: path, fault: fault))
            }
        }
    }

    /// The name of a file, which is bytes to the system.
    private struct Name {
        let text: String
        /// Without it `text` does not lead to the file.
        let isUTF8: Bool
        let isFolder: Bool
    }

    private mutating func add(_ path: String, _ entry: Name, profile: String?) {
        let name = entry.text
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if !name.hasPrefix("."), Self.endings.contains(ending) {
            let file = File(path: path, profile: profile)
            if !entry.isUTF8 { return addUnreadable(path, entry) }
            if ending == "zip" { return addMembers(file) }
            files.append(file)
        } else {
            skipped.append(Skipped(path: path, isHidden: name.hasPrefix(".")))
        }
    }

    /// Each export in a zip file is a file of its own.
    private mutating func addMembers(_ file: File) {
        do throws(ExportError) {
            let packed = try PackedExports([file.path])
            files += packed.paths.map { File(path: $0, profile: file.profile) }
            skipped += packed.skipped.map { Skipped(path: $0.path, isHidden: false) }
        } catch {
            files.append(File(path: file.path, profile: file.profile, fault: error))
        }
    }

    private mutating func addUnreadable(_ path: String, _ entry: Name) {
        let fault = ExportError(
            kind: .unreadable, file: FileLabel(fileName: entry.text).description, problem: "its name is not UTF-8",
            remedy: "rename it; its content decides what it is")
        files.append(File(path: path, fault: fault))
    }

    /// In the order of their texts.
    private static func names(in folder: String) throws(ExportFolderError) -> [Name] {
        do throws(FileError) {
            var names: [Name] = []
            for bytes in try FolderNames.list(folder) {
                let text = String(validating: bytes, as: UTF8.self)
                names.append(
                    Name(
                        text: text ?? String(decoding: bytes, as: UTF8.self), isUTF8: text != nil,
                        isFolder: try isFolder(bytes, in: folder)))
            }
            return names.sorted { $0.text < $1.text }
        } catch {
            throw ExportFolderError(cause: error)
        }
    }

    /// Whether an entry, or what a link there leads to, is a folder. What is gone by now, a link that leads nowhere and one into a
    /// folder that this user may not search are files: whoever opens them says what is wrong. The name is bytes.
    private static func isFolder(_ name: [UInt8], in folder: String) throws(FileError) -> Bool {
        let path = (Array((folder + "/").utf8) + name).map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let error = FileError(folder, "be searched")
            if error.isNoFile { return false }
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return status.st_mode & S_IFMT == S_IFDIR }
        guard stat(path, &status) == 0 else {
            let error = FileError(folder, "be searched")
            if error.isNoFile || error.isPermission { return false }
            throw error
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The folder of exports cannot be looked into.
package struct ExportFolderError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let cause: FileError

    package var failureKind: FailureKind {
        cause.isPermission ? .permission : cause.isCreation ? .inputMissing : .inputOutput
    }

    package var description: String {
        switch failureKind {
        case .permission:
            "\(cause.path): this user may not look into the inbox; give it read and search permission there"
        case .inputMissing: "\(cause.path): there is no such inbox; make the folder, or name it with --inbox"
        default: "\(cause.sentence); check the disk or the mount, and run again"
        }
    }
}
