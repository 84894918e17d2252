import Reporting

/// What a person asks of a publication beyond what a night does.
package struct PublishRequest: Sendable, Hashable {
    package var revision: RevisionRequest
    /// Who approves what is released now; nil: no person does.
    package var approvedBy: String?
    /// Whether the clock is right although earlier runs contradict it.
    package var acceptsClock: Bool

    package init(revision: RevisionRequest = .whenDue, approvedBy: String? = nil, acceptsClock: Bool = false) {
        self.revision = revision
        self.approvedBy = approvedBy
        self.acceptsClock = acceptsClock
    }
}
