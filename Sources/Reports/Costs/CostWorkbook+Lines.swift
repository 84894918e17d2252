internal import Costs
internal import Trips

extension CostWorkbook {
    private static let lineColumns: [CostGrid.Column] = [
        .init(title: "Trips", unit: .count, isSummed: true),
        .init(title: "Costed trips", unit: .count, isSummed: true),
        .init(title: "Cost", unit: .cents, isSummed: true),
        .init(title: "Cost per trip", unit: .cents, derivation: .costPer(cost: 2, count: 1)),
        .init(title: "Loaded miles", unit: .hundredthsOfMiles, isSummed: true),
        .init(title: "Cost with miles", unit: .cents, isSummed: true),
        .init(title: "Miles with cost", unit: .hundredthsOfMiles, isSummed: true),
        .init(title: "Cost per loaded mile", unit: .cents, derivation: .costPerMile(cost: 5, miles: 6)),
    ]

    private static func figures(_ sums: CostSums) -> [Figure?] {
        [
            .value(sums.trips, .count), .value(sums.costedTrips, .count), .value(sums.costCents, .cents),
            sums.costPerTripCents.map { .value($0, .cents) } ?? Figure.none,
            .value(sums.loadedHundredths, .hundredthsOfMiles), .value(sums.costCentsWithMiles, .cents),
            .value(sums.loadedHundredthsWithCost, .hundredthsOfMiles),
            sums.costPerLoadedMileCents.map { .value($0, .cents) } ?? Figure.none,
        ]
    }

    /// The period by provider and contract.
    func providersSheet(_ ledger: CostLedger) -> CostSheet {
        let sums = ledger.period.grouped { [$0.providerID, $0.providerName, $0.contract] }
        let lines = sums.map { key, sums in
            CostGrid.Line(keys: key.map(ledger.text), figures: Self.figures(sums))
        }
        return CostSheet(
            name: "Providers", title: "Costs by provider and contract", paragraphs: [Self.bothText],
            grid: CostGrid(
                name: "Providers", keyTitles: ["Provider id", "Provider", "Contract"], columns: Self.lineColumns,
                lines: lines.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }, totalTitle: "All listed"),
            totalNames: [2: "Providers_cost_total"], emphasis: (.bars, 2...2), notes: [.trips, .cost, .loadedMile])
    }

    /// Month × provider × contract × trip type × sourcing.
    func linesSheet(_ ledger: CostLedger) -> CostSheet {
        let lines = ledger.period.lines.map { key, sums in
            CostGrid.Line(
                keys: [Month(index: key.month).description] + ledger.words(key), figures: Self.figures(sums))
        }
        return CostSheet(
            name: "Lines", title: "Costs by month, provider, contract, trip type and sourcing",
            grid: CostGrid(
                name: "CostLines",
                keyTitles: ["Month", "Provider id", "Provider", "Contract", "Trip type", "Sourcing"],
                columns: Self.lineColumns, lines: lines.sorted { $0.keys.lexicographicallyPrecedes($1.keys) },
                totalTitle: "All listed"),
            totalNames: [0: "Lines_trips_total", 2: "Lines_cost_total"], notes: [.trips, .cost, .loadedMile])
    }

    static let bothText =
        "Cost per loaded mile is over the trips that have both a cost and loaded miles; \"cost with miles\" and \"miles "
        + "with cost\" are theirs."

    // MARK: What to look at twice

    /// Each check, what it found, and its rule.
    func checksSheet(_ ledger: CostLedger) -> SheetLayout {
        var sheet = base.frame("Checks", title: Self.checksTitle)
        sheet.addParagraph(Self.checksText)
        let headers = Self.checkHeaders
        let headerRow = sheet.row + 1
        sheet.setHeight(headerRow, 48)
        for (column, title) in headers.enumerated() {
            let isNumber = (2...4).contains(column)
            sheet.put(title, isNumber ? .numberHeader : .header, row: headerRow, column: column)
        }
        for (offset, line) in checkLines(ledger).enumerated() {
            let row = headerRow + 1 + offset
            sheet.put(line.check, .body, row: row, column: 0)
            sheet.put(line.made, .body, row: row, column: 1)
            for (place, figure) in line.figures.enumerated() { sheet.put(figure, .body, row: row, column: 2 + place) }
            sheet.put(line.rule, .wrapped, row: row, column: 5, sized: false)
            sheet.setHeight(row, 15 * Double(1 + line.rule.count / 95))
        }
        sheet.setWidth(5, 95)
        sheet.table = SheetLayout.Table(
            name: "Checks", headerRow: headerRow, headers: headers, rowCount: CostCheck.allCases.count)
        sheet.frozenRows = headerRow + 1
        sheet.repeatedRows = headerRow...headerRow
        return sheet
    }

    static let checksTitle = "What to look at twice"
    static let checksText =
        "None of these proves a fault: each is a trip, or a group of them, whose bill is worth a look."
    static let checkHeaders = ["Check", "Made", "Trips looked at", "Trips found", "Cost of these", "Rule"]

    func checkLines(
        _ ledger: CostLedger
    ) -> [(check: String, made: String, figures: [Figure], rule: String)] {
        CostCheck.allCases.map { check in
            let state = state(of: check, ledger)
            let total = ledger.findings.totals[check]
            let figures: [Figure] =
                state.isMade
                ? [
                    .value(ledger.examined[check] ?? 0, .count), .value(total?.trips ?? 0, .count),
                    .value(total?.costCents ?? 0, .cents),
                ] : [.none, .none, .none]
            return (check.title, state.word, figures, check.rule + state.note)
        }
    }

    private func state(of check: CostCheck, _ ledger: CostLedger) -> (word: String, isMade: Bool, note: String) {
        if check.needsExports, ledger.origin == .store {
            return (
                "not made", false,
                " The store does not keep what this needs (invoice numbers, vehicles, times of day, estimates): run "
                    + "`tripkpi costs FILE… --internal` on the exports."
            )
        }
        if check.needsExports, (ledger.examined[check] ?? 0) == 0 {
            return ("not made", false, " The exports have no column with what this needs.")
        }
        guard check == .costOutlier else { return ("yes", true, "") }
        let groups = ledger.groups
        return ("yes", true, " Groups judged: \(groups.judged); too small: \(groups.small).")
    }

    /// The trips that the checks found, the dearest first.
    func exceptionsSheet(_ ledger: CostLedger) -> CostSheet {
        var lines: [CostGrid.Line] = []
        for check in CostCheck.allCases {
            for listed in ledger.findings.listed(check) {
                let trip = listed.trip
                let usual = check == .costOutlier ? ledger.usualCents[listed.place] : nil
                let group = listed.group == 0 ? "" : "G\(listed.group)"
                lines.append(
                    .init(
                        keys: [check.title, group, ledger.references[listed.place] ?? "(no id yet)"]
                            + ledger.words(trip.key),
                        figures: [
                            .value(Int(trip.day), .date), trip.costCents.map { .value($0, .cents) } ?? Figure.none,
                            trip.loadedHundredths.map { .value($0, .hundredthsOfMiles) } ?? Figure.none,
                            usual.map { .value($0.lowerBound, .cents) }, usual.map { .value($0.upperBound, .cents) },
                        ]))
            }
        }
        return CostSheet(
            name: "Exceptions", title: "Exceptions, trip by trip", paragraphs: [Self.exceptionsText(ledger)],
            grid: CostGrid(
                name: "Exceptions",
                keyTitles: [
                    "Check", "Group", "Trip", "Provider id", "Provider", "Contract", "Trip type", "Sourcing",
                ],
                columns: [
                    .init(title: "Date", unit: .date), .init(title: "Cost", unit: .cents, isSummed: true),
                    .init(title: "Loaded miles", unit: .hundredthsOfMiles, isSummed: true),
                    .init(title: "Usual cost from", unit: .cents), .init(title: "Usual cost to", unit: .cents),
                ], lines: lines, totalTitle: "All listed", emptyText: "The checks found nothing."),
            totalNames: [1: "Exceptions_cost_total"], emphasis: (.bars, 1...1), notes: [.cost, .exceptions])
    }

    static func exceptionsText(_ ledger: CostLedger) -> String {
        let cut = CostCheck.allCases.compactMap { check -> String? in
            let found = ledger.findings.totals[check]?.trips ?? 0, listed = ledger.findings.listed(check).count
            return found > listed ? "\(check.title): \(listed) of \(found), the dearest" : nil
        }
        let place =
            ledger.origin == .store
            ? "Trip is the public id of the trip; it has one once rows were given out (`--detail` does that)."
            : "Trip is the export and the byte at which its record begins. Groups are looked for in all of the exports; their "
                + "trips outside the period are not listed."
        return place + " A trip that two checks found is listed twice."
            + (cut.isEmpty ? "" : " Listed are " + cut.joined(separator: "; ") + ".")
    }
}
