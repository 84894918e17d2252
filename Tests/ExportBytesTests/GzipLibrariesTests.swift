import ExportBytes
import Files
import TestSupport
import Testing
import Trips

/// ISA-L and zlib give the same bytes, and refuse the same files with the same words.
@Suite(.enabled(if: InflateLibrary.isal.isInstalled, "needs ISA-L (Debian: libisal2)"))
struct GzipLibrariesTests {
    /// Bytes in pieces of changing sizes, as a pipe gives them.
    private struct Pieces: ByteStream {
        var rest: ArraySlice<UInt8>
        var most: Int

        mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
            let piece = rest.prefix(min(count, most))
            for (place, byte) in piece.enumerated() { target[place] = byte }
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    private enum Outcome: Equatable {
        case bytes([UInt8])
        case refused(ExportError.Kind, String)
    }

    private func outcome(_ file: [UInt8], _ library: InflateLibrary, piece: Int, room: Int) throws -> Outcome {
        var bytes: [UInt8] = []
        do throws(ExportError) {
            var stream = try GzipStream(source: Pieces(rest: file[...], most: piece), name: "x.gz", library: library)
            while true {
                let read = try stream.take(room)
                if read.isEmpty { return .bytes(bytes) }
                bytes += read
            }
        } catch {
            return .refused(error.kind, error.problem)
        }
    }

    private func expectSame(_ file: [UInt8], using random: inout some RandomNumberGenerator, _ what: String) throws {
        let piece = [1, 7, 1_000, 1 << 17].randomElement(using: &random) ?? 1
        let room = [1, 13, 4_096, 1 << 18].randomElement(using: &random) ?? 1
        let zlib = try outcome(file, .zlib, piece: piece, room: room)
        let isal = try outcome(file, .isal, piece: piece, room: room)
        #expect(zlib == isal, "\(what), \(file.count) bytes, pieces of \(piece), room of \(room)")
    }

    private func text(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: (0..<count).map { _ in UInt8(ascii: "a") &+ UInt8.random(in: 0..<4, using: &random) }
        default: (0..<count).map { UInt8($0 / 50 & 0x7F) }
        }
    }

    private func member(_ text: [UInt8]) throws -> [UInt8] { try GzipWriter().compress(text, endsMember: true) }

    @Test(arguments: 0..<40) func wholeFilesOfSomeMembersGiveTheirBytes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file: [UInt8] = [], plain: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let text = text([0, 1, 5, 300, 70_000].randomElement(using: &random) ?? 0, using: &random)
            file += try member(text)
            plain += text
        }
        if Bool.random(using: &random) { file += Array(repeating: 0, count: 20) }
        #expect(try outcome(file, .isal, piece: 1 << 17, room: 1 << 18) == .bytes(plain))
        try expectSame(file, using: &random, "members")
    }

    @Test(arguments: 0..<60) func damagedFilesAreRefusedAlike(seed: UInt64) throws {
        var random = SplitMix64(seed: 1_000 + seed)
        let whole = try member(text(3_000, using: &random)) + member(text(200, using: &random))
        for number in 0..<40 {
            var file = whole
            switch number % 5 {
            case 0: file[Int.random(in: file.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: file.removeLast(Int.random(in: 1...file.count, using: &random))
            case 2:
                file.insert(
                    UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0...file.count, using: &random))
            case 3: file.remove(at: Int.random(in: file.indices, using: &random))
            default:
                file += (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            try expectSame(file, using: &random, "change \(number) of seed \(seed)")
        }
    }

    /// Time, name, comment, extra field and CRC of the header (RFC 1952, section 2.3), right and wrong.
    @Test func headersOfAllFormsAreReadAlike() throws {
        var random = SplitMix64(seed: 5)
        let plain = try member(Array("a,b\n1,2\n".utf8))
        let body = Array(plain[10...])
        for flags in UInt8.min...UInt8.max {
            for isCut in [false, true] {
                var header: [UInt8] = [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 255]
                if flags & 4 != 0 { header += [3, 0, 9, 9, 9] }
                if flags & 8 != 0 { header += Array("trips.csv".utf8) + [0] }
                if flags & 16 != 0 { header += Array("nightly".utf8) + [0] }
                if flags & 2 != 0 { header += [UInt8.random(in: 0...255, using: &random), 0] }
                let file = header + body
                try expectSame(
                    isCut ? Array(file.prefix(Int.random(in: 0..<header.count, using: &random))) : file, using: &random,
                    "flags \(flags)")
            }
        }
    }
}
