import Foundation
import TestSupport
import Testing

/// What the README shows is what the program prints.
@Suite struct ReadmeTests {
    @Test func theTableInTheReadmeIsTheDemosTable() throws {
        let demo = try Repository.text("scripts/demo.sh")
        #expect(demo.contains("export=data/samples/sample.csv.gz"))
        let fixture = try CommandFixture()
        let sample = Repository.root.appendingPathComponent("data/samples/sample.csv.gz").path
        let scan = try fixture.run(["scan", sample])
        let readme = try Repository.text("README.md")
        let start = try #require(readme.range(of: "    Trip KPIs, ")?.lowerBound)
        let end = try #require(readme.range(of: "\n## ", range: start..<readme.endIndex)?.lowerBound)
        let shown = readme[start..<end].split(separator: "\n").map { $0.dropFirst(4) }
        #expect(shown.count > 10)
        let printed = scan.stdoutText.split(separator: "\n").prefix(shown.count)
        #expect(shown.elementsEqual(printed))
    }

    /// In the folder of the sample, with a store of it, as `make demo` leaves it.
    @Test(arguments: ["report", "costs"])
    func theExamplesOfTheHelpAndTheDocsCanBeTried(command: String) throws {
        let fixture = try CommandFixture()
        let help = try fixture.run(["help", command]).stdoutText
        let page = try Repository.text("docs/\(command).md")
        let examples = (help + "\n" + page).split(separator: "\n").compactMap { line -> [String]? in
            let words = line.split(separator: "#")[0].split(separator: " ").map(String.init)
            // What comes from elsewhere, such as an export that the reader has.
            guard line.hasPrefix("  "), words.prefix(2) == ["tripkpi", command], !words.contains("export.csv") else {
                return nil
            }
            return Array(words.dropFirst())
        }
        #expect(examples.count >= 6)
        try TemporaryFolder.with { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.url.appendingPathComponent("data"),
                withDestinationURL: Repository.root.appendingPathComponent("data"))
            #expect(try fixture.run(["load", "data/samples/sample.csv.gz"], in: folder.url).status == 0)
            #expect(try fixture.run(["publish", "--quiet"], in: folder.url).status == 0)
            for example in examples {
                let result = try fixture.run(example, in: folder.url)
                #expect(result.status == 0, "\(example.joined(separator: " ")): \(result.stderrText.suffix(300))")
                #expect(!result.stderrText.contains("no trip is in"), "\(example.joined(separator: " "))")
            }
        }
    }
}
