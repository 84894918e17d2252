import Dashboard
import DisclosureAudit
import Events
import KPIContract
import KPIs
import Privacy
import Reports
import Trips

/// Hands the true groups of a release to the auditor, which recomputes from them every number of the published bytes.
struct ReleaseAuditor: Sendable {
    let released: ReleasedFigures
    /// Months of `released` that have groups.
    private var shown: [ReleasedMonth] { released.months.filter { $0.partition.completed.groups != nil } }
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
        var facts = AuditedFacts()
        facts.generatedAt = summary.generatedAt
        facts.runID = summary.runId
        facts.monthEvent = summary.monthEvent
        facts.dateBasis = summary.dateBasis
        facts.selection = report.selection
        facts.statement = summary.privacy.statement
        facts.rulesName = summary.rules.name
        facts.rulesVersion = summary.rules.version
        facts.records = (counts.read, counts.rejected)
        let audit = DisclosureAudit(
            of: release, facts: facts,
            files: AuditedFiles(
                csvColumns: CSVReport.columns, csvMark: summary.lineStamp,
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

    /// Trips that are in no group: by the rule there are none; the auditor must not assume it.
    private var remainders: [String] {
        shown.compactMap { month in
            let all = released.tally.sums(of: released.tally.allLeaves, in: month.month).trips
            let grouped = (month.partition.completed.groups ?? []).reduce(0) {
                $0 + released.tally.sums(of: $1, in: month.month).trips
            }
            return all == grouped ? nil : "\(month.month): trips of the month are in no group"
        }
    }

    private func names(_ list: NamedList) -> [String] {
        Array(list.names.dropFirst()) + [NamedList.unassigned]
    }

    private func names(_ codes: Set<UInt8>, of list: NamedList) -> Set<String> {
        Set(codes.map { list.names.indices.contains(Int($0)) ? list.names[Int($0)] : NamedList.unassigned })
    }

    private func unpublished(_ month: ReleasedMonth) -> [AuditedRelease.MonthPopulation] {
        let populations: [(AuditedPopulation, PopulationPartition)] = [
            (.cancelled, month.partition.cancelled), (.noShow, month.partition.noShow),
        ]
        return populations.filter { $0.1.groups == nil }.map { .init(month: month.month.description, population: $0.0) }
    }

    private func groups(_ month: ReleasedMonth) -> [AuditedGroup] {
        let completed = (month.partition.completed.groups ?? []).enumerated().map { index, leaves in
            var group = group(
                leaves, month.month, isPending: month.pending.completed.contains(index), isRevised: month.isRevised)
            if let limit = month.partition.divisionLimit(of: leaves) {
                group.mostParts = limit.parts
                group.mostPartsOfCost = limit.isCostDivided ? limit.parts : 1
            }
            return group
        }
        let others: [(AuditedPopulation, TripPopulation, PopulationPartition, pending: Set<Int>)] = [
            (.cancelled, .cancelled, month.partition.cancelled, month.pending.cancelled),
            (.noShow, .noShow, month.partition.noShow, month.pending.noShow),
        ]
        return completed
            + others.flatMap { audited, population, partition, pending in
                (partition.groups ?? []).enumerated().map { index, leaves in
                    let patients = patients(leaves, month.month, [population])
                    return AuditedGroup(
                        month: month.month.description, population: audited, leaves: leaves.map(leaf),
                        trips: released.tally.sums(of: leaves, in: month.month).trips(of: population),
                        namesPatients: patients != nil, patients: patients ?? 0,
                        isRevisionPending: pending.contains(index), isRevised: month.isRevised)
                }
            }
    }

    private func group(_ leaves: [LeafScope], _ month: Month, isPending: Bool, isRevised: Bool) -> AuditedGroup {
        let tally = released.tally
        let sums = tally.sums(of: leaves, in: month)
        let all = patients(leaves, month, TripPopulation.completed)
        func bySourcing(_ triple: SourcingTriple) -> AuditedGroup.BySourcing {
            .init(inHouse: triple.inHouse, contracted: triple.contracted, unclassified: triple.unclassified)
        }
        /// A part whose trips name no patients is judged by its trips alone.
        func count(_ populations: [TripPopulation]) -> Int {
            patients(leaves, month, populations) ?? PatientCount.cap
        }
        var group = AuditedGroup(
            month: month.description, population: .completed, leaves: leaves.map(leaf), trips: sums.trips,
            namesPatients: all != nil, patients: all ?? 0, isRevisionPending: isPending, isRevised: isRevised)
        group.tripsBySourcing = bySourcing(sums.tripsBySourcing)
        group.patientsBySourcing = .init(
            inHouse: count([.inHouse]), contracted: count([.contracted]), unclassified: count([.unclassified]),
            contractedOrUnclassified: count([.contracted, .unclassified]))
        group.costCentsBySourcing = bySourcing(sums.costCentsBySourcing)
        group.costedTripsBySourcing = bySourcing(sums.costedTripsBySourcing)
        group.loadedHundredths = sums.loadedHundredths
        group.tripsWithLoadedMiles = sums.tripsWithLoadedMiles
        group.unloadedHundredths = sums.unloadedHundredths
        group.tripsWithUnloadedMiles = sums.tripsWithUnloadedMiles
        group.intervals = TripInterval.allCases.map { interval in
            let totals = tally.intervalTotals(interval, of: leaves, in: month)
            return AuditedInterval(used: totals.used, excluded: totals.excluded, sumSeconds: totals.sumSeconds) {
                tally.seconds(of: interval, in: leaves, of: month)
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
