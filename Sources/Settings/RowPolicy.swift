package import Basics
import Foundation
package import Privacy
import Rules
import StrictYAML
package import Trips

/// The policy of row-level output: the privacy profile with the tables that it needs.
package struct RowPolicy: Sendable {
    package let deidentifier: Deidentifier
    /// See `GroupCounts`; 1 for a limited data set, which is not for release.
    package let minimumGroup: Int
    /// RFC 3339.
    package let generatedAt: UTCTime
    /// The policy as parts of a digest.
    package let digestParts: [String]

    /// - Parameters:
    ///   - regionsAreStates: whether each region is a state or larger.
    ///   - shownProviders: a CSV file with a column `provider`: the ids or names that rows may show.
    ///   - minimumCell: the fewest rows of a group of like rows.
    package init(
        profile: PrivacyProfile, regionsAreStates: Bool = false, shownProviders: String? = nil, data: DataFolder,
        minimumCell: Int, generatedAt: UTCTime
    ) throws {
        self.generatedAt = generatedAt
        var policy = Deidentifier.Policy(
            profile: profile,
            zipAreas: try ZIPAreas(try Self.table(data.path(of: "reference/zip3_restricted.csv"))),
            states: try States(try Self.table(data.path(of: "reference/states.csv"))), today: generatedAt.day)
        policy.regionsAreStates = regionsAreStates
        if let shownProviders { policy.shownProviders = try Self.providers(shownProviders) }
        digestParts =
            ["rows", profile.rawValue, "\(regionsAreStates)"] + policy.shownProviders.sorted()
            + policy.zipAreas.restricted.sorted()
        deidentifier = Deidentifier(policy)
        minimumGroup = profile == .safeHarbor ? minimumCell : 1
    }

    private static func table(_ path: String) throws -> CSVTable {
        try CSVTable(bytes: Configuration.load(path), file: path, hasHeader: true)
    }

    private static func providers(_ path: String) throws -> Set<String> {
        let roster = try table(path)
        guard let column = roster.column("provider") else {
            throw ConfigurationError(
                file: path, line: 1, message: "there is no column provider",
                hint: "list ids or names of the providers that may be shown in a column of that name")
        }
        return Set(roster.records.map { $0.fields[column].lowercased() }.filter { !$0.isEmpty })
    }

    /// The requested months that the profile allows.
    ///
    /// - Throws: `TripRowError.partOfAYear`: rows from one month would disclose the month of each.
    package func months(_ asked: ClosedRange<Month>?) throws(TripRowError) -> ClosedRange<Month>? {
        guard deidentifier.profile == .safeHarbor else { return asked }
        let last = Month(year: deidentifier.lastWholeYear, month: 12)
        guard let asked else { return Month(year: 1, month: 1)...last }
        guard asked.lowerBound.month == 1, asked.upperBound.month == 12 else { throw .partOfAYear }
        guard asked.lowerBound <= last else { throw .yearNotOver(last: deidentifier.lastWholeYear) }
        return asked.lowerBound...min(asked.upperBound, last)
    }
}

/// Why rows cannot be released.
package enum TripRowError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case partOfAYear
    case yearNotOver(last: Int)

    package var failureKind: FailureKind { .usage }

    package var description: String {
        switch self {
        case .partOfAYear:
            "safe-harbor shows no part of a year: rows from one month would disclose the month of each. Ask for whole "
                + "calendar years (--from 2025-01 --to 2025-12), or --privacy limited-data-set, which is PHI"
        case .yearNotOver(let last):
            "safe-harbor shows a year from \(Deidentifier.quietDays) days after its end: rows that appear night by "
                + "night would disclose their day. The last year shown is \(last)"
        }
    }
}
