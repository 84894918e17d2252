import Files
import Foundation
import Keys
import TestSupport
import Testing

/// Pages that are put aside: what is read is what was written, and nobody else can read it.
@Suite struct SealedPagesTests {
    private static func page(_ number: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<Int.random(in: 1...SealedPages.pageBytes, using: &random)).map { _ in
            UInt8.random(in: 1...255, using: &random)
        }
    }

    @Test(arguments: [0, 3, 1000]) func pagesAreReadInAnyOrder(inMemory: Int) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 18)
            let pages = SealedPages(folder: folder.path, pagesInMemory: inMemory)
            let numbers = (0..<40).map { _ in pages.reserve() }
            #expect(numbers == Array(0..<40))
            var written: [Int: [UInt8]] = [:]
            for number in numbers.shuffled(using: &random) {
                let page = Self.page(number, &random)
                try pages.write(page, number: number)
                written[number] = page
            }
            for (number, page) in written {
                let read = try pages.read(number)
                #expect(Array(read.prefix(page.count)) == page)
                #expect(read.dropFirst(page.count).allSatisfy { $0 == 0 })
            }
        }
    }

    @Test func theFileHasNoName() throws {
        try TemporaryFolder.with { folder in
            let pages = SealedPages(folder: folder.path, pagesInMemory: 1)
            for _ in 0..<3 { try pages.write([7], number: pages.reserve()) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    #if os(Linux)
    /// The bytes that lie on the disk, through the process's list of open files.
    @Test func theFileIsSealed() throws {
        try TemporaryFolder.with { folder in
            let pages = SealedPages(folder: folder.path, pagesInMemory: 0)
            let text = Array("a text that must not lie on a disk".utf8)
            try pages.write(text, number: pages.reserve())
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
                "/proc/self/fd/" + $0
            }
            let own = open.filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: $0))?.hasPrefix(folder.path) ?? false
            }
            #expect(own.count == 1)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: #require(own.first)))
            #expect(bytes.count > SealedPages.pageBytes)
            #expect(bytes.firstRange(of: Data(text)) == nil)
            #expect(Set(bytes).count > 200, "zeros of a page that is not full are sealed too")
        }
    }
    #endif

    @Test func aMissingFolderIsAnErrorOnlyWhenItIsNeeded() throws {
        let pages = SealedPages(folder: "/nowhere", pagesInMemory: 1)
        try pages.write([1], number: pages.reserve())
        #expect(throws: FileError.self) { try pages.write([2], number: pages.reserve()) }
    }
}
