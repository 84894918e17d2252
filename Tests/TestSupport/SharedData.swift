package import Foundation

/// The public data sets and conformance corpora that lie beside the checkout and are never committed.
///
/// A test that needs them says `@Test(.enabled(if: SharedData.isPresent, SharedData.hint))` and is skipped where they
/// are absent.
package enum SharedData {
    /// The folder named by `CHECK_SHARED`, else `../shared` beside the checkout or beside the folder it lies in (a
    /// git worktree).
    package static let folder: URL? = {
        var candidates: [URL] = []
        if let named = ProcessInfo.processInfo.environment["CHECK_SHARED"] {
            candidates.append(URL(fileURLWithPath: named, isDirectory: true))
        } else {
            let parent = Repository.root.deletingLastPathComponent()
            candidates = [parent, parent.deletingLastPathComponent()].map { $0.appendingPathComponent("shared") }
        }
        let found = candidates.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("corpora").path)
        }
        // A folder that is a link is not walked into.
        return found?.resolvingSymlinksInPath()
    }()

    package static var isPresent: Bool { folder != nil }

    /// What a skipped test says.
    package static let hint = "needs the shared data: put it at ../shared or name its folder by CHECK_SHARED"

    /// The path of a file or folder of the shared data, by path from its root; nil if it is not there.
    package static func path(_ name: String) -> String? {
        guard let path = folder?.appendingPathComponent(name).path else { return nil }
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
