#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The names in a folder, as the system has them: bytes, which need not be UTF-8.
package enum FolderNames {
    /// In the order of the system, without `.` and `..`.
    ///
    /// - Throws: also if reading stops before the end: a part of the names is no answer.
    package static func list(_ folder: String) throws(FileError) -> [[UInt8]] {
        guard let stream = opendir(folder) else { throw FileError(folder, "be read") }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            // Nil is the end if `errno` is still 0, and a failure otherwise.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw FileError(folder, "be read") }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
    }

    /// Those that are UTF-8, sorted; none if there is no such folder.
    package static func texts(_ folder: String) throws(FileError) -> [String] {
        guard try FileStatus.lookUp(folder) != nil else { return [] }
        return try list(folder).compactMap { String(validating: $0, as: UTF8.self) }.sorted()
    }
}
