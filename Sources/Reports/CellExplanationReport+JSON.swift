import KPIContract
import KPIs
import Privacy
import Trips

extension CellExplanationReport {
    /// The same as one object, newline at the end.
    package var json: [UInt8] {
        let scope = explanation.scope
        return CanonicalJSON.object([
            .init("audience", .text(explanation.audience.rawValue)),
            .init("month", .text(scope.month?.description ?? SummaryReport.all)),
            .init("region", .text(scope.region.map(regions.name) ?? SummaryReport.all)),
            .init("tripType", .text(scope.tripType.map(tripTypes.name) ?? SummaryReport.all)),
            .init("state", .text(explanation.state.rawValue)),
            .init("minimumCell", .integer(explanation.minimumCell)),
            .init("summary", .text(lead)),
            .init("reasons", .list(explanation.reasons.map(object))),
            .init("remedies", .list(explanation.remedies.map(object))),
        ]).document
    }

    private func object(_ reason: CellExplanation.Reason) -> CanonicalJSON {
        var members: [CanonicalJSON.Member] = []
        let code: String
        switch reason {
        case .merged(let leaves, let months, let trips):
            code = "merged"
            members = [
                .init("months", Self.json(months)), .init("trips", .integer(trips)),
                .init(
                    "cells",
                    .list(
                        leaves.map { leaf in
                            .object([
                                .init("region", .text(regions.name(of: leaf.region))),
                                .init("tripType", .text(tripTypes.name(of: leaf.tripType))),
                            ])
                        })),
            ]
        case .monthOpen: code = "monthOpen"
        case .monthNotReleased: code = "monthNotReleased"
        case .tooFew: code = "tooFew"
        case .nothingReleased: code = "nothingReleased"
        case .withheldMonths(let months):
            code = "withheldMonths"
            members = [.init("months", Self.json(months))]
        case .revisionPending: code = "revisionPending"
        case .measureNotShown(let measure):
            code = "measureNotShown"
            members = [.init("measure", .text(measure.name))]
        case .measureIncomplete(let measure):
            code = "measureIncomplete"
            members = [.init("measure", .text(measure.name))]
        case .sourcingInTwo: code = "sourcingInTwo"
        case .meansLeftOut(let intervals):
            code = "meansLeftOut"
            members = [.init("intervals", .list(intervals.map { .text($0.name) }))]
        case .missingCountsOmitted: code = "missingCountsOmitted"
        }
        return .object([.init("code", .text(code))] + members + [.init("text", .text(text(reason)))])
    }

    private func object(_ remedy: CellExplanation.Remedy) -> CanonicalJSON {
        var members: [CanonicalJSON.Member] = []
        let code: String
        switch remedy {
        case .widerCell(let scope):
            code = "widerCell"
            members = [.init("cell", object(scope))]
        case .allMonths(let scope):
            code = "allMonths"
            members = [.init("cell", object(scope))]
        case .mapRegions: code = "mapRegions"
        case .mapTripTypes: code = "mapTripTypes"
        case .completeValues: code = "completeValues"
        case .classifyTrips: code = "classifyTrips"
        case .waitUntilClosed: code = "waitUntilClosed"
        case .publish: code = "publish"
        case .waitForRevision: code = "waitForRevision"
        case .staff: code = "staff"
        }
        return .object([.init("code", .text(code))] + members + [.init("text", .text(text(remedy)))])
    }

    private static func json(_ months: [Month]) -> CanonicalJSON { .list(months.map { .text($0.description) }) }

    private func object(_ scope: CellScope) -> CanonicalJSON {
        .object([
            .init("month", .text(scope.month?.description ?? SummaryReport.all)),
            .init("region", .text(scope.region.map(regions.name) ?? SummaryReport.all)),
            .init("tripType", .text(scope.tripType.map(tripTypes.name) ?? SummaryReport.all)),
        ])
    }
}
