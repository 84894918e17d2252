package import Basics
package import KPIContract
package import KPIs
package import Privacy
package import Trips

/// A cell's explanation as `report --explain` prints it.
package struct CellExplanationReport: Sendable {
    private let explanation: CellExplanation

    package init(_ explanation: CellExplanation) {
        self.explanation = explanation
    }

    /// Sentences, one a line.
    package var lines: [String] { explanation.lines }

    /// The same as one object, newline at the end.
    package var json: [UInt8] {
        let cell = explanation.cell
        let object: CanonicalJSON = [
            "audience": explanation.audience, "month": cell.month, "region": cell.region, "tripType": cell.tripType,
            "state": explanation.state.rawValue, "minimumCell": explanation.minimumCell, "summary": explanation.lead,
            "reasons": explanation.reasons.map(object), "remedies": explanation.remedies.map(object),
        ]
        return object.document
    }

    private func object(_ reason: CellExplanation.Reason) -> CanonicalJSON {
        let text = CanonicalJSON.Member("text", explanation.text(reason))
        func object(_ code: String, _ members: CanonicalJSON.Member...) -> CanonicalJSON {
            .object([.init("code", code)] + members + [text])
        }
        switch reason {
        case .merged(let leaves, let months, let trips):
            let cells = leaves.map { leaf -> CanonicalJSON in ["region": leaf.region, "tripType": leaf.tripType] }
            return object("merged", .init("months", months), .init("trips", trips), .init("cells", cells))
        case .withheldMonths(let months): return object("withheldMonths", .init("months", months))
        case .measureNotShown(let measure): return object("measureNotShown", .init("measure", measure.name))
        case .measureIncomplete(let measure): return object("measureIncomplete", .init("measure", measure.name))
        case .meansLeftOut(let intervals): return object("meansLeftOut", .init("intervals", intervals))
        case .tooFew: return object("tooFew")
        case .monthOpen, .monthNotReleased, .nothingReleased, .revisionPending, .missingCountsOmitted:
            return object(String(describing: reason))
        }
    }

    private func object(_ remedy: CellExplanation.Remedy) -> CanonicalJSON {
        let text = explanation.text(remedy)
        func object(_ code: String, _ cell: CellKey) -> CanonicalJSON {
            let names: CanonicalJSON = ["month": cell.month, "region": cell.region, "tripType": cell.tripType]
            return ["code": code, "cell": names, "text": text]
        }
        return switch remedy {
        case .widerCell(let cell): object("widerCell", cell)
        case .allMonths(let cell): object("allMonths", cell)
        default: ["code": String(describing: remedy), "text": text]
        }
    }
}

extension CellExplanation {
    /// - Parameters:
    ///   - scope: its month is one of the release or a withheld one.
    ///   - publishable: of everything, without a selection.
    ///   - summary: the document made of it.
    ///   - today: nil: exports are a release of their own, of all their months.
    package init(of scope: CellScope, in publishable: Publishable, _ summary: KPISummaryV1, on today: CivilDay?) {
        let cell = CellKey(scope, regions: publishable.regions, tripTypes: publishable.tripTypes)
        guard let month = scope.month, publishable.audience == .release, publishable.withheldMonths.contains(month)
        else {
            self.init(of: cell, in: summary)
            return
        }
        // If a later month is released, this one was closed then.
        let isOvertaken = publishable.months.contains { $0 > month }
        self.init(
            of: cell, withheldAs: Self.reason(month, on: isOvertaken ? nil : today),
            minimumCell: publishable.minimumCell)
    }

    /// For a release of which nothing can be shown.
    ///
    /// - Parameter today: nil: as above.
    package init(
        ofNothing scope: CellScope, regions: NamedList, tripTypes: NamedList, minimumCell: Int, on today: CivilDay?
    ) {
        let isOfStore = today != nil
        self.init(
            of: CellKey(scope, regions: regions, tripTypes: tripTypes),
            withheldAs: isOfStore && scope.month == nil ? .nothingReleased : Self.reason(scope.month, on: today),
            minimumCell: minimumCell)
    }

    /// Why a month, or every month if nil, is not in the release.
    private static func reason(_ month: Month?, on today: CivilDay?) -> Reason {
        guard let today, let month else { return .tooFew(month?.description) }
        return WithheldMonths.isLongPast(month, on: today) ? .monthNotReleased : .monthOpen
    }
}

extension CellKey {
    fileprivate init(_ scope: CellScope, regions: NamedList, tripTypes: NamedList) {
        self.init(
            month: scope.month?.description ?? CellKey.all, region: scope.region.map(regions.name) ?? CellKey.all,
            tripType: scope.tripType.map(tripTypes.name) ?? CellKey.all)
    }
}
