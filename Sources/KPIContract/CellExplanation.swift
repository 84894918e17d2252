package import Basics

/// Why a cell of the release is not shown, or incomplete, and what would show it.
///
/// It is made from the published document alone, so it discloses nothing that the document does not. The page and
/// `tripkpi report --explain` use the same explanation.
package struct CellExplanation: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// Staff see every figure.
        case staff
        /// The figures are of all trips of the cell; a measure of it may still be left out.
        case complete
        /// The figures leave out groups that reach beyond the cell.
        case incomplete
        /// No group lies in the cell.
        case suppressed
        /// The month is not in the release.
        case withheld
        /// No released trip lies there.
        case noTrips
    }

    package enum Reason: Sendable, Hashable {
        /// Trips of the cell are shown only together with those of other cells: in each of these months one group of these
        /// leaves, with so many trips in all.
        case merged(leaves: [Leaf], months: [String], trips: Int)
        /// The month is open, or it was closed after the last run.
        case monthOpen
        /// It is closed, and no run has released it.
        case monthNotReleased
        /// A month, or every month if nil, has too few trips or patients for a group.
        case tooFew(String?)
        /// No month is released.
        case nothingReleased
        /// Months that "All" does not hold.
        case withheldMonths([String])
        case revisionPending
        /// No group of the cell shows the measure.
        case measureNotShown(PartialMeasure)
        /// Some groups of the cell do not.
        case measureIncomplete(PartialMeasure)
        /// Other means add up to those of these intervals.
        case meansLeftOut([String])
        /// The setting `missing_counts: omit`.
        case missingCountsOmitted
    }

    package enum Remedy: Sendable, Hashable {
        /// A cell that holds this one and is complete.
        case widerCell(CellKey)
        /// The cell of all months shows those months in which it is a group of its own.
        case allMonths(CellKey)
        case mapRegions, mapTripTypes, completeValues, classifyTrips, waitUntilClosed, publish, waitForRevision, staff
    }

    /// One region and one trip type.
    package struct Leaf: Sendable, Hashable {
        package let region: String
        package let tripType: String

        package init(region: String, tripType: String) {
            self.region = region
            self.tripType = tripType
        }

        /// A region of which each trip type is there is named as a whole.
        ///
        /// - Parameters:
        ///   - regions: of the document, in its order.
        ///   - tripTypes: of the document; empty: no region is named as a whole.
        static func names(_ leaves: [Leaf], regions: [String], tripTypes: Set<String>) -> [String] {
            let whole = regions.filter { region in
                !tripTypes.isEmpty && leaves.count { $0.region == region } == tripTypes.count
            }
            let others = leaves.filter { !whole.contains($0.region) }.map { "\($0.region) \($0.tripType)" }
            return (whole.isEmpty ? [] : [CellSentence.allOfRegions.text(["regions": CellSentence.list(whole)])])
                + others
        }
    }

    package let cell: CellKey
    package let audience: String
    package let minimumCell: Int
    package private(set) var state: State
    package private(set) var reasons: [Reason]
    package private(set) var remedies: [Remedy] = []
    /// For the names of groups: a region with each of these is named as a whole. Empty if no group may hold trips
    /// without a trip type.
    private var tripTypes: Set<String> = []
    /// In the order of the document.
    private var regions: [String] = []

    /// For a month that is not released, or a release without any month.
    package init(of cell: CellKey, withheldAs reason: Reason, minimumCell: Int) {
        self.cell = cell
        self.minimumCell = minimumCell
        audience = "release"
        state = .withheld
        reasons = [reason]
        remedies =
            switch reason {
            case .monthOpen: [.waitUntilClosed, .staff]
            case .monthNotReleased, .nothingReleased: [.publish, .staff]
            default: [.staff]
            }
    }

    /// For a cell of a document.
    ///
    /// - Parameter namesMeans: whether to say which means no cell has.
    package init(of cell: CellKey, in summary: KPISummaryV1, namesMeans: Bool = true) {
        self.cell = cell
        audience = summary.audience ?? ""
        minimumCell = summary.privacy.minimumCell
        state = .staff
        reasons = []
        guard audience == "release" else { return }
        regions = summary.filters.regions
        if summary.filters.tripTypes.contains(CellKey.unassigned) { tripTypes = Set(summary.filters.tripTypes) }
        tripTypes.remove(CellKey.all)
        state = .noTrips
        if let published = summary.cell(at: cell) { explain(published, in: summary, namesMeans: namesMeans) }
        guard cell.month == CellKey.all else { return }
        let absent = summary.withheldMonths.filter { month in !summary.cells.contains { $0.month == month } }
        if !absent.isEmpty { reasons.append(.withheldMonths(absent)) }
    }

    private mutating func explain(_ published: KPISummaryV1.Cell, in summary: KPISummaryV1, namesMeans: Bool) {
        if published.suppressed {
            state = .suppressed
        } else if published.complete == false {
            state = .incomplete
        } else if published.trips != 0 {
            state = .complete
        }
        explainGroups(published, in: summary)
        if !published.suppressed { explainMeasures(published, in: summary, namesMeans: namesMeans) }
        if published.revisionPending == true {
            reasons.append(.revisionPending)
            remedies.append(.waitForRevision)
        }
        if !reasons.isEmpty { remedies.append(.staff) }
    }

    /// Groups that reach beyond the cell. Those of the same leaves in several months are named once.
    private mutating func explainGroups(_ published: KPISummaryV1.Cell, in summary: KPISummaryV1) {
        let filters = summary.filters
        // What is not among the filters is not part of the document's own "All".
        func isInside(_ leaf: Leaf) -> Bool {
            [CellKey.all, leaf.region].contains(cell.region) && [CellKey.all, leaf.tripType].contains(cell.tripType)
                && filters.regions.contains(leaf.region) && filters.tripTypes.contains(leaf.tripType)
        }
        var beyond: [(leaves: [Leaf], months: [String], trips: Int)] = []
        for group in summary.mergedGroups ?? [] where [CellKey.all, group.month].contains(cell.month) {
            let leaves = zip(group.regions, group.tripTypes).map(Leaf.init)
            guard leaves.contains(where: isInside), !leaves.allSatisfy(isInside) else { continue }
            if let known = beyond.firstIndex(where: { $0.leaves == leaves }) {
                // Each population of a month has groups of its own.
                if !beyond[known].months.contains(group.month) { beyond[known].months.append(group.month) }
                beyond[known].trips += group.trips
            } else {
                beyond.append((leaves, [group.month], group.trips))
            }
        }
        guard !beyond.isEmpty else { return }
        reasons += beyond.map { Reason.merged(leaves: $0.leaves, months: $0.months, trips: $0.trips) }
        let wider = [
            CellKey(month: cell.month, region: cell.region), CellKey(month: cell.month, tripType: cell.tripType),
            CellKey(month: cell.month),
        ].first { wider in
            wider != cell && summary.cell(at: wider).map { $0.complete == true && !$0.suppressed } ?? false
        }
        if let wider { remedies.append(.widerCell(wider)) }
        let ofAllMonths = CellKey(region: cell.region, tripType: cell.tripType)
        if published.suppressed, cell != ofAllMonths, summary.cell(at: ofAllMonths)?.suppressed == false {
            remedies.append(.allMonths(ofAllMonths))
        }
        let leaves = beyond.flatMap(\.leaves)
        if leaves.contains(where: { $0.region == CellKey.unassigned }) { remedies.append(.mapRegions) }
        if leaves.contains(where: { $0.tripType == CellKey.unassigned }) { remedies.append(.mapTripTypes) }
    }

    private mutating func explainMeasures(
        _ published: KPISummaryV1.Cell, in summary: KPISummaryV1, namesMeans: Bool
    ) {
        // Where trips are left out, they are left out of each measure of them: the groups above say which. Without a group
        // they are unclassified ones.
        let isOfGroups = !reasons.isEmpty
        let measures = published.measuresNotWhole.compactMap(PartialMeasure.named).filter { measure in
            published.complete != false || !measure.isOfCompleted || measure.name == "unclassified" && !isOfGroups
        }
        reasons += measures.map { measure in
            measure.isShown(in: published) ? Reason.measureIncomplete(measure) : .measureNotShown(measure)
        }
        if published.measuresNotWhole.contains("unclassified") { remedies.append(.classifyTrips) }
        if measures.contains(where: \.isOfValues) { remedies.append(.completeValues) }
        let withoutMean = MeasuredInterval.all.enumerated().filter { place, interval in
            let own = published[interval: place]
            return own.used ?? 0 > 0 && own.mean == nil && !published.measuresNotWhole.contains(interval.name)
        }.map(\.element.name)
        if namesMeans, !withoutMean.isEmpty { reasons.append(.meansLeftOut(withoutMean)) }
        if summary.omitsMissingCounts { reasons.append(.missingCountsOmitted) }
    }
}

// In words.
extension CellExplanation {
    package var lead: String {
        let sentence: CellSentence =
            switch state {
            case .staff: .staff
            case .complete: partialMeasures.isEmpty ? .complete : .completeWithoutMeasures
            case .incomplete: .incomplete
            case .suppressed: .suppressed
            case .withheld: .withheld
            case .noTrips: .noTrips
            }
        return sentence.text(["cell": cell.description])
    }

    /// Sentences, one a line.
    package var lines: [String] {
        let steps = remedies.map(text)
        return [lead] + reasonTexts
            + (steps.isEmpty ? [] : [CellSentence.whatWouldShowIt.text()] + steps.map { "- " + $0 })
    }

    /// Why, and what would show it; none where there is nothing to explain.
    package var paragraphs: [String] {
        guard !reasons.isEmpty else { return [] }
        let steps = remedies.isEmpty ? [] : [CellSentence.whatWouldShowIt.text()] + remedies.map(text)
        return [[lead] + reasonTexts, steps].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }

    /// Groups and measures are named together, the other reasons each by itself.
    private var reasonTexts: [String] {
        let groups = reasons.compactMap(groupText)
        return (groups.isEmpty ? [] : [text(ofGroups: groups)])
            + CellSentence.measures(partialMeasures, least: minimumCell)
            + reasons.filter { groupText($0) == nil && partialMeasure($0) == nil }.map(text)
    }

    package func text(_ reason: Reason) -> String {
        switch reason {
        case .merged: text(ofGroups: [groupText(reason) ?? ""])
        case .monthOpen: CellSentence.monthOpen.text()
        case .monthNotReleased: CellSentence.monthNotReleased.text()
        case .tooFew(let month?): CellSentence.monthTooSmall.text(["months": month, "least": String(minimumCell)])
        case .tooFew(nil): CellSentence.everyMonthTooSmall.text(["least": String(minimumCell)])
        case .nothingReleased: CellSentence.nothingReleased.text()
        case .withheldMonths(let months): CellSentence.withheldMonths.text(["months": CellSentence.list(months)])
        case .revisionPending: CellSentence.revisionPending.text()
        case .measureNotShown, .measureIncomplete:
            CellSentence.measures([partialMeasure(reason)].compactMap(\.self), least: minimumCell).joined()
        case .meansLeftOut(let intervals): CellSentence.meansLeftOut.text(["measures": CellSentence.list(intervals)])
        case .missingCountsOmitted: CellSentence.missingCountsOmitted.text()
        }
    }

    package func text(_ remedy: Remedy) -> String {
        switch remedy {
        case .widerCell(let cell): CellSentence.widerCell.text(["cell": cell.description])
        case .allMonths(let cell): CellSentence.allMonths.text(["cell": cell.description])
        case .mapRegions: CellSentence.mapRegions.text()
        case .mapTripTypes: CellSentence.mapTripTypes.text()
        case .completeValues: CellSentence.completeValues.text()
        case .classifyTrips: CellSentence.classifyTrips.text()
        case .waitUntilClosed: CellSentence.waitUntilClosed.text()
        case .publish: CellSentence.publish.text()
        case .waitForRevision: CellSentence.waitForRevision.text()
        case .staff: CellSentence.staffFigures.text()
        }
    }

    private func text(ofGroups groups: [String]) -> String {
        CellSentence.groups(groups, isSuppressed: state == .suppressed, least: minimumCell)
    }

    private var partialMeasures: [(measure: PartialMeasure, isShown: Bool)] { reasons.compactMap(partialMeasure) }

    /// Nil for a reason that is no measure.
    private func partialMeasure(_ reason: Reason) -> (measure: PartialMeasure, isShown: Bool)? {
        switch reason {
        case .measureNotShown(let measure): (measure, false)
        case .measureIncomplete(let measure): (measure, true)
        default: nil
        }
    }

    /// Nil for a reason that is no group. A region of which each trip type is there is named as a whole.
    private func groupText(_ reason: Reason) -> String? {
        guard case .merged(let leaves, let months, let trips) = reason else { return nil }
        let names = Leaf.names(leaves, regions: regions, tripTypes: tripTypes)
        return CellSentence.group.text([
            "cells": CellSentence.list(names), "trips": NumberText.grouped(trips),
            "months": CellSentence.list(months),
        ])
    }
}

extension KPISummaryV1.Cell {
    package var key: CellKey { CellKey(month: month, region: region, tripType: tripType) }
}

extension KPISummaryV1 {
    package func cell(at key: CellKey) -> Cell? { cells.first { $0.key == key } }
}
