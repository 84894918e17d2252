import Reporting
import TestSupport
import Testing
import UseCases

@Suite struct TarHeaderTests {
    @Test(arguments: [
        ("manifest.json", 0), ("published/release/\(String(repeating: "a", count: 100))/kpi-summary.json", 1),
        ("store.sqlite", 0o77_777_777_777), ("store.sqlite", 0o77_777_777_777 + 1), ("store.sqlite", 1 << 50),
    ])
    func isReadAsItWasWritten(name: String, size: Int) throws {
        let header = try #require(TarHeader(name: name, size: size, modified: 1_775_000_000))
        let again = try #require(TarHeader(header.block))
        #expect(again.name == name && again.size == size && again.modified == 1_775_000_000)
    }

    /// Another type, mode, owner, link or checksum: a header has one form.
    @Test func noChangedByteIsRead() throws {
        let header = try #require(TarHeader(name: "store.sqlite", size: 4096, modified: 1_775_000_000))
        for index in header.block.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var block = header.block
                block[index] ^= change
                #expect(TarHeader(block) == nil, "byte \(index)")
            }
        }
    }

    @Test(arguments: ["", String(repeating: "a", count: 101), String(repeating: "a", count: 160) + "/b", "a\0b"])
    func namesThatDoNotFitHaveNone(name: String) {
        #expect(TarHeader(name: name, size: 0, modified: 0) == nil)
    }

    @Test func negativeSizesHaveNone() { #expect(TarHeader(name: "a", size: -1, modified: 0) == nil) }

    /// Python's tarfile and GNU tar read a size in base 256 (POSIX.1-2001 has 8 GiB at most).
    @Test func aLargeSizeIsInBase256() throws {
        let header = try #require(TarHeader(name: "a", size: 0x2_0304_0506, modified: 0))
        #expect(Array(header.block[124..<136]) == [0x80, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 6])
    }
}
