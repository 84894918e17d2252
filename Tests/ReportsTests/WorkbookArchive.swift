import Foundation
import TestSupport

/// A workbook unpacked with Python, which is no part of what wrote it: its parts as text.
struct WorkbookArchive {
    let parts: [String: String]

    init(path: String) throws {
        let script = """
            import json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            json.dump({name: archive.read(name).decode() for name in archive.namelist()}, sys.stdout)
            """
        let data = Data(
            try CommandRunner(executable: URL(filePath: "/usr/bin/env")).run(["python3", "-c", script, path]).stdout)
        parts = try JSONDecoder().decode([String: String].self, from: data)
    }

    func sheet(_ number: Int) -> String { parts["xl/worksheets/sheet\(number).xml"] ?? "" }

    var sheets: [String] { (1...20).map(sheet).filter { !$0.isEmpty } }

    var strings: String { parts["xl/sharedStrings.xml"] ?? "" }

    var everything: String { parts.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n") }

    /// The formulas of all sheets.
    var formulas: [String] {
        sheets.flatMap { sheet in
            sheet.split(separator: "<f>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
    }
}

/// A folder of a test's own, removed at its end.
func withWorkbookFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "workbook-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
}
