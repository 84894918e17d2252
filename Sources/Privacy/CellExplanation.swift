package import KPIs
package import Trips

/// Why a cell of the release is not shown, or not whole, and what would show it.
///
/// It is made from a `Publishable`, the date and the rule that readers know, so it says nothing that the release does
/// not say.
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
        case merged(leaves: [LeafScope], months: [Month], trips: Int)
        /// It grows, or it was closed after the last run.
        case monthOpen
        /// It is closed, and no run has released it.
        case monthNotReleased
        /// A month, or every month if nil, has too few trips or patients for a group.
        case tooFew(Month?)
        /// No month is released.
        case nothingReleased
        /// Months that "All" does not hold.
        case withheldMonths([Month])
        case revisionPending
        /// No group of the cell shows the measure.
        case measureNotShown(PublishedMeasure)
        /// Some groups of the cell do not.
        case measureIncomplete(PublishedMeasure)
        /// Contracted and unclassified trips are one count.
        case sourcingInTwo
        /// Other means add up to these.
        case meansLeftOut([TripInterval])
        /// `MissingCountPolicy.omit`.
        case missingCountsOmitted
    }

    package enum Remedy: Sendable, Hashable {
        /// A cell that holds this one and is complete.
        case widerCell(CellScope)
        /// The cell of all months shows those months in which it is a group of its own.
        case allMonths(CellScope)
        case mapRegions
        case mapTripTypes
        case completeValues
        case classifyTrips
        case waitUntilClosed
        case publish
        case waitForRevision
        case staff
    }

    package let scope: CellScope
    package let audience: Audience
    package let minimumCell: Int
    package internal(set) var state: State
    package internal(set) var reasons: [Reason] = []
    package internal(set) var remedies: [Remedy] = []

    /// - Parameters:
    ///   - scope: its month is one of the release or a withheld one.
    ///   - publishable: of everything, without a selection.
    ///   - today: nil: exports are a release of their own, of all their months.
    package init(of scope: CellScope, in publishable: Publishable, on today: CivilDay?) {
        self.scope = scope
        audience = publishable.audience
        minimumCell = publishable.minimumCell
        state = .staff
        guard audience == .release else { return }
        if let month = scope.month, publishable.withheldMonths.contains(month) {
            let isOvertaken = publishable.months.contains { $0 > month }
            explain(withheld: month, on: isOvertaken ? nil : today)
        } else if let cell = publishable.cell(at: scope) {
            explain(cell, of: publishable)
        } else {
            state = .noTrips
        }
        if scope.month == nil, !publishable.withheldMonths.isEmpty {
            reasons.append(.withheldMonths(publishable.withheldMonths))
        }
    }

    /// For a release of which nothing can be shown.
    ///
    /// - Parameter today: nil: as in `init(of:in:on:)`.
    package init(ofNothing scope: CellScope, minimumCell: Int, on today: CivilDay?) {
        self.scope = scope
        self.minimumCell = minimumCell
        audience = .release
        state = .withheld
        if today == nil {
            explain(withheld: scope.month, on: nil)
        } else if let month = scope.month {
            explain(withheld: month, on: today)
        } else {
            reasons = [.nothingReleased]
            remedies = [.publish, .staff]
        }
    }

    private mutating func explain(withheld month: Month?, on today: CivilDay?) {
        state = .withheld
        guard let today, let month else {
            reasons = [.tooFew(month)]
            remedies = [.staff]
            return
        }
        let isClosed = OpenMonth.isLongPast(month, on: today)
        reasons = [isClosed ? .monthNotReleased : .monthOpen]
        remedies = [isClosed ? .publish : .waitUntilClosed, .staff]
    }

    private mutating func explain(_ cell: PublishedCell, of publishable: Publishable) {
        state =
            cell.suppressed ? .suppressed : !cell.complete ? .incomplete : cell.trips == 0 ? .noTrips : .complete
        let beyond = publishable.mergedGroups.filter { group in
            scope.month ?? group.month == group.month && group.leaves.contains(where: holds)
                && !group.leaves.allSatisfy(holds)
        }
        let byLeaves = Dictionary(grouping: beyond, by: \.leaves).sorted {
            ($0.value[0].month, $0.key[0]) < ($1.value[0].month, $1.key[0])
        }
        for (leaves, groups) in byLeaves {
            reasons.append(
                .merged(leaves: leaves, months: groups.map(\.month), trips: groups.reduce(0) { $0 + $1.trips }))
        }
        if !beyond.isEmpty {
            if let wider = wider(of: publishable) { remedies.append(.widerCell(wider)) }
            let ofAllMonths = CellScope(region: scope.region, tripType: scope.tripType)
            if cell.suppressed, scope.month != nil, publishable.cell(at: ofAllMonths)?.suppressed == false {
                remedies.append(.allMonths(ofAllMonths))
            }
            let leaves = beyond.flatMap(\.leaves)
            if leaves.contains(where: { $0.region == 0 }) { remedies.append(.mapRegions) }
            if leaves.contains(where: { $0.tripType == 0 }) { remedies.append(.mapTripTypes) }
        }
        if !cell.suppressed { explainMeasures(cell, of: publishable) }
        if cell.revisionPending {
            reasons.append(.revisionPending)
            remedies.append(.waitForRevision)
        }
        if !reasons.isEmpty { remedies.append(.staff) }
    }

    private mutating func explainMeasures(_ cell: PublishedCell, of publishable: Publishable) {
        for measure in cell.incompleteMeasures {
            reasons.append(cell.shows(measure) ? .measureIncomplete(measure) : .measureNotShown(measure))
        }
        if cell.sourcingBasis == .all, !cell.sourcingSuppressed { reasons.append(.sourcingInTwo) }
        let measures = Set(cell.incompleteMeasures)
        if cell.sourcingBasis == .all || measures.contains(.sourcing) { remedies.append(.classifyTrips) }
        if measures.contains(where: \.isOfValues) { remedies.append(.completeValues) }
        let withoutMean = publishable.intervalsWithoutMean.filter { cell.interval($0).used ?? 0 > 0 }
        if !withoutMean.isEmpty { reasons.append(.meansLeftOut(withoutMean)) }
        if publishable.missingCounts == .omit { reasons.append(.missingCountsOmitted) }
    }

    /// The smallest complete cell of the same months that holds this one.
    private func wider(of publishable: Publishable) -> CellScope? {
        let candidates = [
            CellScope(month: scope.month, region: scope.region),
            CellScope(month: scope.month, tripType: scope.tripType),
            CellScope(month: scope.month),
        ]
        return candidates.first { candidate in
            guard candidate != scope, let cell = publishable.cell(at: candidate) else { return false }
            return cell.complete && !cell.suppressed
        }
    }

    private func holds(_ leaf: LeafScope) -> Bool {
        (scope.region ?? leaf.region) == leaf.region && (scope.tripType ?? leaf.tripType) == leaf.tripType
    }
}

extension PublishedMeasure {
    /// Whether trips may lack the value in the exports.
    fileprivate var isOfValues: Bool {
        switch self {
        case .cancelled, .noShow, .sourcing: false
        case .cost, .costBySourcing, .loadedMiles, .unloadedMiles, .interval: true
        }
    }
}

extension PublishedCell {
    fileprivate func shows(_ measure: PublishedMeasure) -> Bool {
        switch measure {
        case .cancelled: cancelled != nil
        case .noShow: noShow != nil
        case .sourcing: !sourcingSuppressed
        case .cost: totalCostCents != nil
        case .costBySourcing: inHouseCostCents != nil
        case .loadedMiles: loadedTenths != nil
        case .unloadedMiles: unloadedTenths != nil
        // Without counts, percentiles are what is left of an interval.
        case .interval(let interval):
            self.interval(interval).used != nil || self.interval(interval).p50Seconds != nil
        }
    }
}
