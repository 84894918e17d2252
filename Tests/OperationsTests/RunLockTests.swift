import Basics
import Foundation
import Operations
import TestSupport
import Testing
import Trips

@Suite struct RunLockTests {
    private static func owner(startedAt: String = "2026-11-21T04:00:00Z", runID: String? = nil) throws -> LockOwner {
        LockOwner(
            process: 4711, host: "a", user: "ops", command: "tripkpi run", startedAt: try #require(UTCTime(startedAt)),
            runID: runID)
    }

    private func refusal(_ path: String, at time: String = "2026-11-21T04:12:30Z") throws -> RunLockError? {
        do {
            _ = try RunLock(path: path, owner: Self.owner(startedAt: time))
            return nil
        } catch let error as RunLockError {
            return error
        }
    }

    @Test func theSecondIsToldWhoTheFirstIs() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            defer { lock.release() }
            let error = try #require(try refusal(path))
            let owner = try Self.owner()
            #expect(error == .held(path: path, owner: owner, since: owner.startedAt, ageSeconds: 750))
            #expect(
                error.description.contains(
                    "held by tripkpi run, process 4711 of ops on host a, since 2026-11-21T04:00:00Z (12 min); wait"))
            lock.tell(try Self.owner(runID: "20261121T040000Z-0123456789ab"))
            #expect(try refusal(path)?.description.contains("run 20261121T040000Z-0123456789ab") == true)
        }
    }

    /// A holder on a machine whose clock is ahead has no age, and nobody is told a negative one.
    @Test func anAgeBelowZeroIsLeftOut() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            defer { lock.release() }
            let text = try #require(try refusal(path, at: "2026-11-21T03:00:00Z")).description
            #expect(text.contains("since 2026-11-21T04:00:00Z; wait"))
        }
    }

    @Test func releaseLeavesAnEmptyFileForItsOwnerOnlyAndTheLockFree() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            #expect(try !folder.read("store.lock").isEmpty)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            lock.release()
            lock.release()
            #expect(try folder.read("store.lock").isEmpty)
            #expect(try refusal(path) == nil)
        }
    }

    /// As a child has it between its fork and its exec.
    @Test func releaseFreesTheLockThoughAnotherHasTheFileOpen() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            let descriptor = try #require(
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                })
            let copy = dup(descriptor)
            defer { close(copy) }
            lock.release()
            #expect(try refusal(path) == nil)
        }
    }

    @Test func theEndOfItsLifeFreesTheLock() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            var lock: RunLock? = try RunLock(path: path, owner: Self.owner())
            #expect(try refusal(path) != nil)
            #expect(lock?.path == path)
            lock = nil
            #expect(try refusal(path) == nil)
        }
    }

    /// What a killed run, or anything else, left in the file.
    @Test(arguments: [
        "", "process: 1\n", "\u{1B}[2J\u{0}\u{FFFD}", "pid 1 host x\n\n\n", "started: never\nprocess: x\n",
    ])
    func leftoversMeanNothing(text: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(text, to: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            defer { lock.release() }
            #expect(
                try String(decoding: folder.read("store.lock"), as: UTF8.self).hasPrefix("process: 4711\nhost: a\n"))
        }
    }

    @Test func whatAnotherWroteIsShownWithoutItsControlCharacters() throws {
        try TemporaryFolder.with { folder in
            let text =
                "process: 1\nhost: \u{1B}[2Jh\u{7}\nuser: u\ncommand: c\rd\nstarted: 2026-11-21T04:00:00Z\nrun: \n"
            let path = try folder.write(text, to: "store.lock")
            try withHolder(of: path) {
                let description = try #require(try refusal(path)).description
                #expect(description.contains("held by cd, process 1 of u on host [2Jh, since"))
                try folder.write("garbage", to: "store.lock")
                #expect(try refusal(path)?.description.contains("has not said who it is") == true)
            }
        }
    }

    @Test func aKilledHoldersLockIsFree() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("", to: "store.lock")
            try withHolder(of: path) {
                let refused = try refusal(path)
                #expect(refused?.failureKind == .locked)
            }
            #expect(try refusal(path) == nil)
        }
    }

    @Test func anotherProcessDoesNotGetIt() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let flock = try CommandRunner(executable: URL(fileURLWithPath: "/usr/bin/flock"))
            let lock = try RunLock(path: path, owner: Self.owner())
            #expect(try flock.run(["-n", path, "true"]).status == 1)
            lock.release()
            #expect(try flock.run(["-n", path, "true"]).status == 0)
        }
    }

    @Test func whoHoldsItIsToldToOneWhoDoesNotWantIt() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let now = UTCTime(secondsSince1970: try Self.owner().startedAt.secondsSince1970 + 90_000)
            #expect(RunLock.obstacle(path: path, now: now) == nil)
            #expect(!FileManager.default.fileExists(atPath: path))
            let lock = try RunLock(path: path, owner: Self.owner())
            guard case .held(_, let owner, _, let age) = RunLock.obstacle(path: path, now: now) else {
                Issue.record("it is held")
                return
            }
            #expect(try owner == Self.owner() && age == 90_000)
            let text = try folder.read("store.lock")
            lock.release()
            #expect(RunLock.obstacle(path: path, now: now) == nil)
            // A holder that was killed leaves its words behind, and nothing else.
            try folder.write(text, to: "store.lock")
            #expect(RunLock.obstacle(path: path, now: now) == nil)
        }
    }

    @Test func programsStartedMeanwhileDoNotInheritIt() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.lock")
            let lock = try RunLock(path: path, owner: Self.owner())
            defer { lock.release() }
            let own = "/proc/self/fd"
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: own).filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: own + "/" + $0)) == path
            }.compactMap { Int32($0) }
            #expect(descriptors.count == 1)
            for descriptor in descriptors { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
        }
    }

    @Test func aPathThatCannotBeALockSaysWhy() throws {
        try TemporaryFolder.with { folder in
            let missing = try #require(try refusal(folder.path(of: "no/store.lock")))
            #expect(missing.failureKind == .cannotCreate)
            #expect(missing.description.contains("No such file or directory"))
            #expect(try refusal(folder.path)?.failureKind == .cannotCreate)
            let target = try folder.write("precious", to: "target")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link.lock"), withDestinationPath: target)
            #expect(try refusal(folder.path(of: "link.lock"))?.failureKind == .cannotCreate)
            #expect(try folder.read("target") == Array("precious".utf8))
            #expect(RunLockError.cannotOpen(path: "x", code: EACCES).failureKind == .permission)
        }
    }

    /// Runs the body while `flock(1)` holds the file, then kills it as `kill -9` does.
    private func withHolder(of path: String, _ body: () throws -> Void) throws {
        let holder = try SpawnedProgram("/usr/bin/flock", ["--no-fork", path, "sleep", "60"])
        defer { holder.end(with: SIGKILL) }
        let deadline = Date(timeIntervalSinceNow: 10)
        while try isFree(path), Date() < deadline { usleep(5_000) }
        try body()
    }

    /// Asked without a `RunLock`, which would wipe what the file holds.
    private func isFree(_ path: String) throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        return flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0
    }
}
