import ExportBytes
import Intake
import Profiles
import Trips

// Lists that are not configured: figures for staff take the values of the exports as they are.
extension ScanPlan {
    /// The most entries of such a list, those of the standard list included.
    private static let mostEntries = 200

    /// Restricts the figures. A name that is in no list yet may be a value of the exports: it is then looked for when they are
    /// read.
    package mutating func select(_ request: ReportSelection.Request) throws(SelectionError) {
        self.request = request
        do throws(SelectionError) {
            selection = try ReportSelection(request, vocabulary: vocabulary)
        } catch {
            guard takesValues, isRepeatable, !vocabulary.openLists.isEmpty else { throw error }
            var months = request
            (months.regions, months.tripTypes) = ([], [])
            selection = try ReportSelection(months, vocabulary: vocabulary)
        }
    }

    /// The plan of a second reading, by lists that have the values of the exports too; nil if the lists that there are suffice.
    ///
    /// Of the standard entries those remain that an export uses.
    func takingValues(of files: [ScanResult.FileResult]) throws -> ScanPlan? {
        guard takesValues, isRepeatable else { return nil }
        var plan = self
        plan.takesValues = false
        var taken: [String] = []
        for (field, list) in [
            (CanonicalField.region, \Vocabulary.regions), (CanonicalField.tripType, \Vocabulary.tripTypes),
        ]
        where vocabulary.openLists.contains(field) {
            var use = ListUse()
            for file in files { use.merge(file.findings.listUse[field] ?? ListUse()) }
            let named = use.named.map(\.name), what = field == .region ? "region" : "trip type"
            let kept = vocabulary[keyPath: list].names.enumerated().dropFirst()
                .filter { use.entries.contains(UInt8(truncatingIfNeeded: $0.offset)) }.map(\.element)
            if use.isTooVaried || kept.count + named.count > Self.mostEntries {
                throw ExportError(
                    kind: .malformed, file: files.count == 1 ? files[0].name : "the exports",
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
}
