import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The file that node_exporter's textfile collector reads: always a whole one, since it is replaced by a rename.
package enum MetricsFile {
    /// Writes the figures to `path`, for everyone to read: they name nobody, and the collector is another user.
    ///
    /// A failed run keeps the time of the last success, which it takes from the file that it replaces.
    package static func write(_ metrics: RunMetrics, to path: String) throws(MetricsFileError) {
        let before = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let text = metrics.text(
            lastSuccess: before.flatMap { RunMetrics.lastSuccess(in: $0, now: metrics.completedAt) })
        // The collector takes names that end in `.prom` only. What a killed run left, the next one replaces.
        let draft = "\(path).part"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MetricsFileError(path: path, code: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        errno = 0
        do {
            try file.write(contentsOf: Data(text.utf8))
        } catch {
            let code = errno
            unlink(draft)
            throw MetricsFileError(path: path, code: code == 0 ? EIO : code)
        }
        guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0, rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw MetricsFileError(path: path, code: code)
        }
    }
}

/// Why the figures cannot be written. It is told as a warning: a run is not worse for it.
package struct MetricsFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let code: Int32

    package var description: String {
        "\(path): the metrics cannot be written (\(String(cString: strerror(code)))); "
            + "check metrics_file, its folder and the space left"
    }
}
