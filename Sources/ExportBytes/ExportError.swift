package import Trips

/// An export that cannot be read as a whole. Nothing of it is loaded.
///
/// It names the file, the place and how to fix it, and never a value of the file.
package struct ExportError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// Which family of failure it is; the command line maps it to an exit code.
    package enum Kind: Sendable, Hashable {
        case missing, forbidden, unreadable
        /// The machine failed, and not the file: a second try may read it.
        case readFailed
        case damaged, malformed, tooManyRejects, missingColumns, notRepeatable, changing
        /// A column is missing that the source had at its last load.
        case columnsGone
        /// Records with one key are no versions of one trip: what a record is must be said.
        case unclearRecords
        /// Ids of other exports come again for other trips.
        case reusedIDs
        /// It ends within a record.
        case cutOff
        /// Most of its trips are known under another source.
        case repeatedTrips
        /// An internal error: the counts of a reading do not add up to the records read.
        case notReconciled
        /// Too many values of a column cannot be read.
        case unreadableValues
        /// Its costs are in more than one currency.
        case mixedCurrencies
    }

    package var kind: Kind
    /// The file as the user named it, or `standard input`.
    package var file: String
    /// Byte offset in the file (for a compressed or transcoded one: in its decoded text), if there is a place.
    package var offset: Int?
    package var problem: String
    package var remedy: String
    /// Whether it only says that another worker failed.
    package var isConsequence = false
    /// What was read, if too many records are rejected or too many values cannot be read.
    package var counts: ReadCounts?
    /// What its records seem to be, as a profile would state it below “records:”; nil: nothing shows it.
    package var recordKind: String?
    /// Records to look at, in words, with no value of them.
    package var places: [String] = []

    package init(kind: Kind, file: String, offset: Int? = nil, problem: String, remedy: String) {
        self.kind = kind
        self.file = file
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
    }

    /// The file has changed since reading began.
    package static func changed(_ file: String, offset: Int? = nil) -> ExportError {
        ExportError(
            kind: .changing, file: file, offset: offset, problem: "it changed while it was read",
            remedy: "wait until its writer has finished and run again")
    }

    package static func notReconciled(_ counts: ReadCounts) -> ExportError {
        ExportError(
            kind: .notReconciled, file: "all exports", problem: "the records do not add up (\(counts.equation))",
            remedy: "please report this internal error")
    }

    package static func notRegular(_ file: String) -> ExportError {
        ExportError(
            kind: .unreadable, file: file, problem: "it is not a regular file",
            remedy: "give a file that lies on a disk: it is read twice, to know it and to load it")
    }

    package var failureKind: FailureKind {
        switch kind {
        case .missing: .inputMissing
        case .forbidden: .permission
        case .unreadable, .readFailed: .inputOutput
        case .damaged, .malformed, .tooManyRejects, .missingColumns, .columnsGone, .cutOff, .repeatedTrips,
            .unclearRecords, .reusedIDs, .notRepeatable, .unreadableValues, .mixedCurrencies,
            .changing:
            .data
        case .notReconciled: .internalBug
        }
    }

    package var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return (["\(file)\(place): \(problem); \(remedy)"] + places.map { "  \($0)" }).joined(separator: "\n")
    }
}
