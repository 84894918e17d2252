import TestSupport
import Testing

@Suite struct RepositoryFilesTests {
    @Test func aFolderWithoutSuchFilesFailsTheTestThatAsks() {
        withKnownIssue { #expect(Repository.files(under: "docs", withExtension: "none").isEmpty) }
        withKnownIssue { #expect(Repository.files(under: "no-such-folder").isEmpty) }
        #expect(Repository.files(under: "docs", withExtension: "md").contains("docs/architecture.md"))
    }
}
