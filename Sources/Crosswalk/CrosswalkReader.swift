import Foundation
import Hashing
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads a crosswalk, all of it: there is no index, since one would tell of trips without the key.
package struct CrosswalkReader {
    private let place: CrosswalkPlace
    private let credentials: String?

    package init(_ place: CrosswalkPlace, credentials: String? = nil) {
        self.place = place
        self.credentials = credentials
    }

    /// - Parameters:
    ///   - mark: what the store remembers.
    ///   - body: told all trips; what it was told means nothing if this throws.
    /// - Returns: how many trips' identifiers there are, those of a trip that came several times counted so.
    @discardableResult
    package func read(
        mark: CrosswalkMark?, _ body: (_ source: String, Sensitive<IdentifierBlock>) throws -> Void = { _, _ in }
    ) throws -> Int {
        try place.check()
        let descriptor = open(place.file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw mark == nil ? CrosswalkError.missing(path: place.file) : .lost(path: place.file)
            }
            throw CrosswalkError.opening(place.file)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try CrosswalkPlace.check(descriptor, place.file)
        let key = try place.key(credentials: credentials, makesNew: false)
        guard let scan = try CrosswalkScan(file, path: place.file, key: key, mark: mark) else { return 0 }
        return Int(try scan.run(mark: mark, body: body).trips)
    }
}

extension CrosswalkError {
    /// What `errno` says of a file that could not be opened.
    static func opening(_ path: String) -> CrosswalkError {
        guard errno == ELOOP else { return .system(path: path, action: "be opened", code: errno) }
        return .unsafe(
            path: path, problem: "the crosswalk is a symbolic link", remedy: "name the file that it leads to")
    }
}
