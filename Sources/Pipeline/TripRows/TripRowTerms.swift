import Conditions
package import Deidentification
import Foundation
import Operations
import StrictYAML
package import Trips

/// What the configuration says of row-level output, with the tables it needs.
package struct TripRowTerms: Sendable {
    /// What row-level settings say.
    package struct Request: Sendable {
        package var profile: PrivacyProfile.Name
        package var regionsAreStates: Bool
        /// A CSV file with a column `provider`: ids or names that may be shown.
        package var shownProviders: String?

        package init(profile: PrivacyProfile.Name, regionsAreStates: Bool = false, shownProviders: String? = nil) {
            self.profile = profile
            self.regionsAreStates = regionsAreStates
            self.shownProviders = shownProviders
        }
    }

    package let deidentifier: Deidentifier
    /// See `GroupCounts`; 1 for a limited data set, which is not for release.
    package let minimumGroup: Int
    /// RFC 3339.
    package let generatedAt: String
    /// What tells these terms from others.
    let digestParts: [String]

    package init(_ request: Request, data: DataFolder, minimumCell: Int, generatedAtEpochSeconds: Int) throws {
        let time = UTCTime(secondsSince1970: generatedAtEpochSeconds)
        generatedAt = time.description
        func table(_ path: String) throws -> CSVTable {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw ConfigurationError(file: path, message: "it cannot be read", hint: "check the path and its mode")
            }
            return try CSVTable(bytes: Array(bytes), file: path, hasHeader: true)
        }
        var terms = Deidentifier.Terms(
            profile: .named(request.profile),
            zipAreas: try ZIPAreas(try table(data.path(of: "reference/zip3_restricted.csv"))),
            states: try States(try table(data.path(of: "reference/states.csv"))), today: time.day)
        terms.regionsAreStates = request.regionsAreStates
        if let path = request.shownProviders {
            let roster = try table(path)
            guard let column = roster.column("provider") else {
                throw ConfigurationError(
                    file: path, line: 1, message: "there is no column provider",
                    hint: "list ids or names of the providers that may be shown in a column of that name")
            }
            terms.shownProviders = Set(roster.records.map { $0.fields[column].lowercased() }.filter { !$0.isEmpty })
        }
        digestParts =
            ["rows", request.profile.rawValue, "\(request.regionsAreStates)"] + terms.shownProviders.sorted()
            + terms.zipAreas.restricted.sorted()
        deidentifier = Deidentifier(terms)
        minimumGroup = request.profile == .safeHarbor ? minimumCell : 1
    }

    /// The months that are asked for, as far as the profile lets them be.
    ///
    /// - Throws: `TripRowError.partOfAYear`: whoever knows that the rows are of one month knows the month of each.
    package func months(_ asked: ClosedRange<Month>?) throws(TripRowError) -> ClosedRange<Month>? {
        guard deidentifier.profile.name == .safeHarbor else { return asked }
        let last = Month(year: deidentifier.lastWholeYear, month: 12)
        guard let asked else { return Month(year: 1, month: 1)...last }
        guard asked.lowerBound.month == 1, asked.upperBound.month == 12 else { throw .partOfAYear }
        guard asked.lowerBound <= last else { throw .yearNotOver(last: deidentifier.lastWholeYear) }
        return asked.lowerBound...min(asked.upperBound, last)
    }
}

/// Why rows cannot be given out.
package enum TripRowError: Error, Sendable, Hashable, CustomStringConvertible {
    case partOfAYear
    case yearNotOver(last: Int)

    package var description: String {
        switch self {
        case .partOfAYear:
            "safe-harbor shows no part of a year: rows of one month would tell the month of each. Ask for whole calendar "
                + "years (--from 2025-01 --to 2025-12), or --profile limited-data-set, which is PHI"
        case .yearNotOver(let last):
            "safe-harbor shows a year from \(Deidentifier.quietDays) days after its end: rows that appear night by night "
                + "would tell their day. The last one is \(last)"
        }
    }
}
