package import Foundation
import Testing

/// Where the checkout under test lies, and what is in it.
package enum Repository {
    /// The folder that holds `Package.swift`.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files under a folder of the repository, by path from its root, sorted. Hidden files are left out.
    ///
    /// A folder without such a file fails the test: an expectation in a loop over no files could not fail.
    package static func files(under folder: String, withExtension ext: String? = nil) -> [String] {
        let found = allFiles(under: folder, withExtension: ext)
        if found.isEmpty { Issue.record("there is no \(ext ?? "") file under \(folder)") }
        return found
    }

    private static func allFiles(under folder: String, withExtension ext: String?) -> [String] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var found: [String] = []
        for case let name as String in walk {
            if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            if let ext, !name.hasSuffix("." + ext) { continue }
            var isFolder: ObjCBool = false
            let path = base.appendingPathComponent(name).path
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                found.append(folder + "/" + name)
            }
        }
        return found.sorted()
    }

    /// The text of a file, by path from the root.
    package static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// The bytes of a file, by path from the root.
    package static func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: root.appendingPathComponent(path)))
    }

    /// Whether there is a file or folder at this path from the root.
    package static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }
}
