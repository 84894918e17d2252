package import Trips

/// Why no cost workbook could be made.
package enum CostsError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// The costs by provider are not those of the summary.
    case notReconciled(trips: Int, costCents: Int)
    /// The costs by provider are not those of the trips.
    case otherLines(Int)
    /// The exports are read twice.
    case standardInput

    package var failureKind: FailureKind { .data }

    private static let changed =
        "the data changed while they were read; run it again, and report it as a bug if it stays so"

    package var description: String {
        switch self {
        case .notReconciled(let trips, let costCents):
            "the costs by provider differ from the summary by \(trips) trips and \(costCents) cents: \(Self.changed)"
        case .otherLines(let count):
            "\(count) lines of costs by provider are not those of the trips: \(Self.changed)"
        case .standardInput:
            "`costs` reads exports twice, and standard input can be read only once; name the export as a file, or add "
                + "--release"
        }
    }
}
