import Foundation

/// Where an export is: a file, or a member of a zip file, which is named `FILE.zip/MEMBER`.
package struct ExportPath: Sendable, Hashable {
    /// The path of the file.
    package let file: String
    /// The member's name in the zip file.
    package let member: String?

    /// A path that leads through a regular file names a member of it.
    package init(_ path: String) {
        var status = stat()
        if stat(path, &status) != 0, errno == ENOTDIR {
            var end = path.endIndex
            while let slash = path[..<end].lastIndex(of: "/") {
                let file = String(path[..<slash])
                if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    self.file = file
                    member = String(path[path.index(after: slash)...])
                    return
                }
                end = slash
            }
        }
        file = path
        member = nil
    }
}
