import Basics
import Dashboard
import DisclosureAudit
import KPIContract
import KPIs
import Privacy
import Reports
import Trips

/// Hands the true groups of a release to the auditor, which recomputes from them every number of the published bytes.
struct ReleaseAuditor: Sendable {
    let released: ReleasedFigures
    /// Months of `released` that have groups.
    private var shown: [ReleasedMonth] { released.months.filter(\.partition.isPublished) }
    let context: KPITally.TableContext
    let selection: KPISelection
    /// Months that are in no figure; ascending.
    let withheldMonths: [Month]
    /// This month and later ones are under way; nil: every month is over.
    let firstOpenMonth: Month?
    /// Released months that lack days.
    let partialMonths: [Month]
    let minimumCell: Int
    let missingCounts: MissingCountPolicy
    /// Of the exports that the release is made of.
    package let counts: ReadCounts
    /// True counts of events, of the months that are shown; nil: none were read.
    let events: EventTally?
    /// What measures are to reach.
    let targets: [MeasureTarget]

    /// What is wrong with these files of a report; each in words, without a figure. Empty: the audit passed.
    func findings(in files: [String: [UInt8]], of report: SummaryReport) -> [String] {
        let summary = report.summary
        var release = AuditedRelease(
            groups: shown.flatMap(groups), months: shown.map(\.month.description), regions: names(context.regions),
            tripTypes: names(context.tripTypes), minimum: minimumCell)
        release.firstOpenMonth = firstOpenMonth?.description
        release.partialMonths = partialMonths.map(\.description)
        release.withheldMonths = withheldMonths.map(\.description)
        release.unpublished = Set(shown.flatMap(unpublished))
        release.unpublishedMeasures = shown.reduce(into: [:]) { $0.merge(unpublishedMeasures($1)) { $0.union($1) } }
        release.pendingMonths = Set(shown.filter(\.pending.isElsewhere).map(\.month.description))
        release.intervalEvents = events(context.intervalPairs)
        release.omitsMissingCounts = missingCounts == .omit
        release.selection = AuditedSelection(
            months: selection.months.map { months in
                Set(shown.map(\.month).filter(months.contains).map(\.description))
            }, regions: selection.regions.map { names($0, of: context.regions) },
            tripTypes: selection.tripTypes.map { names($0, of: context.tripTypes) })
        release.events = events.map(AuditedEvents.all)
        release.eventKinds = EventKind.allCases.map(\.rawValue)
        release.releasedIntervalEvents = context.releasedPairs.map(events)
        var facts = StatedTexts()
        facts.generatedAt = summary.generatedAt
        facts.runID = summary.runId
        facts.monthEvent = summary.monthEvent
        facts.dateBasis = summary.dateBasis
        facts.selection = report.selection
        facts.statement = summary.privacy.statement
        facts.rulesName = summary.rules.name
        facts.rulesVersion = summary.rules.version
        facts.records = (counts.read, counts.rejected)
        let firstOpenMonth = firstOpenMonth, targets = targets, left = withheldMonths.map(\.description)
        let audit = DisclosureAudit(
            of: release, facts: facts,
            files: AuditedFiles(
                csvColumns: CSVReport.columns, csvMark: summary.lineStamp,
                derived: { document, everyMonth in
                    DocumentDerivation(
                        everyMonth: everyMonth, firstOpenMonth: firstOpenMonth, targets: targets, monthsLeftOut: left
                    ).applied(to: document)
                },
                renderPage: { try? DashboardPage(summary: $0).bytes },
                required: [PublishedFileNames.summary, PublishedFileNames.cells]))
        return remainders + audit.findings(in: files)
    }

    private func events(_ pairs: [TripInterval: EventPair]) -> [(start: String, end: String)] {
        TripInterval.allCases.map { interval in
            let pair = pairs[interval] ?? interval.standardPair
            return (pair.start.field.rawValue, pair.end.field.rawValue)
        }
    }

    /// Trips of a published population that are in no group: by the rule there are none; the auditor must not assume it.
    private var remainders: [String] {
        shown.flatMap { month in
            month.partition.sortedPopulations.compactMap { population, own in
                guard let groups = own.groups else { return nil }
                func trips(_ leaves: [LeafScope]) -> Int {
                    let sums = released.tally.sums(of: leaves, in: month.month)
                    return population.members.reduce(0) { $0 + sums.trips(of: $1) }
                }
                return trips(released.tally.allLeaves) == groups.reduce(0) { $0 + trips($1) }
                    ? nil : "\(month.month): trips of the month are in no group"
            }
        }
    }

    private func names(_ list: NamedList) -> [String] {
        [NamedList.unassigned] + list.names.dropFirst()
    }

    private func names(_ codes: Set<UInt8>, of list: NamedList) -> Set<String> {
        Set(codes.map { list.names.indices.contains(Int($0)) ? list.names[Int($0)] : NamedList.unassigned })
    }

    private func unpublished(_ month: ReleasedMonth) -> [AuditedRelease.MonthPopulation] {
        month.partition.sortedPopulations.filter { $0.partition.groups == nil }.map {
            .init(month: month.month.description, population: $0.population.contract)
        }
    }

    private func unpublishedMeasures(
        _ month: ReleasedMonth
    ) -> [AuditedRelease.MonthPopulation: Set<AuditedMeasure>] {
        month.partition.populations.reduce(into: [:]) { found, own in
            let measures = own.value.unpublishedMeasures.compactMap { AuditedMeasure(rawValue: $0.name) }
            guard !measures.isEmpty else { return }
            found[.init(month: month.month.description, population: own.key.contract)] = Set(measures)
        }
    }

    private func groups(_ month: ReleasedMonth) -> [AuditedGroup] {
        month.partition.sortedPopulations.flatMap { population, own in
            (own.groups ?? []).enumerated().map { index, leaves in
                group(
                    leaves, population, month.month, isPending: month.pending[population].contains(index),
                    isRevised: month.isRevised)
            }
        }
    }

    private func group(
        _ leaves: [LeafScope], _ population: ReleasedPopulation, _ month: Month, isPending: Bool, isRevised: Bool
    ) -> AuditedGroup {
        let tally = released.tally, members = population.members
        let all = tally.sums(of: leaves, in: month), patients = patients(leaves, month, members)
        var group = AuditedGroup(
            month: month.description, population: population.contract, leaves: leaves.map(leaf),
            trips: members.reduce(0) { $0 + all.trips(of: $1) }, namesPatients: patients != nil,
            patients: patients ?? 0, isRevisionPending: isPending, isRevised: isRevised)
        guard population.isCompleted else { return group }
        let sums = tally.completedSums(of: leaves, in: month, members)
        group.costCents = sums.costCents
        group.costedTrips = sums.costedTrips
        group.loadedHundredths = sums.loadedHundredths
        group.tripsWithLoadedMiles = sums.tripsWithLoadedMiles
        group.unloadedHundredths = sums.unloadedHundredths
        group.tripsWithUnloadedMiles = sums.tripsWithUnloadedMiles
        group.costedTripsWithLoadedMiles = sums.costedTripsWithLoadedMiles
        group.loadedHundredthsWithCost = sums.loadedHundredthsWithCost
        group.intervals = TripInterval.allCases.map { interval in
            let totals = tally.intervalTotals(interval, of: leaves, in: month, members)
            return AuditedInterval(used: totals.used, excluded: totals.excluded, sumSeconds: totals.sumSeconds) {
                tally.seconds(of: interval, in: leaves, of: month, members)
            }
        }
        return group
    }

    /// Nil where no trip names its patient.
    private func patients(_ leaves: [LeafScope], _ month: Month, _ populations: [TripPopulation]) -> Int? {
        switch released.tally.patientCount(of: leaves, in: month, populations) {
        case .unknown: nil
        case .exactly(let count): count
        case .atLeastCap: PatientCount.cap
        case nil: 0
        }
    }

    private func leaf(_ leaf: LeafScope) -> AuditedLeaf {
        func name(_ code: UInt8, _ list: NamedList) -> String {
            list.names.indices.contains(Int(code)) ? list.names[Int(code)] : NamedList.unassigned
        }
        return AuditedLeaf(
            region: name(leaf.region, context.regions), tripType: name(leaf.tripType, context.tripTypes))
    }
}
