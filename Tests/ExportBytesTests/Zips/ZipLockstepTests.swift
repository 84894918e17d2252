import ExportBytes
import TestSupport
import Testing

/// The reader of zip files beside the bytes that were packed, in all forms of the format: the same bytes or an error, by either
/// library, whatever is damaged.
@Suite struct ZipLockstepTests {
    private static let libraries = [InflateLibrary.zlib, .isal].filter(\.isInstalled)

    /// What the members of a file are, or why it is no zip file.
    private enum Listing: Equatable {
        case refused(String)
        case members([ReadOutcome])
    }

    private static func listing(_ path: String, _ library: InflateLibrary, taken: Int) -> Listing {
        do {
            let directory = try ZipDirectory(ExportFile(path: path))
            return .members(
                directory.members.map { member in
                    ReadOutcome(saysWhy: false) {
                        // A folder is passed over, so it must have nothing.
                        member.isFolder ? [] : try directory.open(member, library: library).all(most: taken)
                    }
                })
        } catch {
            return .refused("\(error)")
        }
    }

    private struct Written {
        var round: Int
        var zip: RandomZip
        var bytes: [UInt8]
        var path: String
    }

    /// Calls the closure with `total` random files. They are written by the dozen, because a file that was written just now is opened
    /// only when later changes of it would be seen.
    private static func withZips(
        _ total: Int, damaged: Bool, _ random: inout SplitMix64, _ body: (Written, inout SplitMix64) throws -> Bool
    ) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            for start in stride(from: 0, to: total, by: 50) {
                let batch = try (start..<min(total, start + 50)).map { round in
                    let zip = RandomZip(&random)
                    var bytes = zip.bytes
                    if damaged {
                        for _ in 0..<Int.random(in: 1...3, using: &random) { RandomZip.damage(&bytes, &random) }
                    }
                    let path = try folder.write(bytes, to: "\(round - start).zip")
                    return Written(round: round, zip: zip, bytes: bytes, path: path)
                }
                for written in batch { guard try body(written, &random) else { return } }
            }
        }
    }

    @Test func aZipFileOfAnyFormGivesTheBytesThatWerePacked() throws {
        var random = SplitMix64(seed: FuzzPlan.seed(0x21B))
        var count = FuzzCount("zip files as written")
        try Self.withZips(FuzzPlan.iterations(400), damaged: false, &random) { written, random in
            let names = try ZipDirectory(ExportFile(path: written.path)).members.map(\.name)
            #expect(names == written.zip.members.map(\.name), "round \(written.round)")
            for library in Self.libraries {
                let taken = written.bytes.count < 1000 ? 1 : [97, 4096, 1 << 17].randomElement(using: &random) ?? 97
                let listing = Self.listing(written.path, library, taken: taken)
                guard listing == .members(written.zip.members.map { .read($0.bytes) }) else {
                    Issue.record("round \(written.round): other bytes by \(library), \(taken) at a time")
                    return false
                }
            }
            count.add("read")
            return true
        }
        count.report()
    }

    @Test func aDamagedZipFileGivesTheBytesThatWerePackedOrAnError() throws {
        var random = SplitMix64(seed: FuzzPlan.seed(0xDA21B))
        var count = FuzzCount("zip files, damaged")
        try Self.withZips(FuzzPlan.iterations(900), damaged: true, &random) { written, random in
            let listings = Self.libraries.map {
                Self.listing(written.path, $0, taken: [97, 4096, 1 << 17].randomElement(using: &random) ?? 97)
            }
            let packed = written.zip.members
            for listing in listings {
                guard case .members(let members) = listing else { continue }
                let isRight =
                    members.count == packed.count
                    && packed.indices.allSatisfy { place in
                        members[place].bytes.map { $0 == packed[place].bytes } ?? true
                    }
                guard isRight else {
                    Issue.record("round \(written.round): other members or bytes than were packed: \(members)")
                    return false
                }
            }
            switch (listings.first, listings.last) {
            case (.members(let members)?, let other) where other == listings.first:
                count.add(members.allSatisfy { $0.bytes != nil } ? "read whole" : "members refused")
            case (let first, let other) where first == other: count.add("refused")
            // ISA-L passes over some damage of the tables of codes where the bytes and their checksum are right all the same.
            case (.members, .members): count.add("a member refused by one library only")
            default:
                Issue.record("round \(written.round): the libraries do not agree: \(listings)")
                return false
            }
            return true
        }
        count.report()
        #expect(count["refused"] * 10 > count.inputs && count["read whole"] * 20 > count.inputs, "\(count)")
    }
}
