package import Foundation

/// A folder of one test's own: mode 0700, gone when the closure ends, however it ends.
package struct TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path }

    /// Gives the closure a fresh folder and removes it afterwards.
    ///
    /// - Parameter inMemory: in a file system in memory, where there is one: for tests that write by the thousand.
    package static func with<Result>(
        inMemory: Bool = false, _ body: (TemporaryFolder) throws -> Result
    ) throws -> Result {
        let folder = try TemporaryFolder(inMemory: inMemory)
        defer { folder.remove() }
        return try body(folder)
    }

    /// Gives the closure a fresh folder and removes it afterwards.
    package static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TemporaryFolder) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        return try await body(folder)
    }

    /// The path a file or folder of this name would have here.
    package func path(of name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a file, with the folders on its way, and gives its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a file as UTF-8, with the folders on its way, and gives its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// The bytes of a file of this folder.
    package func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: url.appendingPathComponent(name)))
    }

    private init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
        url = (isThere ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory)
            .appendingPathComponent("tripkpi-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
