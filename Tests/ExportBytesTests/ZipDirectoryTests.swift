import ExportBytes
import TestSupport
import Testing

/// The members of zip files, and zstd: the same bytes whatever the form, and an error wherever one is damaged.
@Suite struct ZipDirectoryTests {
    private static let text = Array((0..<4000).map { "T\($0),2025-03-10,100.00\n" }.joined().utf8)

    private static func read(_ stream: any ByteStream) throws -> [UInt8] {
        var stream = stream, bytes: [UInt8] = []
        while true {
            let more = try stream.take(1000)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    @Test(arguments: ZipBytes.Form.allCases, [InflateLibrary.zlib, .isal])
    func membersHaveTheirBytes(form: ZipBytes.Form, library: InflateLibrary) throws {
        guard library.isInstalled else { return }
        var zip = ZipBytes()
        zip.add("a/", [], .stored)
        zip.add("a/one.csv", Self.text, form)
        zip.add("empty.csv", [], form)
        zip.add("two.csv", Array(Self.text.reversed()), form)
        for comment in ["", "a comment PK\u{5}\u{6}"] {
            try TemporaryFolder.with { folder in
                let bytes = zip.bytes(comment: comment, isLarge: form == .zip64)
                let file = try ExportFile(path: folder.write(bytes, to: "a.zip"))
                let directory = try ZipDirectory(file)
                #expect(directory.members.map(\.name) == ["a/", "a/one.csv", "empty.csv", "two.csv"])
                #expect(directory.members.map(\.isFolder) == [true, false, false, false])
                for member in directory.members {
                    let expected =
                        member.name == "a/one.csv" ? Self.text : member.bytes == 0 ? [] : Self.text.reversed()
                    #expect(try Self.read(directory.open(member, library: library)) == expected, "\(member.name)")
                }
            }
        }
    }

    /// Every byte matters but a few that say nothing of the content, such as times.
    @Test func damageIsFound() throws {
        var zip = ZipBytes()
        zip.add("one.csv", Array("trip_id,cost\nT1,1.00\n".utf8), .deflated)
        let whole = zip.bytes()
        let expected = Array("trip_id,cost\nT1,1.00\n".utf8)
        try TemporaryFolder.with { folder in
            func attempt(_ bytes: [UInt8]) throws -> [UInt8]? {
                do {
                    let directory = try ZipDirectory(ExportFile(path: folder.write(bytes, to: "a.zip")))
                    guard let member = directory.members.first else { return nil }
                    return try Self.read(directory.open(member))
                } catch is ExportError {
                    return nil
                }
            }
            let read = try attempt(whole)
            #expect(read == expected)
            for cut in 0..<whole.count { #expect(try attempt(Array(whole[..<cut])) == nil, "cut at \(cut)") }
            for place in whole.indices {
                var bytes = whole
                bytes[place] ^= 0x41
                let found = try attempt(bytes)
                #expect(found == nil || found == expected, "byte \(place)")
            }
        }
    }

    /// `cat a.zip b.zip`: by its end only the second archive would be read.
    @Test(arguments: [false, true]) func joinedFilesAreRefused(isLarge: Bool) throws {
        var zip = ZipBytes()
        zip.add("one.csv", Self.text, isLarge ? .zip64 : .deflated)
        let bytes = zip.bytes(isLarge: isLarge)
        func problem(_ bytes: [UInt8]) throws -> String {
            try TemporaryFolder.with { folder in
                do {
                    _ = try ZipDirectory(ExportFile(path: folder.write(bytes, to: "a.zip")))
                    return ""
                } catch let error as ExportError {
                    return error.problem
                }
            }
        }
        #expect(try problem(bytes + bytes).contains("before its first member"))
        #expect(try problem(Array(repeating: 7, count: 700) + bytes).contains("before its first member"))
        #expect(try problem(bytes + Array("T1,2025-03-10,100.00\n".utf8)).contains("after its end"))
        #expect(try problem(bytes + [0, 0, 0x0A]).isEmpty)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        try TemporaryFolder.with { folder in
            func problem(_ zip: ZipBytes) throws -> String {
                do {
                    let directory = try ZipDirectory(ExportFile(path: folder.write(zip.bytes(), to: "a.zip")))
                    _ = try Self.read(directory.open(directory.members[0]))
                    return ""
                } catch {
                    return "\(error)"
                }
            }
            var encrypted = ZipBytes()
            encrypted.add("a.csv", Self.text, flags: 1)
            let found = try problem(encrypted)
            #expect(found.contains("encrypted"))
            var other = ZipBytes()
            other.add("a.csv", Self.text, method: 14)
            #expect(try problem(other).contains("method 14"))
            var twice = ZipBytes()
            twice.add("a.csv", Self.text)
            twice.add("a.csv", Self.text)
            #expect(try problem(twice).contains("one name"))
        }
    }

    /// A directory with more members than the end counts, and a folder that has bytes: a member would be lost without a word.
    @Test func noMemberIsPassedOver() throws {
        var zip = ZipBytes()
        zip.add("a.csv", Self.text, .stored)
        zip.add("b.csv", Self.text, .stored)
        var counted = zip.bytes(), folder = zip.bytes()
        for place in [8, 10] { counted[counted.count - 22 + place] = 1 }
        let name = try #require(folder.indices.last { folder[$0...].starts(with: Array("b.csv".utf8)) })
        folder[name + 4] = UInt8(ascii: "/")
        try TemporaryFolder.with { scratch in
            for (bytes, problem) in [(counted, "more members"), (folder, "a folder and a file")] {
                do {
                    _ = try ZipDirectory(ExportFile(path: scratch.write(bytes, to: "a.zip")))
                    Issue.record("\(problem) is not found")
                } catch {
                    #expect("\(error)".contains(problem), "\(error)")
                }
            }
        }
    }

    /// Many members that share their bytes, and a member that claims to be endless.
    @Test func bombsAreRefused() throws {
        var zip = ZipBytes()
        zip.add("a.csv", Self.text, .stored)
        let one = zip.bytes()
        guard let entry = one.indices.first(where: { one[$0...].starts(with: [0x50, 0x4B, 1, 2]) }) else { return }
        let end = one.count - 22
        var second = Array(one[entry..<end])
        second[46] = UInt8(ascii: "b")
        var shared = Array(one[..<end]) + second + one[end...]
        for place in [8, 10] { shared[end + second.count + place] = 2 }
        shared[end + second.count + 12] = UInt8(2 * second.count)
        var large = one
        for place in 24..<28 { large[entry + place] = 0xFE }
        try TemporaryFolder.with { folder in
            for (bytes, problem) in [(shared, "overlap"), (large, "times their size")] {
                do {
                    _ = try ZipDirectory(ExportFile(path: folder.write(bytes, to: "a.zip")))
                    Issue.record("\(problem) is not found")
                } catch {
                    #expect("\(error)".contains(problem), "\(error)")
                }
            }
        }
    }

    @Test func aPathLeadsIntoAZipFile() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write([1], to: "a.zip")
            #expect(ExportPath(path).member == nil && ExportPath(path + "/x/y.csv").member == "x/y.csv")
            #expect(ExportPath(path + "/x/y.csv").file == path)
            #expect(ExportPath(folder.path + "/none/y.csv").member == nil && ExportPath("-").file == "-")
        }
    }

    // MARK: - zstd

    @Test(.enabled(if: ZstdStream.isInstalled)) func framesAreReadAsOneText() throws {
        let frames = ZstdBytes.raw(Self.text) + ZstdBytes.raw([]) + ZstdBytes.raw(Array("end\n".utf8))
        try TemporaryFolder.with { folder in
            let file = try ExportFile(path: folder.write(frames, to: "a.zst"))
            let stream = try ZstdStream(source: FileStream(file, from: 0), name: "a")
            #expect(try Self.read(stream) == Self.text + Array("end\n".utf8))
        }
    }

    @Test(.enabled(if: ZstdStream.isInstalled)) func truncatedFramesAreAnError() throws {
        let whole = ZstdBytes.raw(Array("trip_id\nT1\n".utf8))
        try TemporaryFolder.with { folder in
            for cut in 1..<whole.count {
                let file = try ExportFile(path: folder.write(Array(whole[..<cut]), to: "a.zst"))
                let stream = try ZstdStream(source: FileStream(file, from: 0), name: "a")
                #expect(throws: ExportError.self, "cut at \(cut)") { try Self.read(stream) }
            }
        }
    }
}
