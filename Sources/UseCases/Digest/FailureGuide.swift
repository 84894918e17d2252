package import Trips

/// What each kind of failure means to an operator, and what to do: the table of docs/nightly.md and the words of a digest.
package struct FailureGuide: Sendable, Hashable {
    package let happened: String
    package let remedy: String

    init(_ happened: String, _ remedy: String) {
        self.happened = happened
        self.remedy = remedy
    }

    static let signal = Self("a signal ended it", "start it again: it continues where it was stopped")

    package init(_ kind: FailureKind) {
        self =
            switch kind {
            case .usage: Self("wrong usage", "read the message, and `tripkpi help` with the command")
            case .data:
                Self(
                    "an export could not be loaded, the data are too old, the audit log is not whole, or an output may not be "
                        + "published; the other exports are loaded and, except in the last two cases, published",
                    "run `tripkpi quarantine list`, then see When an export fails")
            case .inputMissing: Self("inbox or store is missing", "check path and mount")
            case .internalBug: Self("internal error", "keep the log and report it")
            case .cannotCreate, .inputOutput:
                Self(
                    "a folder cannot be made, the disk is full, the machine failed while an export was read, or the store is "
                        + "damaged",
                    "free space and run again; replace a damaged store by a backup")
            case .locked:
                Self(
                    "another run holds the lock; the message names its process",
                    "wait; the lock ends with its process")
            case .permission: Self("permission", "run as the owner of store and reports")
            case .configuration:
                Self(
                    "settings, profile or rules are wrong; the key belongs to another store or is missing; the clock is "
                        + "behind the last run, or far ahead of it", "read the message")
            }
    }
}
