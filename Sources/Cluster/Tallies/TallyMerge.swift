import KPIs
import Reporting
package import Trips

/// What `tripkpi merge` does: tallies of several machines become the result that one scan of all their exports has.
package struct TallyMerge {
    private let files: [String]
    private let months: MonthLimits
    private let isUnique: Bool

    /// - Parameters:
    ///   - files: of tallies, at least one.
    ///   - months: of the figures.
    ///   - isUnique: the caller states that no trip is in two files. Else two files must not have a source in common: a trip
    ///     is identified by its source and its ids.
    package init(_ files: [String], months: MonthLimits, isUnique: Bool) {
        self.files = files
        self.months = months
        self.isUnique = isUnique
    }

    package func run() throws -> MergedTallies {
        let files = try files.map { try TallyFile($0) }
        let summary = try Self.sum(files, isUnique: isUnique)
        var tally = KPITally(shape: summary.shape)
        for file in files { try file.add(to: &tally) }
        guard tally.hasSumsInRange else { throw TallyFileError(file: "the files", .tooLarge) }
        let everyMonth = tally
        tally.removeMonths(outside: months)
        let context = KPITally.TableContext(
            regions: NamedList(summary.regions), tripTypes: NamedList(summary.tripTypes),
            intervalPairs: summary.readings.intervalPairs)
        guard tally.isSure, let table = tally.table(context) else {
            throw TallyFileError(file: "the files", .patientsUnsure)
        }
        let result = TrueFigures(
            table: table, tally: tally, context: context, cells: .everything, counts: summary.counts, files: [],
            dateBasis: summary.readings.dateBasis, selection: months.phrases, exportCount: summary.exports.count)
        return MergedTallies(result: result, everyMonth: everyMonth, summary: summary)
    }

    /// The summary of all files together, after the check that their trips can be counted together.
    private static func sum(_ files: [TallyFile], isUnique: Bool) throws(TallyFileError) -> TallySummary {
        guard var sum = files.first?.summary else { throw TallyFileError(file: "no file", .noSummary) }
        for file in files.dropFirst() {
            let other = file.summary
            if let problem = sum.difference(from: other) ?? sum.commonTrips(with: other, isUnique: isUnique) {
                throw TallyFileError(file: file.name, problem)
            }
            sum.add(other)
        }
        return sum
    }
}

extension TallySummary {
    /// What keeps the trips of two files from being counted together.
    fileprivate func difference(from other: TallySummary) -> TallyFileError.Problem? {
        if keyFingerprint != other.keyFingerprint { return .differs("keys (--key-file)") }
        if (rulesName, rulesVersion) != (other.rulesName, other.rulesVersion) { return .differs("rules") }
        if regions != other.regions { return .differs("regions") }
        if tripTypes != other.tripTypes { return .differs("trip types") }
        return nil
    }

    /// Whether a trip may be in both.
    fileprivate func commonTrips(with other: TallySummary, isUnique: Bool) -> TallyFileError.Problem? {
        if !Set(exports).isDisjoint(with: other.exports) { return .sameExport }
        if isUnique { return nil }
        let common = Set(readings.map(\.source)).intersection(other.readings.map(\.source))
        return common.min().map(TallyFileError.Problem.sameSource)
    }

    fileprivate mutating func add(_ other: TallySummary) {
        readings += other.readings.filter { !readings.contains($0) }
        exports += other.exports
        counts.merge(other.counts)
        void += other.void
    }
}
