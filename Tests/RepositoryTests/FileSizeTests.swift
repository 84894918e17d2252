import TestSupport
import Testing

@Suite struct FileSizeTests {
    /// Above the cap a file has more than one concept.
    @Test func noSwiftFileIsLongerThan400Lines() throws {
        let files =
            Repository.files(under: "Sources", withExtension: "swift")
            + Repository.files(under: "Tests", withExtension: "swift")
        #expect(files.count > 10)
        for file in files {
            let lines = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(file) has \(lines) lines; split it by facet (Type+Facet.swift)")
        }
    }

    /// A name that stands for two things in the package sends a reader to the wrong file. Types nested in different
    /// types may share a name such as `Outcome`; a type of a file's own may share its name with none.
    @Test func noTwoTypesHaveOneName() throws {
        let declaration =
            /^((?:    )*)(?:(?:public|package|private|fileprivate|internal|final|indirect) )*(?:struct|class|enum|protocol|actor) (\w+)/
        let kinds = ["struct ", "class ", "enum ", "protocol ", "actor "]
        var own: [String: [String]] = [:], nested: Set<String> = []
        for file in Repository.files(under: "Sources", withExtension: "swift") {
            let lines = try Repository.text(file).split(separator: "\n")
            for line in lines where kinds.contains(where: { line.contains($0) }) {
                guard let match = line.firstMatch(of: declaration) else { continue }
                let name = String(match.2)
                if match.1.isEmpty { own[name, default: []].append(file) } else { nested.insert(name) }
            }
        }
        #expect(own.count > 300 && nested.count > 100)
        for (name, files) in own.sorted(by: { $0.key < $1.key }) {
            #expect(files.count == 1, "\(name) is declared in \(files.sorted().joined(separator: " and "))")
            #expect(!nested.contains(name), "\(name) is also the name of a type within another type")
        }
    }
}
