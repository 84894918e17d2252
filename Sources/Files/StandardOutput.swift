#if canImport(Glibc)
import Glibc
#else
package import Darwin
#endif

/// Where data goes unless a file is named. Messages go to standard error.
package enum StandardOutput {
    /// A reader that has gone away ends the process quietly by SIGPIPE, as in other tools.
    package static func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes[...])
    }

    /// The same of a part of an array, without a copy.
    package static func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        do throws(FileError) { try OpenFile.write(bytes, to: STDOUT_FILENO, "standard output") } catch {
            throw FileError(
                error.path, error.action, code: error.code,
                remedy: "see whether the program or file that it is sent to takes it")
        }
    }
}
