import Basics
import ExportBytes
import Files
import Intake
import Profiles
package import Reporting
import Trips

// Lists that are not configured: figures for staff take the values of the exports as they are.
extension ScanRequest {
    /// The most entries of such a list, those of the standard list included.
    private static let mostEntries = 200

    /// Restricts the figures. A name that is in no list yet may be a value of the exports: it is then looked for when they are
    /// read.
    package mutating func select(_ request: ReportSelection.Request) throws(SelectionError) {
        self.request = request
        do throws(SelectionError) {
            selection = try ReportSelection(request, vocabulary: vocabulary)
        } catch {
            guard hasOpenLists else { throw error }
            var months = request
            (months.regions, months.tripTypes) = ([], [])
            selection = try ReportSelection(months, vocabulary: vocabulary)
        }
    }

    /// Whether lists take values of the exports.
    var hasOpenLists: Bool {
        takesValues && !vocabulary.openLists.isEmpty && isRepeatable
    }

    /// Whether all inputs can be read again. Standard input and pipes have their bytes once. Of a path at which nothing is,
    /// opening it says more.
    package var isRepeatable: Bool {
        inputs.allSatisfy { path in
            if path == "-" { return false }
            guard let status = FileStatus(path, followsLinks: true) else { return true }
            return status.kind == .file
        }
    }

    /// The plan by lists that have the values of the exports too; nil if the lists that there are suffice.
    ///
    /// Of the standard entries those remain that an export uses.
    ///
    /// - Parameters:
    ///   - uses: how the values fit the lists of `reading`.
    ///   - fewest: so many records make a value an entry.
    func takingValues(
        of uses: [CanonicalField: ListUse], read reading: ScanRequest, ofAtLeast fewest: Int = MinimumCell.standard,
        inFile file: String
    ) throws -> ScanRequest? {
        var plan = self
        plan.takesValues = false
        var taken: [String] = []
        for (field, list) in [
            (CanonicalField.region, \Vocabulary.regions), (CanonicalField.tripType, \Vocabulary.tripTypes),
        ]
        where vocabulary.openLists.contains(field) {
            let use = uses[field] ?? ListUse()
            let named = use.named(ofAtLeast: fewest, withTaken: true).map(\.name)
            let what = field == .region ? "region" : "trip type"
            let used = use.lacking.union(use.entries.map { reading.vocabulary[keyPath: list].names[Int($0)] })
            let kept = vocabulary[keyPath: list].names.dropFirst().filter(used.contains)
            if use.isTooVaried || kept.count + named.count > Self.mostEntries {
                throw ExportError(
                    kind: .malformed, file: file,
                    problem: "the \(what) has more than \(Self.mostEntries) different values, so it is no \(what)",
                    remedy: "map another column to \(field.rawValue), or list the \(what)s that there are below "
                        + "`\(field == .region ? "regions" : "trip_types"):` in the profile or the settings")
            }
            if named.isEmpty { continue }
            plan.vocabulary[keyPath: list] = NamedList(kept + named)
            let names = named.map { "“\($0)”" }.joined(separator: ", ")
            taken.append("the \(what)\(named.count == 1 ? "" : "s") \(names) \(named.count == 1 ? "comes" : "come")")
        }
        guard !taken.isEmpty else {
            if let request { _ = try ReportSelection(request, vocabulary: vocabulary) }
            return nil
        }
        plan.profile?.vocabulary = plan.vocabulary
        if let request { plan.selection = try ReportSelection(request, vocabulary: plan.vocabulary) }
        plan.listNotes = taken.map {
            "note: \($0) from the exports, since no list is configured; a release has Unassigned in their place"
        }
        return plan
    }

    /// Records of each export that the lists are guessed from.
    private static let guessedFrom = 4096
    /// Of a part of an export, a value that comes twice is taken for an entry.
    private static let fewestOfAPart = 2

    /// The plan by the lists that the first records of each export suggest. Whoever reads by it compares its lists with those of all
    /// records: so a guess decides how often the exports are read, and nothing else.
    func guessingLists() throws -> ScanRequest {
        var sampling = self
        sampling.identifiers = nil
        var uses: [CanonicalField: ListUse] = [:], isWhole = true
        for index in inputs.indices {
            guard let first = try sampling.open(index, textNeeds: []).listUse(ofFirst: Self.guessedFrom) else {
                return self
            }
            for (field, use) in first.use { uses[field, default: ListUse()].merge(use) }
            isWhole = isWhole && first.isWhole
        }
        do {
            return try takingValues(
                of: uses, read: self, ofAtLeast: isWhole ? MinimumCell.standard : Self.fewestOfAPart,
                inFile: "the exports") ?? self
        } catch {
            // What does not fit the first records may fit all of them; if not, the reading of all says so.
            return self
        }
    }
}
