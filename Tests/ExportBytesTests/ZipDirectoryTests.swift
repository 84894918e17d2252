import ExportBytes
import TestSupport
import Testing

@Suite struct ZipDirectoryTests {
    private static let members = [
        ZipBytes.Member("trips-1.csv", "a,b\n1,2\n"), ZipBytes.Member("folder/", ""),
        ZipBytes.Member("notes.txt", String(repeating: "x", count: 100_000), isDeflated: false),
    ]

    private static func contents(_ archive: [UInt8]) throws -> [String: [UInt8]] {
        try TemporaryFolder.with { folder in
            let directory = try ZipDirectory(ExportFile(path: folder.write(archive, to: "trips.zip")))
            return try directory.members.reduce(into: [:]) { contents, member in
                var stream = try directory.open(member)
                contents[member.name] = try stream.take(member.bytes + 1)
            }
        }
    }

    @Test(arguments: [false, true]) func membersAreReadAsTheyWerePacked(isLarge: Bool) throws {
        let found = try Self.contents(ZipBytes.archive(Self.members, isLarge: isLarge))
        #expect(found == Dictionary(uniqueKeysWithValues: Self.members.map { ($0.name, $0.bytes) }))
    }

    /// A comment may be at the end, and may hold what looks like another end.
    @Test func aCommentIsNoDirectory() throws {
        var archive = ZipBytes.archive(Self.members)
        let comment: [UInt8] = [0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 30)
        archive[archive.count - 2] = UInt8(comment.count)
        #expect(try Self.contents(archive + comment).count == 3)
    }

    @Test func whatIsNotWholeIsAnError() throws {
        let archive = ZipBytes.archive(Self.members)
        for count in [0, 4, archive.count / 2, archive.count - 1] {
            #expect(throws: ExportError.self) { try Self.contents(Array(archive.prefix(count))) }
        }
        var encrypted = Self.members
        encrypted[0].isEncrypted = true
        let error = #expect(throws: ExportError.self) { try Self.contents(ZipBytes.archive(encrypted)) }
        #expect(error?.problem.contains("password") == true)
    }

    /// Whatever byte is wrong: the same content, or an error.
    @Test func damageIsFoundOrHarmless() throws {
        let archive = ZipBytes.archive(Array(Self.members.prefix(2)), isLarge: true)
        let whole = try Self.contents(archive)
        var random = SplitMix64(seed: 5), errors = 0
        for _ in 0..<FuzzPlan.iterations(400) {
            var damaged = archive
            let place = Int(random.next() % UInt64(archive.count))
            damaged[place] ^= UInt8(1 << (random.next() % 8))
            do {
                let found = try Self.contents(damaged)
                // Names, times and the like have no checksum.
                #expect(found.values.allSatisfy(Set(whole.values).contains))
            } catch { errors += 1 }
        }
        #expect(errors > 50)
    }
}
