import KPIContract

/// One use of the data, as a line of the audit log. It has no value of an export, and no plain hash of one.
package struct AuditEntry: Sendable {
    /// The kind of use.
    package enum Event: String, Sendable, CaseIterable {
        case load, withdraw, publish, rollback, hold, resume, report, trips, facts, tally, query, classify, reidentify,
            waive, unwaive, forget, backup, restore, purge
        case rotateKey = "rotate-key"
        case forgetCrosswalk = "forget-crosswalk"
        case beginLog = "begin-log"
        case adoptReleases = "adopt-releases"
        case approve
        case acceptClock = "accept-clock"

        fileprivate var hasReason: Bool { self == .reidentify || self == .beginLog }
    }

    /// What became of the use, if it did not follow its entry.
    package enum Outcome: String, Sendable {
        /// The use ended with an error and changed nothing.
        case refused
    }

    /// Who did it.
    package struct Actor: Sendable, Hashable {
        package var user: String
        package var userID: UInt32
        package var host: String

        package init(user: String, userID: UInt32, host: String) {
            self.user = user
            self.userID = userID
            self.host = host
        }
    }

    /// A file that was released, or standard output.
    package struct Output: Sendable, Hashable {
        package var name: String
        package var bytes: Int
        /// 64 hexadecimal digits; nil for what went to standard output as it was made.
        package var sha256: String?

        package init(name: String, bytes: Int, sha256: String?) {
            self.name = name
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    package var event: Event
    package var actor: Actor
    /// RFC 3339, UTC, by the real clock.
    package var time: String
    /// Such as `tripkpi 0.1.0`.
    package var tool: String
    /// Such as `tripkpi run`; without arguments, for a path may name a person.
    package var command: String
    /// SHA-256 of rules, lists and threshold.
    package var configuration: String?
    /// HMAC-SHA-256 of each input's SHA-256 under the pseudonym key: a plain hash of an export could be guessed.
    package var inputs: [String] = []
    /// The equation of the run, by name.
    package var counts: [(name: String, value: Int)] = []
    package var outputs: [Output] = []
    package var runID: String?
    package var minimumCell: Int?
    package var suppressedCells: Int?
    /// The suppression pattern that was published.
    package var suppressionPattern: String?
    /// The result of the audit of that pattern.
    package var auditResult: String?
    /// What the outputs were scanned for.
    package var outputScan: String?
    /// Nothing was suppressed.
    package var isInternal = false
    /// The reason for a re-identification or a new log; other events have none.
    package var reason: String?
    /// The trips of a re-identification, by their public ids; other events have none.
    package var publicIDs: [String] = []
    /// Who approved the release of months.
    package var approvedBy: String?
    /// The privacy profile of released rows.
    package var rowProfile: String?
    /// Nil: the use followed, or the process was stopped before it could. See `AuditRecorder.recording`.
    package var outcome: Outcome?

    package init(event: Event, actor: Actor, time: String, tool: String, command: String) {
        self.event = event
        self.actor = actor
        self.time = time
        self.tool = tool
        self.command = command
    }

    /// Members in their order, after those of the chain.
    var members: [CanonicalJSON.Member] {
        let outputs = outputs.map { output in
            CanonicalJSON.object([
                .init("name", .text(output.name)), .init("bytes", .integer(output.bytes)),
                .init("sha256", .text(orNull: output.sha256)),
            ])
        }
        return [
            .init("time", .text(time)), .init("event", .text(event.rawValue)), .init("user", .text(actor.user)),
            .init("userId", .integer(Int(actor.userID))), .init("host", .text(actor.host)), .init("tool", .text(tool)),
            .init("command", .text(command)), .init("configuration", .text(orNull: configuration)),
            .init("run", .text(orNull: runID)), .init("inputs", .list(inputs.map { .text($0) })),
            .init("counts", .object(counts.map { .init($0.name, .integer($0.value)) })),
            .init("outputs", .list(outputs)), .init("minimumCell", .integer(minimumCell)),
            .init("suppressedCells", .integer(suppressedCells)),
            .init("suppressionPattern", .text(orNull: suppressionPattern)),
            .init("auditResult", .text(orNull: auditResult)), .init("outputScan", .text(orNull: outputScan)),
            .init("internal", .bool(isInternal)),
            .init("reason", .text(orNull: event.hasReason ? reason : nil)),
            .init("publicIds", .list(event == .reidentify ? publicIDs.map { .text($0) } : [])),
            .init("rowProfile", .text(orNull: rowProfile)),
            .init("outcome", outcome.map { .text($0.rawValue) } ?? .absent),
            .init("approvedBy", approvedBy.map { .text($0) } ?? .absent),
        ]
    }
}
