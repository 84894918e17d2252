import Files
import Foundation
import Keys
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct CrosswalkPathsTests {
    @Test func threeFoldersWhateverTheirNames() throws {
        try TemporaryFolder.with { folder in
            let place = try CrosswalkFixture(folder).place
            try place.check()
            #expect(symlink(folder.path(of: "keys"), folder.path(of: "alias")) == 0)
            let bad = [
                CrosswalkPaths(file: place.file, keyFile: folder.path(of: "walk/k"), store: place.store),
                CrosswalkPaths(file: folder.path(of: "store/c"), keyFile: place.keyFile, store: place.store),
                CrosswalkPaths(file: place.file, keyFile: folder.path(of: "store/k"), store: place.store),
                CrosswalkPaths(file: folder.path(of: "alias/c"), keyFile: place.keyFile, store: place.store),
                CrosswalkPaths(file: folder.path(of: "new/c"), keyFile: folder.path(of: "new/./k"), store: place.store),
                CrosswalkPaths(file: "c", keyFile: "k", store: place.store),
            ]
            for place in bad {
                guard case .sameFolder = (failure { try place.check() }) else {
                    Issue.record("\(place) was taken")
                    continue
                }
            }
        }
    }

    private func failure(_ body: () throws -> Void) -> CrosswalkError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CrosswalkError
        }
    }

    @Test func whatOthersMayReachIsRefused() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder), place = fixture.place
            let mark = try fixture.write(CrosswalkFixture.trips(0..<2), mark: nil)
            func isRefused(_ what: String) {
                for failure in [
                    failure { _ = try fixture.read(mark: mark) }, failure { try fixture.write([], mark: mark) },
                ] {
                    guard case .unsafe = failure else {
                        Issue.record("\(what): \(String(describing: failure))")
                        continue
                    }
                }
            }
            for mode: mode_t in [0o640, 0o604, 0o660, 0o602] {
                #expect(chmod(place.file, mode) == 0)
                isRefused("mode \(mode)")
            }
            #expect(chmod(place.file, 0o600) == 0)
            for mode: mode_t in [0o750, 0o705, 0o701] {
                #expect(chmod(folder.path(of: "walk"), mode) == 0)
                isRefused("folder of mode \(mode)")
            }
            #expect(chmod(folder.path(of: "walk"), 0o700) == 0)
            #expect(link(place.file, folder.path(of: "walk/other")) == 0)
            isRefused("a hard link")
            #expect(unlink(folder.path(of: "walk/other")) == 0)
            #expect(rename(place.file, folder.path(of: "walk/real")) == 0)
            #expect(symlink("real", place.file) == 0)
            isRefused("a symbolic link")
            #expect(unlink(place.file) == 0)
            #expect(mkfifo(place.file, 0o600) == 0)
            isRefused("a pipe")
            #expect(unlink(place.file) == 0)
            #expect(rename(folder.path(of: "walk/real"), place.file) == 0)
            if geteuid() == 0 {
                #expect(chown(place.file, 12_345, 12_345) == 0)
                isRefused("a file of somebody else")
                #expect(chown(place.file, 0, 0) == 0)
            }
            #expect(try fixture.read(mark: mark).count == 2)
        }
    }

    @Test func twoWritersAtATimeAreOneTooMany() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder)
            let first = try CrosswalkWriter(fixture.place)
            try first.begin(mark: nil)
            #expect(throws: CrosswalkError.busy(path: fixture.place.file)) { try fixture.write([], mark: nil) }
            withExtendedLifetime(first) {}
        }
    }

    /// A key that others may read is no key.
    @Test func theKeysModeCounts() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder)
            let mark = try fixture.write(CrosswalkFixture.trips(0..<2), mark: nil)
            #expect(chmod(fixture.place.keyFile, 0o644) == 0)
            #expect(throws: (any Error).self) { try fixture.read(mark: mark) }
            #expect(throws: (any Error).self) { try fixture.write([], mark: mark) }
        }
    }

    @Test func everyErrorSaysWhereAndHowToMendIt() {
        let errors: [CrosswalkError] = [
            .missing(path: "p"), .lost(path: "p"), .keyLost(path: "c", keyPath: "p"), .notACrosswalk(path: "p"),
            .tooNew(path: "p"), .wrongKey(path: "p", keyID: "a", ownKeyID: "b"), .tampered(path: "p", byteOffset: 3),
            .truncated(path: "p", bytes: 1, expected: 2), .otherFile(path: "p"),
            .unsafe(path: "p", problem: "a", remedy: "b"), .busy(path: "p"), .system(FileError("p", "a", code: 5)),
        ]
        for error in errors {
            #expect(error.description.hasPrefix("p: "))
            #expect(error.description.contains(";"), "\(error)")
        }
    }
}
