import Reports

import Costs
import Trips

/// The sheets of the ledger: costs by provider and contract, the checks and what they found.
extension CostWorkbook {
    private static func lineTable(
        _ name: String, _ keys: [String], _ lines: [[SheetCell]], totalNames: [String: String]
    ) -> SheetTable {
        SheetTable(
            name: name,
            columns: SheetTable.Column.texts(keys) + [
                .init(title: "Trips", unit: .count, isSummed: true),
                .init(title: "Costed trips", unit: .count, isSummed: true),
                .init(title: "Cost", unit: .cents, isSummed: true),
                .init(title: "Cost per trip", unit: .cents, derivation: .cost("Cost", per: "Costed trips")),
                .init(title: "Loaded miles", unit: .hundredthsOfMiles, isSummed: true),
                .init(title: "Cost with miles", unit: .cents, isSummed: true),
                .init(title: "Miles with cost", unit: .hundredthsOfMiles, isSummed: true),
                .init(
                    title: "Cost per loaded mile", unit: .cents,
                    derivation: .cost("Cost with miles", perMile: "Miles with cost")),
            ], lines: lines.sortedByKeys(), totals: .filtered, totalTitle: "All listed", totalNames: totalNames)
    }

    private static func line(_ keys: [String], _ sums: CostSums) -> [SheetCell] {
        let values: [ShownValue] = [
            .number(sums.trips, .count), .number(sums.costedTrips, .count), .number(sums.costCents, .cents),
            .known(sums.costPerTripCents, .cents), .number(sums.loadedHundredths, .hundredthsOfMiles),
            .number(sums.costCentsWithMiles, .cents), .number(sums.loadedHundredthsWithCost, .hundredthsOfMiles),
            .known(sums.costPerLoadedMileCents, .cents),
        ]
        return SheetCell.line(keys, values)
    }

    /// The period by provider and contract.
    func providersSheet(_ ledger: CostLedger) -> SheetContent {
        let sums = ledger.period.grouped { [$0.providerID, $0.providerName, $0.contract] }
        return costSheet(
            "Providers", "Costs by provider and contract", paragraphs: [Self.bothText],
            notes: [.trips, .cost, .loadedMile], emphasis: (.bars, "Cost", "Cost"),
            Self.lineTable(
                "Providers", ["Provider id", "Provider", "Contract"],
                sums.map { Self.line($0.map(ledger.text), $1) }, totalNames: ["Cost": "Providers_cost_total"]))
    }

    /// Month × provider × contract × trip type × sourcing.
    func linesSheet(_ ledger: CostLedger) -> SheetContent {
        costSheet(
            "Lines", "Costs by month, provider, contract, trip type and sourcing", notes: [.trips, .cost, .loadedMile],
            Self.lineTable(
                "CostLines", ["Month"] + Self.ledgerKeys,
                ledger.period.lines.map { Self.line([Month(index: $0.month).description] + ledger.words($0), $1) },
                totalNames: ["Trips": "Lines_trips_total", "Cost": "Lines_cost_total"]))
    }

    /// The titles of `CostLedger.words`.
    static let ledgerKeys = ["Provider id", "Provider", "Contract", "Trip type", "Sourcing"]

    static let bothText =
        "Cost per loaded mile is over the trips that have both a cost and loaded miles; \"cost with miles\" and \"miles "
        + "with cost\" are theirs."

    // MARK: Exceptions to review

    /// Each check, what it found, and its rule.
    func checksSheet(_ ledger: CostLedger) -> SheetContent {
        var content = costSheet(
            "Checks", "Exceptions to review", paragraphs: [Self.checksText], notes: [],
            SheetTable(
                name: "Checks",
                columns: [
                    .init(title: "Check"), .init(title: "Made"), .init(title: "Trips looked at", unit: .count),
                    .init(title: "Trips found", unit: .count), .init(title: "Cost of these", unit: .cents),
                    .init(title: "Rule", role: .wrapped, width: 95, charactersPerLine: 95),
                ],
                lines: CostCheck.allCases.map { Self.line(of: $0, ledger) }))
        // It says nothing of figures that may be hidden or marked.
        content.blocks = [.paragraph(Self.checksText), .gap()]
        content.notes = [CostNote.none, CostNote.checks]
        content.table?.frozenColumns = 0
        return content
    }

    static let checksText =
        "None of these proves a fault: each is a trip, or a group of them, whose bill is worth a look."

    private static func line(of check: CostCheck, _ ledger: CostLedger) -> [SheetCell] {
        let examined = ledger.examined[check] ?? 0, total = ledger.findings.totals[check]
        var made = true
        var note = ""
        if check.needsExports, ledger.origin == .store {
            made = false
            note =
                " The store does not keep what this needs (invoice numbers, vehicles, times of day, estimates): run "
                + "`tripkpi costs FILE… --internal` on the exports."
        } else if check.needsExports, examined == 0 {
            made = false
            note = " The exports have no column with what this needs."
        } else if check == .costOutlier {
            note = " Groups judged: \(ledger.groups.judged); too small: \(ledger.groups.small)."
        }
        let values: [ShownValue] = [
            .number(examined, .count), .number(total?.trips ?? 0, .count), .number(total?.costCents ?? 0, .cents),
        ]
        let texts = [check.title, made ? "yes" : "not made"]
        return SheetCell.line(texts, made ? values : values.map { _ in .notApplicable }) + [.text(check.rule + note)]
    }

    /// The trips that the checks found, those with the highest cost first.
    func exceptionsSheet(_ ledger: CostLedger) -> SheetContent {
        let lines = CostCheck.allCases.flatMap { check in
            ledger.findings.listed(check).map { listed -> [SheetCell] in
                let trip = listed.trip
                let usual = check == .costOutlier ? ledger.usualCents[listed.place] : nil
                let group = listed.group == 0 ? "" : "G\(listed.group)"
                let keys = [check.title, group, ledger.references[listed.place] ?? "(no id yet)"]
                let values: [ShownValue] = [
                    .number(Int(trip.day), .date), .known(trip.costCents, .cents),
                    .known(trip.loadedHundredths, .hundredthsOfMiles),
                ]
                let limits = [usual?.lowerBound, usual?.upperBound].map { limit in
                    limit.map { SheetCell.value(.number($0, .cents)) } ?? .blank
                }
                return SheetCell.line(keys + ledger.words(trip.key), values) + limits
            }
        }
        return costSheet(
            "Exceptions", "Exceptions, trip by trip", paragraphs: [Self.exceptionsText(ledger)],
            notes: [.cost, .exceptions], emphasis: (.bars, "Cost", "Cost"),
            SheetTable(
                name: "Exceptions",
                columns: SheetTable.Column.texts(["Check", "Group", "Trip"] + Self.ledgerKeys) + [
                    .init(title: "Date", unit: .date), .init(title: "Cost", unit: .cents, isSummed: true),
                    .init(title: "Loaded miles", unit: .hundredthsOfMiles, isSummed: true),
                    .init(title: "Usual cost from", unit: .cents), .init(title: "Usual cost to", unit: .cents),
                ], lines: lines, totals: .filtered, totalTitle: "All listed",
                totalNames: ["Cost": "Exceptions_cost_total"], emptyText: "The checks found nothing."))
    }

    static func exceptionsText(_ ledger: CostLedger) -> String {
        let cut = CostCheck.allCases.compactMap { check -> String? in
            let found = ledger.findings.totals[check]?.trips ?? 0, listed = ledger.findings.listed(check).count
            return found > listed ? "\(check.title): \(listed) of \(found), the dearest" : nil
        }
        let reference =
            ledger.origin == .store
            ? "Trip is the public id of the trip; it has one as soon as rows were written (`--detail` writes them)."
            : "Trip is the export and the byte at which its record begins. Groups are looked for in all of the exports; their "
                + "trips outside the period are not listed."
        return reference + " A trip that two checks found is listed twice."
            + (cut.isEmpty ? "" : " Listed are " + cut.joined(separator: "; ") + ".")
    }
}
