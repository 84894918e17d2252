import Dispatch
import ExportBytes
import Intake
import KPIs
package import Keys
import Profiles
package import Reporting
import Rules
import Synchronization
import Trips

/// Exports in, KPI table out, without a store: the stages in their one order.
///
/// bytes → records → trips (`Intake`) → sourcing (`Rules`) → tallies (`KPIs`), then older versions of a trip
/// are found and taken back out. Each worker has a tally of its own; they merge at the end, so the result is the same
/// for any number of workers and any block size.
package struct ScanRun {
    private let plan: ScanRequest
    private let shape: KPITally.Shape
    private let progress: ScanProgress?
    private let pseudonyms: PseudonymKey?

    /// - Parameter pseudonyms: of the patients in the tally, so that it can be added to others; nil: they can be counted in this
    ///   process alone.
    package init(
        _ plan: ScanRequest, progress: ScanProgress? = nil, pseudonyms: PseudonymKey? = nil,
        patientSampleSize: Int? = nil
    ) {
        self.plan = plan
        self.progress = progress
        self.pseudonyms = pseudonyms
        shape = KPITally.Shape(
            regionCount: plan.vocabulary.regions.names.count, tripTypeCount: plan.vocabulary.tripTypes.names.count,
            maximumIntervalSeconds: plan.profile?.maximumIntervalSeconds ?? 86_400,
            patientSampleSize: patientSampleSize ?? (plan.isRepeatable ? 24 : 1024))
    }

    /// Reads, classifies and tallies all inputs.
    ///
    /// If so many trips were superseded that a cell's patients cannot be counted for sure, it starts again with a
    /// larger sample of patients. Standard input and pipes cannot be read again, so it starts with a large one.
    ///
    /// Where lists take the values of the exports, these are guessed from the first records. If all records show other lists, all is
    /// read by those again.
    package func run() throws -> TrueFigures { try runWithPlan().result }

    /// - Returns: also the plan by which the exports were read: its lists have the values that were taken.
    package func runWithPlan() throws -> (result: TrueFigures, plan: ScanRequest) {
        guard plan.hasOpenLists else { return (try read(), plan) }
        let guess = try plan.guessingLists()
        let result = try ScanRun(guess, progress: progress, pseudonyms: pseudonyms).read()
        let right =
            try plan.takingValues(
                of: result.listUse, read: guess,
                inFile: result.files.count == 1 ? result.files[0].name : "the exports") ?? plan
        if right.vocabulary == guess.vocabulary { return (result, guess) }
        return (try ScanRun(right, progress: progress, pseudonyms: pseudonyms).read(), right)
    }

    private func read() throws(ExportError) -> TrueFigures {
        if let result = try attempt() { return result }
        guard plan.isRepeatable else {
            throw ExportError(
                kind: .notRepeatable, file: "standard input or a pipe",
                problem: "so many of its trips were superseded that patients cannot be counted for sure in one pass",
                remedy: "name the export as a file")
        }
        return try ScanRun(
            plan, progress: progress, pseudonyms: pseudonyms, patientSampleSize: shape.patientSampleSize * 64
        ).read()
    }

    private func attempt() throws(ExportError) -> TrueFigures? {
        var inputs = ScanInputs()
        do throws(ExportError) {
            return try attempt(&inputs)
        } catch {
            // Of a file that changed meanwhile, what is wrong with its records is not the point.
            try inputs.checkUnchanged()
            throw error
        }
    }

    /// - Parameter inputs: none yet; those that were opened, however it ends.
    private func attempt(_ inputs: inout ScanInputs) throws(ExportError) -> TrueFigures? {
        let classifier = Classifier(plan.rules)
        let needs = plan.textNeeds(classifier)
        var tally = KPITally(shape: shape)
        var counts = ReadCounts()
        var files: [TrueFigures.FileResult] = []
        let pages = SealedPages(
            folder: plan.temporaryFolder, pagesInMemory: plan.versionBytesInMemory / SealedPages.pageBytes)
        var retractions: [Retraction] = []
        var overlap = ExportOverlap()
        let index = plan.isUnique ? nil : VersionIndex()
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: pseudonyms)
            try inputs.add(reader)
            let running = Handover(tally.isEmpty ? nil : tally)
            tally = KPITally(shape: shape)
            var (outcomes, findings) = try FileScan(
                reader: reader, plan: plan, classifier: classifier, shape: shape, index: index,
                pages: pages, repeatable: inputs.readers.allSatisfy(\.isRepeatable) ? inputs.readers : [],
                progress: progress,
                running: running
            ).run()
            progress?.finish(bytes: reader.fileBytes)
            retractions += outcomes.map(\.retraction)
            for found in outcomes.compactMap(\.overlap) { overlap.merge(found) }
            counts.merge(findings.counts)
            files.append(try result(reader, findings))
            Self.merge(&outcomes, into: &tally)
            if tally.hasTooManyMonths { throw .tooManyMonths(reader.name) }
            if plan.inputs.count > plan.mostOpen { reader.close() }
        }
        if let index {
            retractions += try resolve(index, readers: inputs.readers, pages: pages, classifier: classifier)
        }
        // All is read; what follows only holds of files that stayed as they were.
        try inputs.checkUnchanged()
        try ReadFindings.checkCurrencies(of: files.map(\.findings))
        let replaced = retractions.reduce(into: ReplacedSample()) { $0.merge($1.replacedTrips) }.trips
        try replaced.check(files.map(\.name), namesPlaces: plan.hasPlaces)
        if let last = files.indices.last {
            files[last].notes += try replaced.notes + [inputs.orderNote(replaced)].compactMap(\.self)
        }
        try overlap.check(files.map(\.name))
        for retraction in retractions {
            // What was read again was not what was added, although no time of a file says so: a write through a mapping.
            guard tally.subtract(retraction.tally) else { throw .changed("one of the exports") }
            counts.superseded += retraction.dropped - retraction.unchanged
            counts.unchanged += retraction.unchanged
        }
        counts.added =
            counts.read - counts.superseded - counts.unchanged - counts.merged - counts.skipped - counts.rejected
        guard counts.isReconciled, counts.added >= 0 else { throw .notReconciled(counts) }
        let context = tableContext
        tally.removeMonths(outside: plan.months)
        guard tally.isSure, let table = tally.table(context, selection: plan.selection.cells) else { return nil }
        return TrueFigures(
            table: table, tally: tally, context: context, cells: plan.selection.cells, counts: counts, files: files,
            dateBasis: SourceReading.dateBasis(zone: plan.profile?.zone ?? plan.zone),
            selection: plan.months.phrases + plan.selection.phrases, inputs: inputs,
            listNotes: plan.inputNotes + plan.listNotes)
    }

    /// Merges the workers' tallies, letting go of each as soon as it is in, so that no more of them than needed are held.
    private static func merge(_ outcomes: inout [ScanConsumer.Outcome], into tally: inout KPITally) {
        while let outcome = outcomes.popLast() {
            if tally.isEmpty {
                tally = outcome.tally
            } else {
                tally.merge(outcome.tally)
            }
        }
    }

    private var tableContext: KPITally.TableContext {
        let pairs = plan.profile?.intervalPairs ?? [:]
        return KPITally.TableContext(
            regions: plan.vocabulary.regions, tripTypes: plan.vocabulary.tripTypes,
            intervalPairs: Dictionary(
                uniqueKeysWithValues: TripInterval.allCases.map { ($0, pairs[$0] ?? $0.standardPair) }))
    }

    /// What is reported of one file, after the check that not too much of it is rejected.
    private func result(
        _ reader: ExportReader, _ findings: ReadFindings
    ) throws(ExportError) -> TrueFigures.FileResult {
        try reader.check(findings, maximumRejectPerMillion: plan.maximumRejectPerMillion)
        return TrueFigures.FileResult(reader, findings)
    }

    // MARK: - Versions

    private func resolve(
        _ index: VersionIndex, readers: [ExportReader], pages: SealedPages, classifier: Classifier
    ) throws(ExportError) -> [Retraction] {
        let next = Atomic<Int>(0)
        return try Workers.run(plan.workers) { _ throws(ExportError) in
            let logged = LoggedTrips(pages)
            let sources = readers.map { reader -> any VersionSource in
                reader.isRepeatable ? LazyRereader(reader) : logged
            }
            let retractor = TallyRetractor(classifier: classifier, files: sources.count, shape: shape)
            var resolver = VersionResolver(sources: sources, retractor: retractor, mostOpen: plan.mostOpen)
            while true {
                let partition = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard partition < VersionIndex.partitionCount else { break }
                try resolver.resolve(index.take(partition))
            }
            return Retraction(retractor, resolver, try plan.compared(&resolver))
        }
    }
}
