package import ExportBytes
import Profiles
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
        let before = paths.count, skippedBefore = skipped.count
        for member in directory.members where !member.isFolder {
            if let kind = try Self.otherKind(member, in: directory, file: file.name) {
                if !kind.isEmpty { skipped.append((path + "/" + member.name, kind)) }
            } else {
                paths.append(path + "/" + member.name)
            }
        }
        let own = paths[before...].map {
            $0.dropFirst(path.count + 1).split(separator: "/").last.map(String.init) ?? ""
        }
        if own.count > 1, own.contains(where: { CancellationColumn.status(of: $0) != nil }) {
            throw ExportError(
                kind: .malformed, file: file.name,
                problem:
                    "one of its members seems to hold trips that did not take place, by its name, and each member is read as an export",
                remedy: "give the members that are meant as files of their own, or name them: FILE.zip/MEMBER")
        }
        guard paths.count > before else { throw Self.nothing(in: directory, file.name, skipped) }
        let tables: [UnreadKind] = [
            .xlsx, .xlsb, .xls, .encryptedWorkbook, .ods, .parquet, .orc, .avro, .arrow, .sqlite, .access,
        ]
        if let table = tables.first(where: { kind in skipped[skippedBefore...].contains { $0.kind == kind.name } }) {
            throw ExportError(
                kind: .malformed, file: file.name,
                problem:
                    "beside exports it holds \(table.name), which may hold trips too and is not read within an archive",
                remedy: "take it out of the archive; if it holds trips, give it as a file of its own")
        }
    }

    /// That no member is an export, and which one has to be taken out.
    private static func nothing(
        in directory: ZipDirectory, _ file: String, _ skipped: [(path: String, kind: String)]
    ) -> ExportError {
        let workbooks = [UnreadKind.xlsx, .xlsb, .xls, .ods]
        guard let workbook = workbooks.first(where: { kind in skipped.contains { $0.kind == kind.name } }) else {
            return ExportError(
                kind: .malformed, file: file, problem: "none of its \(directory.members.count) members is an export",
                remedy: "pack the exports as CSV, JSON or NDJSON")
        }
        return ExportError(
            kind: .malformed, file: file, problem: "it holds \(workbook.name), which is not read within an archive",
            remedy: workbook == .xlsx
                ? "take it out, and give the workbook itself" : "take it out, and \(workbook.remedy)")
    }

    /// Texts that are beside exports more often than they are exports: these are looked into.
    private static let textEndings: Set<String> = [
        "md", "pdf", "html", "htm", "xml", "sql", "log", "yaml", "yml", "ini", "sha256", "md5",
    ]
    private static let textNames: Set<String> = ["readme", "license", "licence", "manifest", "checksums", "changelog"]
    private static let systemNames: Set<String> = [".ds_store", "thumbs.db", "desktop.ini"]
    /// Of files in which a Mac keeps what other systems have no place for.
    private static let appleDouble: [UInt8] = [0x00, 0x05, 0x16, 0x07]

    /// What a member is that is no export; empty: nothing worth a word; nil: it is one.
    private static func otherKind(
        _ member: ZipDirectory.Member, in directory: ZipDirectory, file: String
    ) throws(ExportError) -> String? {
        let parts = member.name.split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        if systemNames.contains(name.lowercased()) { return "" }
        let isHidden = name.hasPrefix(".") || parts.first == "__MACOSX"
        if member.bytes == 0 { return isHidden ? "" : "empty" }
        // An encrypted one cannot be looked at: reading it says so.
        guard !member.isEncrypted else { return isHidden ? "a hidden file" : nil }
        var stream = try directory.open(member)
        let head = try stream.take(FileKind.headBytes)
        if isHidden { return head.starts(with: appleDouble) ? "" : "a hidden file" }
        switch FileKind(head: head) {
        case .gzip, .zstd: return nil
        case .text:
            let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
            let stem = name.split(separator: ".").first.map { $0.lowercased() } ?? ""
            guard textEndings.contains(ending) || textNames.contains(stem), !isTable(head) else { return nil }
            return "a text beside the exports"
        case .zip:
            if case .packed(let kind) = ZipContent(names: LocalZipNames.all(in: head), head: head) { return kind.name }
            throw nested("a zip archive", file)
        case .other(let kind) where [.tar, .sevenZip, .rar].contains(kind): throw nested(kind.name, file)
        case .other(let kind): return kind.name
        }
    }

    private static func nested(_ what: String, _ file: String) -> ExportError {
        ExportError(
            kind: .malformed, file: file, problem: "one of its members is \(what), whose members are not read",
            remedy: "take it out, and give it as a file of its own")
    }

    /// Whether a text has records with names that are known.
    private static func isTable(_ head: [UInt8]) -> Bool {
        let known = { (names: [String]) in names.count { SynonymTable.standard.meaning(of: $0) != nil } }
        if let first = head.first(where: { $0 > 0x20 }), [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) {
            return JSONShape.candidates(head, isWhole: false).contains { known($0.keys) > 1 }
        }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
        let rows = CSVHead(head: text, isWhole: false, delimiter: nil, hasBackslashQuotes: nil).rows.map(\.fields)
        return zip(rows, rows.dropFirst()).prefix(10).contains { row, next in row.count == next.count && known(row) > 1
        }
    }
}
