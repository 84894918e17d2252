import Foundation

/// The folder of exports. What lies in it is never moved or changed: the store knows an export by its content.
struct Inbox {
    /// A file that may be an export.
    struct File: Sendable, Hashable {
        var path: String
        /// By name or path; nil: the header must speak for itself.
        var profile: String?
    }

    /// Files that are left alone, by why.
    struct Skipped: Sendable, Hashable {
        var path: String
        var isHidden: Bool
    }

    private(set) var files: [File] = []
    private(set) var skipped: [Skipped] = []

    private static let endings: Set = ["csv", "tsv", "txt", "json", "ndjson", "jsonl", "gz"]

    /// - Parameter profile: of the files in the folder itself; a subfolder's name is that of its files.
    init(folder: String, profile: String?) throws(ExportFolderError) {
        for name in try Self.names(in: folder) {
            let path = folder + "/" + name
            if Self.isFolder(path), !name.hasPrefix(".") {
                for inner in try Self.names(in: path) {
                    if Self.isFolder(path + "/" + inner) {
                        skipped.append(Skipped(path: path + "/" + inner, isHidden: inner.hasPrefix(".")))
                    } else {
                        add(path + "/" + inner, name: inner, profile: name)
                    }
                }
            } else if !Self.isFolder(path) {
                add(path, name: name, profile: profile)
            }
        }
    }

    private mutating func add(_ path: String, name: String, profile: String?) {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if !name.hasPrefix("."), Self.endings.contains(ending) {
            files.append(File(path: path, profile: profile))
        } else {
            skipped.append(Skipped(path: path, isHidden: name.hasPrefix(".")))
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func names(in folder: String) throws(ExportFolderError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw ExportFolderError(path: folder, isPermission: true)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: folder)
            throw ExportFolderError(
                path: folder, isPermission: isThere && !FileManager.default.isReadableFile(atPath: folder))
        }
    }
}

/// The folder of exports cannot be looked into.
package struct ExportFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let isPermission: Bool

    package var description: String {
        isPermission
            ? "\(path): this user may not look into the inbox; give it read and search permission there"
            : "\(path): there is no such inbox; make the folder, or name it with --inbox"
    }
}
