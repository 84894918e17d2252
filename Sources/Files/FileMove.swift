#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `rename(2)`, with a typed error.
package enum FileMove {
    package static func rename(_ path: String, to new: String) throws(FileError) {
        guard systemRename(path, new) == 0 else { throw FileError(new, "take its place") }
    }
}

/// Under a name that no method shadows.
private func systemRename(_ path: String, _ new: String) -> Int32 { rename(path, new) }
