package import Basics
import Files
import KPIContract
import Operations
package import Trips

/// `digest`: a message about the last run, for a mail or a chat. It reads the metrics file and the published release, and
/// nothing else: no store, key, inbox or staff set.
///
/// The message leaves the machine, so it has no count of staff figures below the threshold and no day of a trip, only a word:
/// see `CountWord` and `AgeWord`. Nor has it a value of the settings.
package struct RunDigest: Sendable {
    /// What it is made from.
    package struct Request: Sendable {
        package var end: UnitEnd
        /// Nil: the setting is not made, or the settings could not be read.
        package var metricsFile: String?
        /// The folder of published sets; only its `release` is read. Nil: the settings could not be read.
        package var reports: String?
        /// Months that were published in these days are new.
        package var days: Int
        package var host: String
        package var now: UTCTime
        package var areSettingsRead = true
        /// Where the settings are wrong.
        package var settingsFault: String?

        package init(end: UnitEnd, metricsFile: String?, reports: String?, days: Int, host: String, now: UTCTime) {
            self.end = end
            self.metricsFile = metricsFile
            self.reports = reports
            self.days = days
            self.host = host
            self.now = now
        }
    }

    static let maximumLines = 15
    static let lineWidth = 76

    package let subject: String
    /// At most 15.
    package let lines: [String]
    private let members: [CanonicalJSON.Member]

    /// - Parameter kind: the failure that an exit code of tripkpi stands for.
    package init(_ request: Request, kind: (Int32) -> FailureKind?) {
        // What the nightly run has written says nothing of another unit.
        let metrics =
            request.end.isOfNightlyRun ? Result { () throws(FileFault) in try Self.metrics(request) } : nil
        let last = try? metrics?.get()
        let outcome = DigestOutcome(request.end, last, now: request.now, kind: kind)
        let news = Result {
            guard let reports = request.reports else {
                throw FileFault(sentence: "\(Self.unreadSettings), so it is not known where the sets are")
            }
            return try ReleaseNews(
                reports: reports,
                since: request.now.advanced(byDays: -request.days))
        }
        let age = last?.newestTrip.map {
            AgeWord.text(days: Int(request.now.day.daysSince1970) - Int($0.day.daysSince1970))
        }
        var paragraphs = ["What happened: \(outcome.happened)"]
        if let remedy = outcome.remedy { paragraphs.append("What to do: \(remedy)") }
        paragraphs.append("Look next: journalctl -u \(request.end.journalPattern) -n 50")
        if let fault = request.settingsFault { paragraphs.append("Settings: \(fault)") }
        if let metrics { paragraphs += Self.paragraphs(metrics, age: age, now: request.now) }
        paragraphs += Self.paragraphs(news)
        subject = "tripkpi on \(Self.cleaned(request.host)): \(outcome.title)"
        lines = Self.wrapped(paragraphs)
        let release = try? news.get()
        let newMonths: [String]? = if case .made(_, let months) = release?.comparison { months } else { nil }
        members = [
            .init("unit", .text(orNull: request.end.label)), .init("exitCode", .integer(outcome.code.map { Int($0) })),
            .init("failed", outcome.isFailure), .init("lastRun", .text(orNull: last?.completedAt?.description)),
            .init("lastSuccess", .text(orNull: last?.lastSuccess?.description)),
            .init("exportsFailed", .text(orNull: last?.exports.map { CountWord.text($0.failed, of: $0.total) })),
            .init("exportsLoaded", .text(orNull: last?.exports.map { CountWord.text($0.loaded, of: $0.total) })),
            .init("newestTrip", .text(orNull: age)), .init("releaseMadeAt", .text(orNull: release?.generatedAt)),
            .init("releaseMonths", .list((release?.months ?? []).map { .text($0) })),
            .init("newMonths", newMonths.map { .list($0.map { .text($0) }) } ?? .null),
        ]
    }

    /// A mail without its other headers: the subject, an empty line and the body.
    package var text: [UInt8] { Array("Subject: \(subject)\n\n\(lines.joined(separator: "\n"))\n".utf8) }

    /// One object. Its `text` has subject and body, as the incoming webhooks of chat programs take it.
    package var json: [UInt8] {
        let text = ([subject, ""] + lines).joined(separator: "\n")
        return CanonicalJSON.object([.init("subject", subject), .init("text", text)] + members).line
    }

    // MARK: - What the files say

    /// Why the metrics or the sets are not known.
    private struct FileFault: Error, CustomStringConvertible {
        let sentence: String
        var description: String { sentence }
    }

    private static let unreadSettings = "the settings could not be read"

    private static func metrics(_ request: Request) throws(FileFault) -> RecordedMetrics {
        guard let path = request.metricsFile else {
            throw FileFault(
                sentence: request.areSettingsRead
                    ? "the setting metrics_file is not made, so nothing is known of earlier runs"
                    : "\(unreadSettings), so it is not known where the metrics are")
        }
        let found: RecordedMetrics?
        do { found = try RecordedMetrics.read(path, now: request.now) } catch {
            throw FileFault(sentence: "\(error.sentence); let this user read it (mode 0640, the group of tripkpi)")
        }
        guard let found else {
            throw FileFault(sentence: "there is no file \(path): no run has written it yet, or it is elsewhere")
        }
        guard found.completedAt != nil else {
            throw FileFault(
                sentence: found.exitCode == nil
                    ? "\(path) is no metrics file of tripkpi; check metrics_file"
                    : "\(path) is of a time after now; check the clock")
        }
        return found
    }

    private static func paragraphs(
        _ metrics: Result<RecordedMetrics, FileFault>, age: String?, now: UTCTime
    ) -> [String] {
        let last: RecordedMetrics
        switch metrics {
        case .failure(let fault): return ["Metrics: \(fault.sentence)"]
        case .success(let found): last = found
        }
        var lines: [String] = []
        if let completed = last.completedAt {
            lines.append("Last run: \(completed)" + (last.exitCode.map { ", ended with \($0)" } ?? ""))
        }
        lines.append(
            "Last success: "
                + (last.lastSuccess.map { "\($0), \(daysText(max(0, $0.days(until: now)))) ago" } ?? "none is known")
        )
        if let exports = last.exports {
            lines.append(
                exports.total == 0
                    ? "Exports: the run met none"
                    : "Exports: \(CountWord.text(exports.failed, of: exports.total)) failed, "
                        + "\(CountWord.text(exports.loaded, of: exports.total)) newly loaded")
        }
        lines.append("Newest trip: \(age ?? "not known")")
        return lines
    }

    private static func paragraphs(_ news: Result<ReleaseNews, any Error>) -> [String] {
        let release: ReleaseNews
        switch news {
        case .failure(let error): return ["Release: \(error)"]
        case .success(let found): release = found
        }
        guard let made = release.generatedAt, let first = release.months.first, let last = release.months.last else {
            return ["Release: no month is published"]
        }
        var lines = ["Release: \(first) to \(last), made \(made)"]
        if let held = release.heldSince { lines.append("Release: held since \(held); runs publish nothing over it") }
        switch release.comparison {
        case .skipped(let why): lines.append("New months: not known, because \(why)")
        case .made(let earlier, let newMonths):
            let months =
                newMonths.count > 3 ? newMonths.prefix(1) + ["…"] + newMonths.suffix(1) : newMonths[...]
            lines.append(
                "Months published since \(earlier.prefix(10)): "
                    + (months.isEmpty ? "none" : months.joined(separator: ", ")))
        }
        return lines
    }

    // MARK: - Words

    private static func daysText(_ days: Int) -> String { days == 1 ? "1 day" : "\(days) days" }

    /// For a mail's header.
    private static func cleaned(_ host: String) -> String {
        let name = String(
            host.prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
        return name.isEmpty ? "this machine" : name
    }

    /// Lines of a mail; the further lines of a paragraph are indented. What is too long for the body ends with “…”.
    private static func wrapped(_ paragraphs: [String]) -> [String] {
        var lines: [String] = []
        for paragraph in paragraphs {
            var line = ""
            for word in paragraph.split(whereSeparator: \.isWhitespace) {
                if line.count + 1 + word.count > lineWidth, !line.isEmpty {
                    lines.append(line)
                    line = " "
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
        }
        return lines.count <= maximumLines ? lines : lines.prefix(maximumLines - 1) + ["…"]
    }
}

extension ExportOutcomes {
    fileprivate var total: Int { loaded + known + failed + waived }
}
