import Foundation
import TestSupport
import Testing

/// What the pages show is what the program prints.
@Suite struct ReadmeTests {
    @Test func theTableOfTheQuickStartIsTheDemosTable() throws {
        let demo = try Repository.text("scripts/demo.sh")
        #expect(demo.contains("export=data/samples/sample.csv.gz"))
        let fixture = try CommandFixture()
        let sample = Repository.root.appendingPathComponent("data/samples/sample.csv.gz").path
        let day = try #require(demo.firstMatch(of: /SOURCE_DATE_EPOCH=([0-9]+)/)?.output.1)
        let scan = try fixture.run(
            ["scan", sample, "--rules", "sample"], environment: ["SOURCE_DATE_EPOCH": String(day)])
        let page = try Repository.text("docs/quickstart.md")
        let start = try #require(page.range(of: "    INTERNAL: contains small counts")?.lowerBound)
        let end = try #require(page.range(of: "\n`9 of 10 trips`", range: start..<page.endIndex)?.lowerBound)
        let shown = page[start..<end].split(separator: "\n").map { $0.dropFirst(4) }
        #expect(shown.count > 10)
        let printed = scan.stdoutText.split(separator: "\n").prefix(shown.count)
        #expect(shown.elementsEqual(printed))
    }

    /// In a folder with the sample and a store from it, as `make demo` makes it.
    @Test(arguments: ["report", "costs"])
    func theExamplesOfTheHelpAndTheDocsCanBeTried(command: String) throws {
        let fixture = try CommandFixture()
        let help = try fixture.run(["help", command]).stdoutText
        let page = try Repository.text("docs/\(command).md")
        let examples = (help + "\n" + page).split(separator: "\n").compactMap { line -> [String]? in
            let words = line.split(separator: "#")[0].split(separator: " ").map(String.init)
            // Examples with the reader's own export cannot be run.
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
            try folder.write(
                "fiscal_year,region,type,sourcing,trips,cost\n2025,,,,5000,2500000\n2026,,,,5000,2500000\n",
                to: "budget.csv")
            for example in examples {
                let result = try fixture.run(example, in: folder.url)
                #expect(result.status == 0, "\(example.joined(separator: " ")): \(result.stderrText.suffix(300))")
                #expect(!result.stderrText.contains("no trip is in"), "\(example.joined(separator: " "))")
            }
        }
    }
}
