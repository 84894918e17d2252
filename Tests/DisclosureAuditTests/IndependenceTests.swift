import TestSupport
import Testing

/// The auditor shares no code with what it audits.
@Suite struct IndependenceTests {
    @Test func itImportsTheContractAndWhatHasNoPolicyAlone() throws {
        let files = Repository.files(under: "Sources/DisclosureAudit", withExtension: "swift")
        #expect(files.count > 10)
        for file in files {
            for line in try Repository.text(file).split(separator: "\n") {
                guard let match = line.firstMatch(of: /^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?(\w+)/) else {
                    continue
                }
                #expect(
                    ["Basics", "Foundation", "KPIContract"].contains(String(match.output.1)),
                    "\(file) has the line \(line)")
            }
        }
    }

    @Test func itIsGivenNothingElse() throws {
        let manifest = try Repository.text("Package.swift")
        #expect(manifest.contains("library(\"DisclosureAudit\", [\"Basics\", \"KPIContract\"])"))
    }

    /// No file is shared by a link, and none has the name of one of Privacy's.
    @Test func itSharesNoFileWithPrivacy() throws {
        let name = { (path: String) in String(path.split(separator: "/").last ?? "") }
        let own = Repository.files(under: "Sources/DisclosureAudit", withExtension: "swift")
        let others = Set(Repository.files(under: "Sources/Privacy", withExtension: "swift").map(name))
        #expect(!others.isEmpty)
        for file in own { #expect(!others.contains(name(file)), "\(file)") }
    }

    /// The types of the mechanism are not named either, as they would be in a copy.
    @Test func itNamesNoTypeOfPrivacy() throws {
        let mechanism = Repository.files(under: "Sources/Privacy", withExtension: "swift").filter {
            !$0.hasPrefix("Sources/Privacy/Deidentification/")
        }
        let types = try mechanism.flatMap { file in
            try Repository.text(file).matches(of: /(?:struct|enum|class) ([A-Z]\w+)/).map { String($0.output.1) }
        }
        #expect(types.contains("ReleasePartition"))
        for file in Repository.files(under: "Sources/DisclosureAudit", withExtension: "swift") {
            let words = Set(try Repository.text(file).split { !$0.isLetter && !$0.isNumber }.map(String.init))
            let shared = words.intersection(types)
            #expect(shared.isEmpty, "\(file) names \(shared.sorted())")
        }
    }
}
