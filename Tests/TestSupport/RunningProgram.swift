import Foundation

/// A program that was started and runs on.
package struct RunningProgram {
    static let outputName = "running.stdout"

    let program: SpawnedProgram
    let folder: TemporaryFolder

    /// Standard output so far.
    package func lines() throws -> [String] {
        String(decoding: try folder.read(Self.outputName), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Waits up to ten seconds for so many lines of standard output.
    package func lines(atLeast count: Int) async throws -> [String] {
        var found: [String] = []
        for _ in 0..<200 where found.count < count {
            try await Task.sleep(for: .milliseconds(50))
            found = try lines()
        }
        return found
    }

    /// Ends it with SIGTERM, and waits until it has ended.
    package func end() {
        program.end(with: SIGTERM)
    }
}
