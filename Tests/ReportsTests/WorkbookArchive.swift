import Foundation

/// A workbook unpacked with `unzip`, for tests: its parts as text.
struct WorkbookArchive {
    let parts: [String: String]

    init(path: String) throws {
        let names = try Self.run(["-Z1", path]).split(separator: "\n").map(String.init)
        var parts: [String: String] = [:]
        for name in names {
            // `[Content_Types].xml` is a pattern to unzip.
            let pattern = name.replacing("[", with: "\\[").replacing("]", with: "\\]")
            parts[name] = try Self.run(["-p", path, pattern])
        }
        self.parts = parts
    }

    func sheet(_ number: Int) -> String { parts["xl/worksheets/sheet\(number).xml"] ?? "" }

    var sheets: [String] { (1...6).map(sheet) }

    var strings: String { parts["xl/sharedStrings.xml"] ?? "" }

    var everything: String { parts.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n") }

    /// The formulas of all sheets.
    var formulas: [String] {
        sheets.flatMap { sheet in
            sheet.split(separator: "<f>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unzip")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

/// A folder of a test's own, removed at its end.
func withWorkbookFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "workbook-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
}
