package import Basics
package import Files

/// What a file of `RunMetrics` says of the last run. What it does not have, or has in another form, is nil. So is a time after
/// now: a wrong clock has written it.
package struct RecordedMetrics: Sendable, Hashable {
    package let completedAt: UTCTime?
    package let lastSuccess: UTCTime?
    package let exitCode: Int32?
    /// Noon, UTC, of the newest day with a trip.
    package let newestTrip: UTCTime?
    package let exports: ExportOutcomes?

    package init(_ text: String, now: UTCTime) {
        var values: [Substring: Int] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            if words.count == 2, let value = Int(words[1]) { values[words[0]] = value }
        }
        func time(_ name: String) -> UTCTime? {
            values["tripkpi_\(name)_timestamp_seconds"].flatMap { $0 > 0 ? UTCTime(secondsSince1970: $0) : nil }
        }
        func past(_ name: String) -> UTCTime? { time(name).flatMap { $0 <= now ? $0 : nil } }
        func exports(_ outcome: String) -> Int? { values["tripkpi_exports{outcome=\"\(outcome)\"}"] }
        completedAt = past("last_completion")
        lastSuccess = past("last_success")
        // Noon of today is no later day.
        newestTrip = time("newest_trip").flatMap { $0.day <= now.day ? $0 : nil }
        exitCode = values["tripkpi_last_exit_code"].flatMap(Int32.init(exactly:))
        if let loaded = exports("loaded"), let known = exports("known"), let failed = exports("failed"),
            let waived = exports("waived")
        {
            var outcomes = ExportOutcomes()
            outcomes.loaded = loaded
            outcomes.known = known
            outcomes.failed = failed
            outcomes.waived = waived
            self.exports = outcomes
        } else {
            self.exports = nil
        }
    }

    /// - Returns: nil if there is no file.
    package static func read(_ path: String, now: UTCTime) throws(FileError) -> RecordedMetrics? {
        do throws(FileError) {
            return RecordedMetrics(
                String(decoding: try OpenFile(path, for: .read).read(count: maximumBytes), as: UTF8.self), now: now)
        } catch {
            guard error.isNoFile else { throw error }
            return nil
        }
    }

    /// A metrics file has some kilobytes.
    private static let maximumBytes = 1 << 20
}
