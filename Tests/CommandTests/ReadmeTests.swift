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
}
