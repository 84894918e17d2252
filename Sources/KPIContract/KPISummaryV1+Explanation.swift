extension KPISummaryV1 {
    /// Why a cell of the release is not shown, or incomplete, and what would show it: sentences made from this document
    /// alone. They are those of `tripkpi report --explain`, except for means that no cell has.
    package struct CellAccount: Sendable, Hashable {
        /// The first says what is shown of the cell.
        package internal(set) var reasons: [String] = []
        package internal(set) var remedies: [String] = []

        /// Why, and what would show it; none where there is nothing to explain.
        package var paragraphs: [String] {
            let shows = remedies.isEmpty ? [] : [CellSentence.whatWouldShowIt.text()] + remedies
            return [reasons, shows].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
        }
    }

    /// - Parameters: each as in the cell, or `"All"`.
    /// - Returns: nothing for a figure that is of all trips of its cell, for staff, and for a document of version 1.0.
    package func account(month: String, region: String, tripType: String) -> CellAccount {
        let place = AccountedPlace(month: month, region: region, tripType: tripType)
        guard audience == "release", let cell = cell(at: place) else { return CellAccount() }
        var account = CellAccount()
        let beyond = (mergedGroups ?? []).filter { group in
            [Self.all, group.month].contains(month) && group.leaves.contains { holds($0, place) }
                && !group.leaves.allSatisfy { holds($0, place) }
        }
        if !beyond.isEmpty {
            account.reasons = [
                CellSentence.groups(groupTexts(beyond), isSuppressed: cell.suppressed, least: privacy.minimumCell)
            ]
            account.remedies = remedies(for: cell, place, leaves: beyond.flatMap(\.leaves))
        }
        if !cell.suppressed { addMeasures(of: cell, to: &account) }
        if cell.revisionPending == true {
            account.reasons.append(CellSentence.revisionPending.text())
            account.remedies.append(CellSentence.waitForRevision.text())
        }
        if !account.reasons.isEmpty { account.remedies.append(CellSentence.staffFigures.text()) }
        let absent = month == Self.all ? withheldMonths.filter { month in !cells.contains { $0.month == month } } : []
        if !absent.isEmpty {
            account.reasons.append(CellSentence.withheldMonths.text(["months": CellSentence.list(absent)]))
        }
        if !account.reasons.isEmpty {
            account.reasons.insert(lead(of: cell).text(["cell": place.name]), at: 0)
        }
        return account
    }

    private static let all = "All"
    private static let unassigned = "Unassigned"

    private func lead(of cell: Cell) -> CellSentence {
        if cell.suppressed { return .suppressed }
        if cell.complete == false { return .incomplete }
        if cell.trips == 0 { return .noTrips }
        return cell.incompleteMeasures?.isEmpty == false ? .completeWithoutMeasures : .complete
    }

    private func addMeasures(of cell: Cell, to account: inout CellAccount) {
        let measures = (cell.incompleteMeasures ?? []).compactMap(PartialMeasure.named)
        account.reasons += CellSentence.measures(
            measures.map { ($0, $0.isShown(in: cell)) }, least: privacy.minimumCell)
        let isTogether = cell.sourcingBasis == Self.all.lowercased()
        if isTogether, !cell.sourcingSuppressed {
            account.reasons.append(
                CellSentence.countedTogether.text(["few": CellSentence.few(privacy.minimumCell)]))
        }
        if isTogether || measures.contains(where: { $0.name == "sourcing" }) {
            account.remedies.append(CellSentence.classifyTrips.text())
        }
        if measures.contains(where: \.isOfValues) { account.remedies.append(CellSentence.completeValues.text()) }
    }

    /// Groups of the same regions and trip types in several months are named once.
    private func groupTexts(_ groups: [MergedGroup]) -> [String] {
        var texts: [(leaves: [AccountedLeaf], months: [String], trips: Int)] = []
        for group in groups {
            if let place = texts.firstIndex(where: { $0.leaves == group.leaves }) {
                texts[place].months.append(group.month)
                texts[place].trips += group.trips
            } else {
                texts.append((group.leaves, [group.month], group.trips))
            }
        }
        return texts.map { group in
            CellSentence.group.text([
                "cells": name(of: group.leaves), "trips": NumberText.grouped(group.trips),
                "months": CellSentence.list(group.months),
            ])
        }
    }

    /// A region of which each trip type is there is named as a whole.
    private func name(of leaves: [AccountedLeaf]) -> String {
        let types = filters.tripTypes.count - 1
        let whole = filters.regions.filter { region in
            filters.tripTypes.contains(Self.unassigned) && leaves.count { $0.region == region } == types
        }
        let others = leaves.filter { !whole.contains($0.region) }.map { "\($0.region) \($0.tripType)" }
        let regions =
            whole.isEmpty ? [] : [CellSentence.allOfRegions.text(["regions": CellSentence.list(whole)])]
        return CellSentence.list(regions + others)
    }

    private func remedies(for cell: Cell, _ place: AccountedPlace, leaves: [AccountedLeaf]) -> [String] {
        var remedies: [String] = []
        let wider = [
            AccountedPlace(month: place.month, region: place.region, tripType: Self.all),
            AccountedPlace(month: place.month, region: Self.all, tripType: place.tripType),
            AccountedPlace(month: place.month, region: Self.all, tripType: Self.all),
        ].first { wider in
            guard wider != place, let cell = self.cell(at: wider) else { return false }
            return cell.complete == true && !cell.suppressed
        }
        if let wider { remedies.append(CellSentence.widerCell.text(["cell": wider.name])) }
        let ofAllMonths = AccountedPlace(month: Self.all, region: place.region, tripType: place.tripType)
        if cell.suppressed, place != ofAllMonths, self.cell(at: ofAllMonths)?.suppressed == false {
            remedies.append(CellSentence.allMonths.text(["cell": ofAllMonths.name]))
        }
        if leaves.contains(where: { $0.region == Self.unassigned }) { remedies.append(CellSentence.mapRegions.text()) }
        if leaves.contains(where: { $0.tripType == Self.unassigned }) {
            remedies.append(CellSentence.mapTripTypes.text())
        }
        return remedies
    }

    private func cell(at place: AccountedPlace) -> Cell? {
        cells.first { $0.month == place.month && $0.region == place.region && $0.tripType == place.tripType }
    }

    /// What is not among the filters is not part of the document's own "All".
    private func holds(_ leaf: AccountedLeaf, _ place: AccountedPlace) -> Bool {
        [Self.all, leaf.region].contains(place.region) && [Self.all, leaf.tripType].contains(place.tripType)
            && filters.regions.contains(leaf.region) && filters.tripTypes.contains(leaf.tripType)
    }
}

private struct AccountedPlace: Hashable {
    var month: String
    var region: String
    var tripType: String

    var name: String {
        func part(_ name: String) -> String? { name == "All" ? nil : name }
        return CellSentence.cell(region: part(region), tripType: part(tripType), month: part(month))
    }
}

private struct AccountedLeaf: Hashable {
    var region: String
    var tripType: String
}

extension KPISummaryV1.MergedGroup {
    fileprivate var leaves: [AccountedLeaf] { zip(regions, tripTypes).map(AccountedLeaf.init) }
}
