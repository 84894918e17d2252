/// The sentences that say why a cell is not shown, or incomplete, and what would show it, each with a name in braces for a
/// value.
///
/// The terminal and the dashboard page say them with the same words: Swift and the page's script fill the same templates.
package enum CellSentence: String, Sendable, CaseIterable {
    // What is shown of the cell.
    case staff = "{cell}: staff see every figure, exact; nothing is left out."
    case complete = "{cell}: shown, and its figures are of all its trips."
    case completeWithoutMeasures = "{cell}: all its trips are counted, but not every measure is of all of them."
    case incomplete = """
        {cell}: counts are “at least”, without trips that are shown only together with other cells, or are too few. Other \
        figures are of all its trips, or are not shown.
        """
    case suppressed = "{cell}: not shown by itself."
    case withheld = "{cell}: not shown."
    case noTrips = "{cell}: no trip of a released month lies there, and none is left out."

    // The groups of which it is a part.
    case groupsOfSuppressed = """
        Trips are shown in groups of at least {least} trips and patients. Whatever trips the cell has, perhaps none, \
        are shown only in {groups}.
        """
    case groupsOfIncomplete = """
        Trips are shown in groups of at least {least} trips and patients. What it leaves out, perhaps nothing, is \
        shown only in {groups}.
        """
    case group = "the group of {cells} ({trips} trips in {months})"
    case allOfRegions = "all of {regions}"

    // Other reasons.
    case monthOpen = """
        The month is open, or it was closed after the last run. A month is released once, when it is closed.
        """
    case monthNotReleased = "The month is closed, and no run has released it yet."
    case monthTooSmall = """
        {months} had fewer than {least} trips or patients when the release was made, so it has no group.
        """
    case everyMonthTooSmall = "No month has {least} trips and patients, so there is no group."
    case nothingReleased = "No month is released yet. A month is released once, when it is closed."
    case withheldMonths = """
        All months are those of the release. Not among them, since they are open, not released yet or too small: \
        {months}.
        """
    case revisionPending = """
        Some trips of its groups are late or were corrected after the release; the figures are those of the release.
        """
    case measuresNotShown = "{measures}: not shown. {why}"
    case measuresIncomplete = "{measures}: “at least”, since some trips are left out. {why}"
    case meansLeftOut = "The mean of {measures} is left out in every cell: other means add up to it."
    case missingCountsOmitted = """
        Trips used and excluded of each time, their means, costed trips and cost per trip: left out by the setting \
        missing_counts.
        """

    // Why a measure is left out.
    case countedWithOthers = "A month has fewer than {least}, or they are counted together with those of other cells."
    case fewValues = """
        Too few trips of a month have the value, or they are counted together with those of other cells.
        """
    case fewCostsBySourcing = """
        A month has fewer than {least} such trips, they are counted together with those of other cells, or too few of them \
        have a cost.
        """
    case notEachHasBoth = "It is shown only where every trip with a cost or with loaded miles has both."

    // What would show it.
    case whatWouldShowIt = "What would show it:"
    case widerCell = "See “{cell}”: it holds this cell and leaves no trip out."
    case allMonths = "See “{cell}”: it shows the months in which it is a group of its own."
    case mapRegions = "If there are trips without a region, map their values: they are merged with these."
    case mapTripTypes = "If there are trips without a trip type, map their values: they are merged with these."
    case completeValues = "Complete the values that the exports lack."
    case classifyTrips = "If there are unclassified trips, add rules or roster lines for them."
    case waitUntilClosed = """
        Wait until the month is closed: a later month has begun, or its end is past and trips of its last two days \
        are there, or 31 days have gone. The next `tripkpi run` releases it.
        """
    case publish = "Run `tripkpi run` or `tripkpi publish`."
    case waitForRevision = """
        Wait for the next revision (tripkpi publish --revise): it takes up changes where there are enough. Other \
        corrections are in the staff figures only.
        """
    case staffFigures = "See the staff figures (--audience staff): every figure, for the health system's own people."

    /// Whether it follows from a document alone, so that the page's script uses it. The others need the store, or are of cells
    /// that no document has.
    package var isOfDocument: Bool {
        switch self {
        case .staff, .withheld, .monthOpen, .monthNotReleased, .monthTooSmall, .everyMonthTooSmall, .nothingReleased,
            .meansLeftOut, .waitUntilClosed, .publish:
            false
        default: true
        }
    }

    /// The case's own name, as the page's script calls it.
    package var name: String { String(describing: self) }

    /// - Parameter values: by the template's names. A value may hold braces.
    package func text(_ values: [String: String] = [:]) -> String {
        var text = "", rest = rawValue[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open] + (values[String(rest[rest.index(after: open)..<close])] ?? "")
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// `A, B and C`; of more names than the most, `A, B and 2 more`.
    package static func list(_ names: [String], most: Int = 6) -> String {
        guard names.count > 1 else { return names.first ?? "" }
        guard names.count <= most else {
            return names.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
        }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// - Parameter least: trips and patients of a group.
    /// - Returns: `{few}`: a count below it that is not 0.
    package static func few(_ least: Int) -> String { "1 to \(least - 1)" }

    /// - Parameter groups: each as `.group`.
    package static func groups(_ groups: [String], isSuppressed: Bool, least: Int) -> String {
        (isSuppressed ? groupsOfSuppressed : groupsOfIncomplete)
            .text(["least": String(least), "groups": list(groups, most: 3)])
    }

    /// A sentence for each reason, of all measures that have it.
    package static func measures(_ measures: [(measure: PartialMeasure, isShown: Bool)], least: Int) -> [String] {
        var reasons: [(sentence: CellSentence, why: CellSentence, titles: [String])] = []
        for (measure, isShown) in measures {
            let sentence = isShown ? measuresIncomplete : measuresNotShown
            if let place = reasons.firstIndex(where: { $0.sentence == sentence && $0.why == measure.why }) {
                reasons[place].titles.append(measure.title)
            } else {
                reasons.append((sentence, measure.why, [measure.title]))
            }
        }
        return reasons.map { reason in
            let titles = list(reason.titles)
            return reason.sentence.text([
                "measures": titles.prefix(1).uppercased() + titles.dropFirst(),
                "why": reason.why.text(["least": String(least), "few": few(least)]),
            ])
        }
    }
}
