import TestSupport
import Testing

@Suite struct FileSizeTests {
    /// A newcomer should know their room in a file; above the cap it is two files.
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
}
