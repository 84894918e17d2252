import Foundation
import Keys
import TestSupport
import Testing
import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite struct PseudonymKeyFileTests {
    private static let bytes = (0..<32).map { UInt8($0) }
    private static let isRoot = geteuid() == 0

    private func failure(_ body: () throws(PseudonymKeyError) -> PseudonymKey) -> PseudonymKeyError? {
        do throws(PseudonymKeyError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    private func loading(_ path: String, credentials: String? = nil) -> PseudonymKeyError? {
        failure { () throws(PseudonymKeyError) in try PseudonymKeyFile.load(path, credentials: credentials) }
    }

    private func creating(_ path: String, random: () -> [UInt8] = { bytes }) -> PseudonymKeyError? {
        failure { () throws(PseudonymKeyError) in try PseudonymKeyFile.create(path, random: random) }
    }

    private func key(_ folder: TemporaryFolder, mode: mode_t = 0o600, _ bytes: [UInt8] = bytes) throws -> String {
        let path = try folder.write(bytes, to: "trips.key")
        #expect(chmod(path, mode) == 0)
        return path
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func aNewKeyIsTheOneThatIsRead() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "trips.key")
            let made = try PseudonymKeyFile.create(path)
            #expect(try PseudonymKeyFile.load(path).fingerprint == made.fingerprint)
            #expect(try names(folder) == ["trips.key"])
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_nlink == 1)
            #expect(try PseudonymKeyFile.create(folder.path(of: "other.key")).fingerprint != made.fingerprint)
        }
    }

    @Test func whatIsThereIsNeverReplaced() throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder, [1, 2, 3])
            #expect(creating(path) == .exists(path: path))
            #expect(try folder.read("trips.key") == [1, 2, 3])
            let link = folder.path(of: "link.key")
            #expect(symlink(folder.path(of: "nowhere"), link) == 0)
            #expect(creating(link) == .exists(path: link))
            #expect(try names(folder) == ["link.key", "trips.key"])
        }
    }

    @Test func whatAKilledCallLeftIsRemovedAndNothingElse() throws {
        try TemporaryFolder.with { folder in
            let kept = ["trips.key.part-backup", "trips.key.part-0123456789abcdef0", "other.key.part-0123456789abcdef"]
            for name in kept + ["trips.key.part-0123456789abcdef"] { try folder.write("half", to: name) }
            #expect(creating(folder.path(of: "trips.key")) == nil)
            #expect(try names(folder) == (kept + ["trips.key"]).sorted())
        }
    }

    @Test func aKeyThatCannotBeMadeLeavesNothing() throws {
        try TemporaryFolder.with { folder in
            let nowhere = folder.path(of: "no folder/trips.key")
            let error = try #require(creating(nowhere))
            #expect(error == .notCreated(path: nowhere, code: ENOENT))
            #expect(error.failureKind == .cannotCreate && !error.isMissing)
            let path = folder.path(of: "trips.key")
            #expect(creating(path, random: { [1] }) == .wrongSize(path: path, bytes: 1))
            #expect(try names(folder) == [])
        }
    }

    /// Of calls at the same time one makes the key, and what it says it made is what is read.
    @Test func callsAtTheSameTimeMakeOneKey() async throws {
        try await TemporaryFolder.with { folder in
            for round in 0..<20 {
                let path = folder.path(of: "\(round).key")
                let made = await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<8 { group.addTask { try? PseudonymKeyFile.create(path).fingerprint } }
                    return await group.reduce(into: [String]()) { if let made = $1 { $0.append(made) } }
                }
                let read = try PseudonymKeyFile.load(path).fingerprint
                #expect(made == [read])
            }
            let left = try names(folder)
            #expect(left.count == 20 && left.allSatisfy { $0.hasSuffix(".key") })
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o610, 0o601, 0o602, 0o660, 0o777])
    func aKeyThatOthersMayUseIsRefused(mode: mode_t) throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder, mode: mode)
            let error = try #require(loading(path))
            #expect(error == .open(path: path, mode: UInt32(mode)))
            #expect(error.failureKind == .permission && error.description.contains("mode 0\(String(mode, radix: 8))"))
        }
    }

    @Test(arguments: [0o400, 0o600, 0o700])
    func aKeyOfItsOwnerAloneIsRead(mode: mode_t) throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder, mode: mode)
            #expect(loading(path) == nil)
        }
    }

    @Test(.enabled(if: isRoot)) func aCredentialOfRootMayBeReadByItsGroup() throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder, mode: 0o440)
            #expect(loading(path, credentials: folder.path) == nil)
            #expect(loading(path, credentials: folder.path + "/") == nil)
            let refused = PseudonymKeyError.open(path: path, mode: 0o440)
            for other in [nil, "", "/", folder.path + "x", folder.url.deletingLastPathComponent().path] {
                #expect(loading(path, credentials: other) == refused)
            }
            for mode: mode_t in [0o444, 0o460, 0o450] {
                #expect(chmod(path, mode) == 0)
                #expect(loading(path, credentials: folder.path) == .open(path: path, mode: UInt32(mode)))
            }
        }
    }

    @Test(.enabled(if: isRoot)) func aKeyOfSomeoneElseIsRefused() throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder)
            #expect(chown(path, 12_345, 12_345) == 0)
            let error = try #require(loading(path, credentials: folder.path))
            #expect(error == .foreign(path: path, owner: 12_345))
            #expect(error.failureKind == .permission)
        }
    }

    @Test(arguments: [0, 1, 31, 33, 4096])
    func aKeyOfAnotherSizeIsRefused(count: Int) throws {
        try TemporaryFolder.with { folder in
            let path = try key(folder, Array(repeating: 7, count: count))
            #expect(loading(path) == .wrongSize(path: path, bytes: count))
        }
    }

    /// Two keys one after the other are no rotation, unless a store has had this very key for long.
    @Test(arguments: [2, 3, 16]) func aFileLongerThanAKeyIsNoRotation(keys: Int) throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<keys * PseudonymKey.byteCount).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let path = try key(folder, bytes)
            #expect(loading(path) == .notRotated(path: path, bytes: bytes.count))
            let fingerprint = try #require(PseudonymKey(bytes: bytes)).fingerprint
            #expect(try PseudonymKeyFile.load(path, storeFingerprint: { fingerprint }).layerCount == keys)
            #expect(throws: PseudonymKeyError.notRotated(path: path, bytes: bytes.count)) {
                try PseudonymKeyFile.load(path, storeFingerprint: { "0123456789abcdef" })
            }
        }
    }

    @Test func whatIsNoFileIsRefusedWithoutWaiting() throws {
        try TemporaryFolder.with { folder in
            let link = folder.path(of: "link.key"), pipe = folder.path(of: "pipe.key")
            let path = try key(folder)
            #expect(symlink(path, link) == 0)
            #expect(loading(link) == .symbolicLink(path: link))
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(loading(pipe) == .notAFile(path: pipe))
            #expect(loading(folder.path) == .notAFile(path: folder.path))
        }
    }

    @Test func aKeyThatIsNotThereIsMissing() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "trips.key")
            let error = try #require(loading(path))
            #expect(error == .missing(path: path))
            #expect(error.isMissing)
            #expect(error.description.hasPrefix("\(path): there is no key; "))
        }
    }
}
