import KPIs
import Reports
import Trips

/// What the checks found, and in which trips.
extension CostWorkbook {
    /// Each check, what it found, and its rule.
    func checksSheet(_ ledger: CostLedger, _ review: CostReview) -> SheetContent {
        let period = ledger.periodTotal
        var content = costSheet(
            "Checks", "Exceptions to review", paragraphs: [Self.checksText], notes: [],
            total: SheetTotal(trips: period.trips, costCents: period.costCents),
            SheetTable(
                name: "Checks",
                columns: [
                    .init(title: "Check"), .init(title: "Made"), .init(title: "Trips looked at", unit: .count),
                    .init(title: "Trips found", unit: .count), .init(title: "Cost of these", unit: .cents),
                    .init(title: "Rule", role: .wrapped, width: 95, charactersPerLine: 95),
                ],
                lines: CostCheck.allCases.map { Self.line(of: $0, review, ledger.origin) }))
        // It says nothing of figures that may be hidden or marked.
        content.blocks = ([Self.checksText] + content.remarks).map { .paragraph($0) } + [.gap()]
        content.notes = [CostNote.none, CostNote.checks]
        content.table?.frozenColumns = 0
        return content
    }

    static let checksText =
        "None of these proves a fault: each is a trip, or a group of them, whose bill is worth a look."

    private static func line(
        of check: CostCheck, _ review: CostReview, _ origin: CostLedger.Origin
    ) -> [SheetCell] {
        let examined = review.examined[check] ?? 0, total = review.findings.totals[check]
        var made = true
        var note = ""
        if check.needsExports, origin == .store {
            made = false
            note =
                " The store does not keep what this needs (invoice numbers, vehicles, times of day, estimates): run "
                + "`tripkpi costs FILE… --internal` on the exports."
        } else if check.needsExports, examined == 0 {
            made = false
            note = " The exports have no column with what this needs."
        } else if check == .costOutlier {
            note = " Groups judged: \(review.groups.judged); too small: \(review.groups.small)."
        }
        let isUnknown = total.map { $0.trips > 0 && $0.costedTrips == 0 } ?? false
        let values: [ShownValue] = [
            .number(examined, .count), .number(total?.trips ?? 0, .count),
            isUnknown ? .costUnknown() : .number(total?.costCents ?? 0, .cents),
        ]
        let texts = [check.title, made ? "yes" : "not made"]
        return SheetCell.line(texts, made ? values : values.map { _ in .notApplicable }) + [.text(check.rule + note)]
    }

    /// The trips that the checks found, those with the highest cost first.
    func exceptionsSheet(_ ledger: CostLedger, _ review: CostReview) -> SheetContent {
        let places = ReferenceColumns(ledger.origin, review)
        let lines = CostCheck.allCases.flatMap { check in
            review.findings.listed(check).map { listed -> [SheetCell] in
                let trip = listed.trip
                let usual = check == .costOutlier ? review.usualCents[listed.place] : nil
                let group = listed.group == 0 ? "" : "G\(listed.group)"
                let cost = trip.costCents.map { ShownValue.number($0, .cents) } ?? .costUnknown()
                let values: [ShownValue] = [
                    .number(Int(trip.day), .date), cost, .known(trip.loadedHundredths, .hundredthsOfMiles),
                ]
                let limits = [usual?.lowerBound, usual?.upperBound].map { limit in
                    limit.map { SheetCell.value(.number($0, .cents)) } ?? .blank
                }
                return SheetCell.line([check.title, group], []) + places.cells(review.references[listed.place])
                    + SheetCell.line(ledger.words.line(trip.key), values) + limits
            }
        }
        let unique = uniqueTotal(review)
        return costSheet(
            "Exceptions", "Exceptions, trip by trip", paragraphs: [Self.exceptionsText(ledger.origin, review)],
            notes: [.cost, .loadedMile, .exceptions],
            total: SheetTotal(trips: unique.trips, costCents: unique.costCents, rest: "trips that are not listed"),
            SheetTable(
                name: "Exceptions",
                columns: SheetTable.Column.texts(["Check", "Group"]) + places.columns
                    + SheetTable.Column.texts(Self.ledgerKeys) + [
                        .init(title: "Date", unit: .date), .init(title: "Cost", unit: .cents, isSummed: true),
                        // Of the listed trips; a sum of it would be one more total of miles.
                        .init(title: "Loaded miles", unit: .hundredthsOfMiles),
                        .init(title: "Usual cost from", unit: .cents), .init(title: "Usual cost to", unit: .cents),
                    ], lines: lines, totals: .filtered, totalTitle: "All listed",
                totalNames: ["Cost": "Exceptions_cost_total"], emptyText: "The checks found nothing."))
    }

    /// A trip that two checks found is one trip.
    private func uniqueTotal(_ review: CostReview) -> CostSums {
        var sums = CostSums()
        var seen: Set<CostTripLocation> = []
        for listed in CostCheck.allCases.flatMap(review.findings.listed) where seen.insert(listed.place).inserted {
            sums.add(listed.trip)
        }
        return sums
    }

    /// The columns by which a listed trip is found again: those that the ledger knows.
    private struct ReferenceColumns {
        private let hasIDs: Bool
        private let isStore: Bool
        private let hasInvoices: Bool

        init(_ origin: CostLedger.Origin, _ review: CostReview) {
            isStore = origin == .store
            hasIDs = isStore || review.references.values.contains { $0.publicID != nil }
            hasInvoices = review.references.values.contains { $0.invoice != nil }
        }

        var columns: [SheetTable.Column] {
            SheetTable.Column.texts((hasIDs ? ["Trip"] : []) + ["Export"])
                + [SheetTable.Column(title: isStore ? "Byte" : "Record", unit: .count)]
                + SheetTable.Column.texts(hasInvoices ? ["Invoice"] : [])
        }

        func cells(_ reference: TripReference?) -> [SheetCell] {
            let id = SheetCell.text(reference?.publicID?.description ?? "(no id yet)")
            let place = isStore ? reference?.byte : reference?.record
            return (hasIDs ? [id] : []) + [.text(reference?.export ?? ""), .value(.known(place, .count))]
                + (hasInvoices ? [.text(reference?.invoice ?? "(none)")] : [])
        }
    }

    static func exceptionsText(_ origin: CostLedger.Origin, _ review: CostReview) -> String {
        let cut = CostCheck.allCases.compactMap { check -> String? in
            let found = review.findings.totals[check]?.trips ?? 0, listed = review.findings.listed(check).count
            return found > listed ? "\(check.title): \(listed) of \(found), the dearest" : nil
        }
        let reference =
            origin == .store
            ? "Trip is the public id of the trip; Export and Byte are where its record begins. To read the record: "
                + "`tail -c +$((BYTE+1)) FILE | head -n 1`, of a gzip file `zcat FILE | tail -c +$((BYTE+1)) | head -n 1`. The store "
                + "keeps no row number and no invoice: `tripkpi costs FILE… --internal` lists both."
            : "Record is the number of the trip's record in the export, headers not counted: record 1 is row 2 of a plain CSV file. "
                + "Invoice is as the export has it. Groups are looked for in all of the exports; their trips outside the period "
                + "are not listed."
        return reference
            + " A trip that two checks found is listed twice; the reconciliation counts it once."
            + " \"Cost unknown\": the trip has no cost on record."
            + (cut.isEmpty ? "" : " Listed are " + cut.joined(separator: "; ") + ".")
    }
}
