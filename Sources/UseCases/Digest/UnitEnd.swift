/// How a unit of systemd ended, as its variables `$MONITOR_…` report it to a unit of `OnFailure=`.
///
/// Source: https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html, "Environment Variables Set or
/// Propagated by the Service Manager".
package struct UnitEnd: Sendable, Hashable {
    /// Such as `tripkpi.service`.
    package let unit: String?
    /// `$MONITOR_EXIT_STATUS`: an exit code or the name of a signal.
    package let status: String?
    /// `$MONITOR_SERVICE_RESULT`: `exit-code`, `timeout` and so on.
    package let result: String?

    /// An empty text is none: systemd sets the variables only after a unit has ended.
    ///
    /// - Returns: nil if a text has another form. A mail takes these texts into its subject.
    package init?(unit: String?, status: String?, result: String?) {
        func isPlain(_ text: String?, _ isAllowed: (UInt8) -> Bool, atMost count: Int) -> Bool {
            text.map { $0.utf8.count <= count && $0.utf8.allSatisfy(isAllowed) } ?? true
        }
        guard isPlain(unit, { Self.isWord($0) || Self.unitMarks.contains($0) }, atMost: 255),
            isPlain(status, { Self.isWord($0) || $0 == UInt8(ascii: "+") }, atMost: 16),
            isPlain(result, Self.isWord, atMost: 32)
        else { return nil }
        func given(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        self.unit = given(unit)
        self.status = given(status)
        self.result = given(result)
    }

    private static let unitMarks = Set("@:_.\\".utf8)

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Whether it is the unit of the nightly run, whose metrics file it is, or no unit is named.
    var isOfNightlyRun: Bool { unit.map { $0 == "tripkpi.service" } ?? true }

    /// Whether its exit codes are those of tripkpi.
    var isOfTripkpi: Bool { unit.map { $0.prefixMatch(of: /tripkpi[.@-]/) != nil } ?? true }

    package var code: Int32? { status.flatMap { Int32($0) } }

    /// The unit for people. The arguments of a command (`tripkpi@publish\x20--revise`) are left out: a reason may be one.
    var label: String? { unit.map { Self.cut($0).map { "\($0)…" } ?? $0 } }

    /// What `journalctl -u` takes.
    var journalPattern: String { unit.map { Self.cut($0).map { "'\($0)*'" } ?? "'\($0)'" } ?? "tripkpi" }

    /// The unit up to the first escaped blank; nil: it has none.
    private static func cut(_ unit: String) -> Substring? {
        unit.firstRange(of: "\\x20").map { unit[..<$0.lowerBound] }
    }

    /// Why the service manager ended the unit, or could not start it; nil: the exit code says it.
    var guide: FailureGuide? {
        switch result {
        case "timeout":
            FailureGuide("it took longer than the unit allows", "see why in the log; it continues next time")
        case "oom-kill", "oom":
            FailureGuide(
                "the system ended it because memory was short", "raise MemoryMax= of the unit, or set jobs lower")
        case "signal": .signal
        case "core-dump": FailureGuide("internal error", "keep the log and report it")
        case "start-limit-hit":
            FailureGuide(
                "it failed too often and is not started again",
                "fix what the log says; then `systemctl reset-failed` for the unit, and start it")
        case "resources", "protocol", "watchdog", "exec-condition":
            FailureGuide("systemd could not start or watch it", "see `systemctl status` of the unit")
        default:
            // systemd's own exit codes: 203 no program, 217 no user, 226 no sandbox, 243 no credential.
            (200...245).contains(code ?? 0)
                ? FailureGuide(
                    "systemd could not start it: no program, user, key or sandbox",
                    "see `systemctl status` of the unit") : nil
        }
    }
}
