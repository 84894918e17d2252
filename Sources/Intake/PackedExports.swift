package import ExportBytes
import Trips

/// The exports that are members of zip files: each is read like a file of its own, named `FILE.zip/MEMBER`.
package struct PackedExports: Sendable {
    /// The paths of exports: files that are no archives, and the members of those that are.
    package private(set) var paths: [String] = []
    /// Members that are no exports, as paths.
    package private(set) var skipped: [(path: String, kind: String)] = []

    /// - Parameter files: paths; `-` is standard input.
    package init(_ files: [String]) throws(ExportError) {
        for path in files { try add(path) }
    }

    /// What was skipped, a sentence for each archive's member.
    package var notes: [String] {
        skipped.map { "\(FileLabel(fileName: $0.path)): it is \($0.kind), no export, and is skipped" }
    }

    private mutating func add(_ path: String) throws(ExportError) {
        // What cannot be opened, is no regular file or is no archive is the reader's.
        guard path != "-", let status = try? ExportFileStat.of(path: path), status.bytes > 0,
            ExportPath(path).member == nil
        else {
            paths.append(path)
            return
        }
        let file = try ExportFile(path: path, mustBeRegular: true)
        var stream = FileStream(file, from: 0)
        let head = try stream.take(FileKind.headBytes)
        guard FileKind(head: head) == .zip else {
            paths.append(path)
            return
        }
        let directory = try ZipDirectory(file)
        guard case .members = ZipContent(names: directory.members.map(\.name), head: head) else {
            // The reader names it.
            paths.append(path)
            return
        }
        let before = paths.count
        for member in directory.members where !member.isFolder {
            if let kind = try Self.otherKind(member, in: directory) {
                if !kind.isEmpty { skipped.append((path + "/" + member.name, kind)) }
            } else {
                paths.append(path + "/" + member.name)
            }
        }
        guard paths.count > before else {
            throw ExportError(
                kind: .malformed, file: file.name,
                problem: "none of its \(directory.members.count) members is an export",
                remedy: "pack the exports as CSV, JSON or NDJSON")
        }
    }

    private static let textEndings: Set<String> = [
        "md", "pdf", "html", "htm", "xml", "sql", "log", "yaml", "yml", "ini", "sha256", "md5",
    ]
    private static let textNames: Set<String> = ["readme", "license", "licence", "manifest", "checksums", "changelog"]

    /// What a member is that is no export; empty: nothing worth a word; nil: it is one.
    private static func otherKind(
        _ member: ZipDirectory.Member, in directory: ZipDirectory
    ) throws(ExportError) -> String? {
        let parts = member.name.split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        if name.hasPrefix(".") || parts.first == "__MACOSX" || name.lowercased() == "thumbs.db" { return "" }
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if textEndings.contains(ending) { return "a file of another kind (by its name)" }
        if textNames.contains(name.split(separator: ".").first.map { $0.lowercased() } ?? "") {
            return "a text beside the exports (by its name)"
        }
        if member.bytes == 0 { return "empty" }
        // An encrypted one cannot be looked at: reading it says so.
        guard !member.isEncrypted else { return nil }
        var stream = try directory.open(member)
        let head = try stream.take(FileKind.headBytes)
        switch FileKind(head: head) {
        case .text, .gzip, .zstd: return nil
        case .zip:
            if case .packed(let kind) = ZipContent(names: LocalZipNames.all(in: head), head: head) { return kind.name }
            return "a zip file within a zip file"
        case .other(let kind): return kind.name
        }
    }
}
