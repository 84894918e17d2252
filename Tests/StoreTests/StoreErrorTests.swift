import Foundation
import Store
import TestSupport
import Testing

/// What cannot be a store is told by why, not by SQLite's code.
@Suite struct StoreErrorTests {
    private static let identity = TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0")

    private func failure(writing path: String) -> StoreError? {
        do {
            _ = try TripStore(path: path, identity: Self.identity)
            return nil
        } catch {
            return error as? StoreError
        }
    }

    private func failure(reading path: String) -> StoreError? {
        do {
            _ = try TripStore(reading: path)
            return nil
        } catch {
            return error as? StoreError
        }
    }

    private func isFound(damaged path: String) -> Bool {
        do {
            return try !TripStore(reading: path).integrityErrors().isEmpty
        } catch StoreError.damaged {
            return true
        } catch {
            return false
        }
    }

    @Test func aFolderInItsPlaceOrNoFolderForItIsNoPlace() throws {
        try TemporaryFolder.with { folder in
            for path in [folder.path, folder.path(of: "no/store.sqlite")] {
                #expect(failure(writing: path) == .cannotCreate(path: path))
            }
            #expect(failure(reading: folder.path) == .cannotCreate(path: folder.path))
        }
    }

    @Test func aFileOfOtherBytesIsDamagedAndStaysAsItIs() throws {
        try TemporaryFolder.with { folder in
            let bytes = Array("this is no database, whatever its name says\n".utf8)
            let path = try folder.write(bytes, to: "store.sqlite")
            for failure in [failure(writing: path), failure(reading: path)] {
                guard case .damaged = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
            }
            #expect(try folder.read("store.sqlite") == bytes)
        }
    }

    @Test func damagedPagesAreFoundAndAnotherKeyIsRefused() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "store.sqlite")
            #expect(try TripStore.isAbsent(path))
            #expect(failure(writing: path) == nil)
            #expect(try !TripStore.isAbsent(path))
            let store = try TripStore(reading: path)
            #expect(try store.health().keyFingerprint == "00" && store.health().staleMonths == [])
            #expect(try store.integrityErrors() == [])
            let other = TripStore.Identity(keyFingerprint: "01", rulesName: "none", rulesVersion: "0")
            #expect(throws: StoreError.otherKey(path: path)) { try TripStore(path: path, identity: other) }
            let whole = try folder.read("store.sqlite")
            let pageBytes = 8192
            for page in 1..<whole.count / pageBytes {
                var bytes = whole
                bytes.replaceSubrange(
                    page * pageBytes..<(page + 1) * pageBytes, with: repeatElement(0x5A, count: pageBytes))
                let path = try folder.write(bytes, to: "damaged-\(page).sqlite")
                #expect(isFound(damaged: path), "page \(page)")
            }
        }
    }

    @Test func everyErrorNamesTheStoreAndTheFix() {
        let errors: [StoreError] = [
            .lost(path: "p", published: "r"), .damaged(path: "p", detail: "d"), .full(path: "p"),
            .forbidden(path: "p"), .cannotCreate(path: "p"), .inputOutput(path: "p", detail: "d"), .otherKey(path: "p"),
        ]
        for error in errors {
            #expect(error.description.hasPrefix("p: "))
            #expect(error.description.contains(";"), "\(error)")
        }
    }
}
