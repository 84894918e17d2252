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
        let groups = explanation.reasons.compactMap(groupText)
        var lines = [lead]
        if !groups.isEmpty { lines.append(sentence(ofGroups: groups)) }
        lines += CellSentence.measures(explanation.reasons.compactMap(partialMeasure), least: explanation.minimumCell)
        lines += explanation.reasons.filter { groupText($0) == nil && partialMeasure($0) == nil }.map(text)
        let remedies = explanation.remedies.map(text)
        return lines + (remedies.isEmpty ? [] : [CellSentence.whatWouldShowIt.text()] + remedies.map { "- " + $0 })
    }

    var lead: String {
        let sentence: CellSentence =
            switch explanation.state {
            case .staff: .staff
            case .complete:
                explanation.reasons.allSatisfy { partialMeasure($0) == nil } ? .complete : .completeWithoutMeasures
            case .incomplete: .incomplete
            case .suppressed: .suppressed
            case .withheld: .withheld
            case .noTrips: .noTrips
            }
        return sentence.text(["cell": name(explanation.scope)])
    }

    private func name(_ scope: CellScope) -> String {
        CellSentence.cell(
            region: scope.region.map(regions.name), tripType: scope.tripType.map(tripTypes.name),
            month: scope.month?.description)
    }

    private func sentence(ofGroups groups: [String]) -> String {
        CellSentence.groups(
            groups, isSuppressed: explanation.state == .suppressed, least: explanation.minimumCell)
    }

    /// Nil for a reason that is no group.
    private func groupText(_ reason: CellExplanation.Reason) -> String? {
        guard case .merged(let leaves, let months, let trips) = reason else { return nil }
        return CellSentence.group.text([
            "cells": name(of: leaves), "trips": NumberText.grouped(trips),
            "months": CellSentence.list(months.map(\.description)),
        ])
    }

    /// A region of which each trip type is there is named as a whole.
    private func name(of leaves: [LeafScope]) -> String {
        let whole = Set(
            Dictionary(grouping: leaves, by: \.region).filter { $0.value.count == tripTypes.names.count }.keys)
        let names = (whole.subtracting([0]).sorted() + whole.filter { $0 == 0 }).map(regions.name)
        let others = leaves.filter { !whole.contains($0.region) }.map {
            "\(regions.name(of: $0.region)) \(tripTypes.name(of: $0.tripType))"
        }
        let all = names.isEmpty ? [] : [CellSentence.allOfRegions.text(["regions": CellSentence.list(names)])]
        return CellSentence.list(all + others)
    }

    /// Nil for a reason that is no measure.
    private func partialMeasure(_ reason: CellExplanation.Reason) -> (measure: PartialMeasure, isShown: Bool)? {
        switch reason {
        case .measureNotShown(let measure): PartialMeasure.named(measure.name).map { ($0, false) }
        case .measureIncomplete(let measure): PartialMeasure.named(measure.name).map { ($0, true) }
        default: nil
        }
    }

    func text(_ reason: CellExplanation.Reason) -> String {
        let least = String(explanation.minimumCell)
        return switch reason {
        case .merged: sentence(ofGroups: [groupText(reason) ?? ""])
        case .monthOpen: CellSentence.monthOpen.text()
        case .monthNotReleased: CellSentence.monthNotReleased.text()
        case .tooFew(let month?): CellSentence.monthTooSmall.text(["months": month.description, "least": least])
        case .tooFew(nil): CellSentence.everyMonthTooSmall.text(["least": least])
        case .nothingReleased: CellSentence.nothingReleased.text()
        case .withheldMonths(let months):
            CellSentence.withheldMonths.text(["months": CellSentence.list(months.map(\.description))])
        case .revisionPending: CellSentence.revisionPending.text()
        case .measureNotShown, .measureIncomplete:
            CellSentence.measures([partialMeasure(reason)].compactMap(\.self), least: explanation.minimumCell).joined()
        case .sourcingInTwo:
            CellSentence.countedTogether.text(["few": CellSentence.few(explanation.minimumCell)])
        case .meansLeftOut(let intervals):
            CellSentence.meansLeftOut.text(["measures": CellSentence.list(intervals.map(\.name))])
        case .missingCountsOmitted: CellSentence.missingCountsOmitted.text()
        }
    }

    func text(_ remedy: CellExplanation.Remedy) -> String {
        switch remedy {
        case .widerCell(let scope): CellSentence.widerCell.text(["cell": name(scope)])
        case .allMonths(let scope): CellSentence.allMonths.text(["cell": name(scope)])
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
}
