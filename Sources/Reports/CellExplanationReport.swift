import KPIContract
import KPIs
package import Privacy
package import Trips

/// A cell's explanation in words and as JSON.
package struct CellExplanationReport: Sendable {
    let explanation: CellExplanation
    let regions: NamedList
    let tripTypes: NamedList

    package init(_ explanation: CellExplanation, regions: NamedList, tripTypes: NamedList) {
        self.explanation = explanation
        self.regions = regions
        self.tripTypes = tripTypes
    }

    /// Sentences, one a line.
    package var lines: [String] {
        var lines = [lead]
        let groups = explanation.reasons.compactMap(groupText)
        if !groups.isEmpty { lines.append(groupLead + Self.list(groups, most: 3) + ".") }
        lines += explanation.reasons.filter { groupText($0) == nil }.map(text)
        let remedies = explanation.remedies.map(text)
        return lines + (remedies.isEmpty ? [] : ["What would show it:"] + remedies.map { "- " + $0 })
    }

    var lead: String {
        let cell = name(explanation.scope)
        return switch explanation.state {
        case .staff: "\(cell): staff see every figure, exact; nothing is left out."
        case .complete: "\(cell): shown, and its figures are of all its trips."
        case .incomplete: "\(cell): shown without trips that are shown only together with other cells."
        case .suppressed: "\(cell): not shown by itself."
        case .withheld: "\(cell): not shown."
        case .noTrips: "\(cell): no trip of a released month lies there, and none is left out."
        }
    }

    private func name(_ scope: CellScope) -> String {
        [
            scope.region.map(regions.name) ?? "All regions", scope.tripType.map(tripTypes.name) ?? "all trip types",
            scope.month?.description ?? "all months",
        ].joined(separator: ", ")
    }

    private var groupLead: String {
        "Trips are shown in groups of at least \(explanation.minimumCell) trips and patients. "
            + (explanation.state == .suppressed
                ? "Whatever trips the cell has, perhaps none, are shown only in "
                : "What it leaves out, perhaps nothing, is shown only in ")
    }

    /// Nil for a reason that is no group.
    private func groupText(_ reason: CellExplanation.Reason) -> String? {
        guard case .merged(let leaves, let months, let trips) = reason else { return nil }
        let count = "\(NumberText.grouped(trips)) trips in \(Self.list(months.map(\.description)))"
        return "the group of \(name(of: leaves)) (\(count))"
    }

    /// A region of which each trip type is there is named as a whole.
    private func name(of leaves: [LeafScope]) -> String {
        let whole = Set(
            Dictionary(grouping: leaves, by: \.region).filter { $0.value.count == tripTypes.names.count }.keys)
        let names = (whole.subtracting([0]).sorted() + whole.filter { $0 == 0 }).map(regions.name)
        let others = leaves.filter { !whole.contains($0.region) }.map {
            "\(regions.name(of: $0.region)) \(tripTypes.name(of: $0.tripType))"
        }
        return Self.list((names.isEmpty ? [] : ["all of \(Self.list(names))"]) + others)
    }

    func text(_ reason: CellExplanation.Reason) -> String {
        let least = explanation.minimumCell
        return switch reason {
        case .merged: groupLead + (groupText(reason) ?? "") + "."
        case .monthOpen:
            "The month is open, or it was closed after the last run. A month is released once, when it is closed."
        case .monthNotReleased: "The month is closed, and no run has released it yet."
        case .tooFew(let month?):
            "\(month) had fewer than \(least) trips or patients when the release was made, so it has no group."
        case .tooFew(nil): "No month has \(least) trips and patients, so there is no group."
        case .nothingReleased: "No month is released yet. A month is released once, when it is closed."
        case .withheldMonths(let months):
            "All months are those of the release. Not among them, since they are open, not released yet or too small: "
                + "\(Self.list(months.map(\.description)))."
        case .revisionPending:
            "Some trips of its groups are late or were corrected after the release; the figures are those of the release."
        case .measureNotShown(let measure): "\(measure.title): not shown. \(why(measure))"
        case .measureIncomplete(let measure): "\(measure.title): some groups are left out. \(why(measure))"
        case .sourcingInTwo:
            "Contracted and unclassified trips are one count: in some group one of the two has 1 to \(least - 1) trips or "
                + "patients."
        case .meansLeftOut(let intervals):
            "The mean of \(Self.list(intervals.map(\.name))) is left out in every cell: other means add up to it."
        case .missingCountsOmitted:
            "Trips used and excluded of each time, their means, costed trips and cost per trip: left out by the setting "
                + "missing_counts."
        }
    }

    private func why(_ measure: PublishedMeasure) -> String {
        let few = "1 to \(explanation.minimumCell - 1)"
        return switch measure {
        case .cancelled, .noShow:
            "A month has fewer than \(explanation.minimumCell), or they are counted together with those of other cells."
        case .sourcing: "Of a group's in-house, contracted or unclassified trips one part has \(few) trips or patients."
        case .cost: "Only \(few) trips of a group have a cost."
        case .costBySourcing:
            "A group is not divided by sourcing, or only \(few) trips of a group or of one of its parts have a cost."
        case .loadedMiles, .unloadedMiles: "Only \(few) trips of a group have these miles."
        case .interval: "Only \(few) trips of a group have both times."
        }
    }

    func text(_ remedy: CellExplanation.Remedy) -> String {
        switch remedy {
        case .widerCell(let scope): "See “\(name(scope))”: it holds this cell and leaves no trip out."
        case .allMonths(let scope): "See “\(name(scope))”: it shows the months in which it is a group of its own."
        case .mapRegions: "Map the values of trips without a region: they are merged with these."
        case .mapTripTypes: "Map the values of trips without a trip type: they are merged with these."
        case .completeValues: "Complete the values that the exports lack."
        case .classifyTrips: "Add rules or roster lines for trips that are unclassified."
        case .waitUntilClosed:
            "Wait until the month is closed: a later month has begun, or its end is past and trips of its last two days "
                + "are there, or 31 days have gone. The next `tripkpi run` releases it."
        case .publish: "Run `tripkpi run` or `tripkpi publish`."
        case .waitForRevision:
            "Run `tripkpi publish --revise`, or wait for the next revision: it takes up changes where there are enough. "
                + "Other corrections are in the staff figures only."
        case .staff: "Use --audience staff: every figure, for the health system's own people."
        }
    }

    private static func list(_ names: [String], most: Int = 6) -> String {
        guard names.count > 1 else { return names.first ?? "" }
        guard names.count <= most else {
            return names.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
        }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
}

extension PublishedMeasure {
    fileprivate var title: String {
        switch self {
        case .cancelled: "Cancelled trips"
        case .noShow: "No-shows"
        case .sourcing: "In-house and contracted trips"
        case .cost: "Cost"
        case .costBySourcing: "Cost by sourcing"
        case .loadedMiles: "Loaded miles"
        case .unloadedMiles: "Unloaded miles"
        case .interval(let interval): interval.name.prefix(1).uppercased() + interval.name.dropFirst()
        }
    }
}
