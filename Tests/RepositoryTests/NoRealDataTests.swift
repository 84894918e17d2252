import Foundation
import TestSupport
import Testing

/// Fixtures are synthetic and written by us; public data sets stay outside the repository.
@Suite struct NoRealDataTests {
    @Test func fixturesHoldNoIdentifierShapes() throws {
        // The compressed bytes of a picture are no text.
        for file in fixtures() where !file.hasSuffix(".png") {
            let shapes = IdentifierShapes.found(in: try plainText(of: file))
            #expect(shapes.isEmpty, "\(file) holds \(shapes.joined(separator: ", ")); use a value that nobody can have")
        }
    }

    @Test(arguments: ["123-45-6789", "call (000) 555-9999", "000-555-9999", "nobody@nowhere.zz"])
    func findsEachShape(text: String) {
        #expect(!IdentifierShapes.found(in: text).isEmpty)
    }

    @Test(arguments: [
        "000-12-3456", "900-12-3456", "000-555-0134", "x@example.org", "tripkpi@verify.service", "2024-01-15",
        "9".repeated(16),
    ])
    func letsPassWhatNobodyCanHave(text: String) {
        #expect(IdentifierShapes.found(in: text) == [])
    }

    @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.hint)))
    func noSharedFileIsCommitted() throws {
        let shared = try sharedFiles()
        #expect(shared.count > 100)
        // A file of a few bytes, such as `[]`, is nobody's.
        let contents = Set(shared.map { $0.bytes }.filter { $0.count >= 32 })
        for file in fixtures() {
            #expect(!contents.contains(Data(try Repository.bytes(file))), "\(file) is a copy of shared data")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.hint)))
    func noRowOfAPublicDataSetIsCommitted() throws {
        var rows: Set<Substring> = []
        for file in try sharedFiles() where file.name.hasSuffix(".csv.gz") {
            let text = String(decoding: try inflated(file.bytes), as: UTF8.self)
            // The header names columns, and a profile or a test may well name them too.
            rows.formUnion(text.split(whereSeparator: \.isNewline).dropFirst().filter { $0.utf8.count > 60 })
        }
        #expect(rows.count > 1_000)
        for file in fixtures() {
            for line in try plainText(of: file).split(whereSeparator: \.isNewline) {
                #expect(!rows.contains(line), "\(file) holds a row of a public data set")
            }
        }
    }

    /// The committed files that are not code.
    private func fixtures() -> [String] {
        let files = ["data", "Tests", "queries", "docs"].flatMap { Repository.files(under: $0) }
        return files.filter { !$0.hasSuffix(".swift") && !$0.hasSuffix(".py") }
    }

    private func plainText(of file: String) throws -> String {
        var bytes = Data(try Repository.bytes(file))
        if file.hasSuffix(".gz") { bytes = try inflated(bytes) }
        // UTF-16 becomes ASCII enough to be looked through.
        return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }

    private func inflated(_ bytes: Data) throws -> Data {
        let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
        return Data(try shell.run(["-c", "gzip -dc"], stdin: Array(bytes)).stdout)
    }

    private func sharedFiles() throws -> [(name: String, bytes: Data)] {
        guard let folder = SharedData.folder, let walk = FileManager.default.enumerator(atPath: folder.path) else {
            return []
        }
        var files: [(name: String, bytes: Data)] = []
        for case let name as String in walk where name.hasPrefix("data/") || name.hasPrefix("corpora/") {
            guard let bytes = try? Data(contentsOf: folder.appendingPathComponent(name)) else { continue }
            files.append((name, bytes))
        }
        return files
    }
}

/// Shapes of values that point at a person, unless nobody can have them: numbers never issued, 555-01xx, example hosts.
private enum IdentifierShapes {
    static func found(in text: String) -> [String] {
        var shapes: Set<String> = []
        for match in text.matches(of: /(?:^|[^\d\-])(\d{3})-\d{2}-\d{4}(?:$|[^\d\-])/.anchorsMatchLineEndings()) {
            let area = match.output.1
            if area != "000" && area != "666" && !area.hasPrefix("9") { shapes.insert("a social security number") }
        }
        for match in text.matches(
            of: /(?:^|\D)\(?\d{3}\)?[\-. ](\d{3})[\-. ](\d{2})\d{2}(?:$|\D)/.anchorsMatchLineEndings())
        {
            if match.output.1 != "555" || match.output.2 != "01" { shapes.insert("a phone number") }
        }
        for match in text.matches(of: /[\w.+\-]+@([\w\-]+\.)+\w{2,}/) {
            let address = match.output.0
            // Units of systemd are named like tripkpi@verify.service; no domain ends so.
            if address.firstMatch(of: /@example\.(?:com|org|net)$|\.(?:invalid|test|example|service|timer)$/) == nil {
                shapes.insert("an e-mail address")
            }
        }
        return shapes.sorted()
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
