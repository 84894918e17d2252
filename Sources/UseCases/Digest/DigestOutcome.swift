import Basics
import Operations
import Trips

/// How the last run, or another unit, ended: in the words of docs/nightly.md.
struct DigestOutcome: Sendable, Hashable {
    /// For the subject.
    let title: String
    let happened: String
    let remedy: String?
    /// Nil: a signal ended it, or it is not known.
    let code: Int32?
    let isFailure: Bool

    /// Days without a run from which on a digest names it: the timer starts one every day.
    private static let daysWithoutRun = 2

    /// - Parameters:
    ///   - end: of the unit that ended; without a status the metrics decide.
    ///   - last: nil: the metrics are not known, or are of another unit.
    ///   - kind: the failure that an exit code of tripkpi stands for.
    init(_ end: UnitEnd, _ last: RecordedMetrics?, now: UTCTime, kind: (Int32) -> FailureKind?) {
        let name = end.label ?? "the last run"
        // Of a unit that it no longer remembers systemd reports success without an exit code.
        let isReported = end.status != nil || end.result.map { $0 != "success" } ?? false
        let code = isReported ? end.code : last?.exitCode
        func failed(_ guide: FailureGuide, by other: String?) -> Self {
            let how = code.map { "with \($0)" } ?? "by \(other ?? "the system")"
            return Self(
                title: "\(name) failed \(how)", happened: "\(name) ended \(how): \(guide.happened)",
                remedy: guide.remedy, code: code, isFailure: true)
        }
        if let guide = end.guide {
            let names = [end.result, code == nil ? end.status : nil].compactMap(\.self)
            self = failed(guide, by: names.joined(separator: " "))
        } else if code == 0 {
            let days = isReported ? nil : last?.completedAt?.days(until: now)
            if let days, days >= Self.daysWithoutRun {
                self.init(
                    title: "no run for \(days) days",
                    happened: "no run has ended for \(days) days; the last one ended with 0",
                    remedy: "see whether the timer is on: systemctl list-timers tripkpi.timer", code: code,
                    isFailure: true)
            } else {
                self.init(
                    title: "\(name) succeeded", happened: "\(name) ended with 0: success", remedy: nil, code: code,
                    isFailure: false)
            }
        } else if let code, end.isOfTripkpi, let kind = kind(code) {
            self = failed(FailureGuide(kind), by: nil)
        } else if let code, [130, 143].contains(code) {
            self = failed(.signal, by: nil)
        } else if isReported || code != nil {
            let happened = end.isOfTripkpi ? "it did not end by itself" : "it failed"
            self = failed(FailureGuide(happened, "read the log"), by: end.status ?? end.result)
        } else {
            self.init(
                title: "nothing is known of \(name)", happened: "nothing is known of \(name)",
                remedy: end.isOfNightlyRun
                    ? "see whether the timer is on and metrics_file is set"
                    : "read the log; systemd 251 or newer reports how a unit ended", code: nil, isFailure: true)
        }
    }

    private init(title: String, happened: String, remedy: String?, code: Int32?, isFailure: Bool) {
        self.title = title
        self.happened = happened
        self.remedy = remedy
        self.code = code
        self.isFailure = isFailure
    }
}
