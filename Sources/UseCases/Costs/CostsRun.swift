package import Basics
import Files
import KPIContract
import KPIs
import OutputScan
package import Privacy
import Profiles
package import Reporting
package import Settings
import Store
package import Trips
import Workbooks

/// What `tripkpi costs` does: finance's workbook and, for internal use, the line-level one.
///
/// What is fit for release comes from the summary of all months alone, whose hidden values are those of the published
/// set; the period only chooses what of it is shown. Providers, contracts and lines are in no audited set: they are made
/// only for internal use, and recorded in the audit log before they are written.
package struct CostsRun {
    package struct Request: Sendable {
        /// The workbook.
        package let output: String
        /// The line-level workbook; nil: none. Only for internal use.
        package let detail: String?
        /// A budget to compare with; nil: none.
        package let budget: String?
        package let audience: Audience
        /// For readers who hear them: plain tables, one a sheet.
        package let isAccessible: Bool
        package let disclosure: DisclosureSettings
        /// The months of the figures.
        package let months: MonthLimits
        package let generatedAt: UTCTime

        package init(
            output: String, detail: String?, budget: String?, audience: Audience, isAccessible: Bool,
            disclosure: DisclosureSettings, months: MonthLimits, generatedAt: UTCTime
        ) {
            self.output = output
            self.detail = detail
            self.budget = budget
            self.audience = audience
            self.isAccessible = isAccessible
            self.disclosure = disclosure
            self.months = months
            self.generatedAt = generatedAt
        }
    }

    let request: Request
    let audit: AuditRecorder?

    /// - Parameter audit: nil: what may be released is not logged.
    package init(_ request: Request, audit: AuditRecorder?) {
        self.request = request
        self.audit = audit
    }

    /// Fails if an output could not be made or an internal one not be written down, before anything is read.
    package func prepare() throws {
        try AtomicFile.check(output: request.output)
        if let detail = request.detail { try AtomicFile.check(output: detail) }
        try audit?.prepare()
    }

    // MARK: - Of the store

    /// Costs of the store. Detail needs public ids, which the one writer gives: then it holds the run lock.
    package func run(
        _ site: StoreSite, selection: ReportSelection.Request, _ environment: RunEnvironment
    ) throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        let lists = try TripStore(reading: site.store).lists()
        let vocabulary = Vocabulary(regions: lists.regions, tripTypes: lists.tripTypes)
        let part = try ReportSelection(selection, vocabulary: vocabulary).cells
        let plan = try budget(vocabulary)
        guard request.detail != nil else { return try run(site, selection, part, plan, environment, writer: nil) }
        return try WritingSession.run(site, environment, isAudited: false) { session in
            try run(site, selection, part, plan, environment, writer: session.store)
        }
    }

    /// - Parameter writer: the store of a session; nil: it is opened to read.
    private func run(
        _ site: StoreSite, _ selection: ReportSelection.Request, _ part: KPISelection, _ plan: BudgetPlan?,
        _ environment: RunEnvironment, writer: TripStore?
    ) throws -> [String] {
        var (summary, messages) = try summary(of: site, selection)
        summary.context.plan = plan
        messages += monthNotes(part.months, of: summary.report)
        guard request.audience == .staff else {
            try write(summary, ledger: nil, months: part.months, identifiers: nil)
            return messages
        }
        let store = try writer ?? TripStore(reading: site.store)
        if writer == nil {
            // A writer has checked it when it opened it.
            try store.checkIntegrity()
        } else {
            var random = SystemRandomNumberGenerator()
            try store.assignPublicIDs(months: part.months, random: &random)
        }
        var costs = try StoreCosts(store, part, limits: request.months)
        try give(summary, costs.ledger.words, months: part.months, identifiers: nil) { line in
            try costs.review(line)
            messages += try nameExceptions(&costs, site, environment)
            return costs.ledger
        }
        return messages
    }

    /// Gives listed trips the public ids that they lack: as the store's writer, for a moment. Where that is not possible the
    /// workbook goes without them.
    ///
    /// - Returns: why some have none.
    private func nameExceptions(
        _ costs: inout StoreCosts, _ site: StoreSite, _ environment: RunEnvironment
    ) throws -> [String] {
        let unnamed = costs.ledger.review?.unnamedExceptions ?? 0
        guard unnamed > 0 else { return [] }
        do {
            try WritingSession.run(site, environment, isAudited: false) { try costs.giveListedTripsIDs($0.store) }
            return []
        } catch
            where [.locked, .permission, .cannotCreate, .inputMissing, .configuration].contains(FailureKind(of: error))
        {
            return [
                "note: \(NumberText.grouped(unnamed)) listed exceptions have no public id, and none could be given: \(error)"
            ]
        }
    }

    /// Of all months. The tallies that it is made of are gone when the rows are read.
    private func summary(
        of site: StoreSite, _ selection: ReportSelection.Request
    ) throws -> (summary: CostSummary, messages: [String]) {
        func source(_ part: ReportSelection.Request) throws -> StoreReport {
            try StoreReport(
                storePath: site.store, reportsPath: site.reports, selection: part, months: request.months,
                disclosure: request.disclosure, audience: request.audience)
        }
        func report(_ source: StoreReport) throws -> FigureReport {
            try source.report(generatedAt: request.generatedAt, runID: "costs")
        }
        var regions = ReportSelection.Request()
        regions.regions = selection.regions
        let whole = try source(regions)
        var summary = CostSummary(try report(whole))
        try summary.setTotals(
            published: selection.regions.isEmpty ? nil : { try report(source(.init())) },
            selected: selection == regions ? nil : { try report(source(selection)) })
        return (summary, whole.messages)
    }

    // MARK: - Of exports

    /// Costs of exports. For internal use they are read a second time, for what a scan does not keep.
    package func run(_ plan: ScanRequest, selection: ReportSelection.Request) throws -> [String] {
        if request.audience == .staff, plan.inputs.contains("-") { throw CostsError.standardInput }
        var plan = plan, regions = ReportSelection.Request()
        try plan.select(selection)
        regions.regions = selection.regions
        try plan.select(regions)
        let identifiers = plan.rememberIdentifiers()
        let result: TrueFigures
        (result, plan) = try ScanRun(plan).runWithPlan()
        let part = try ReportSelection(selection, vocabulary: plan.vocabulary).cells
        let budget = try budget(plan.vocabulary)
        func report(_ cells: KPISelection) throws -> FigureReport {
            guard let result = result.selecting(cells) else { throw DisclosureError.patientsNotSure }
            return try FigureReport(
                result, rules: plan.rules.stamp, runID: "costs", disclosure: request.disclosure,
                audience: request.audience, generatedAt: request.generatedAt)
        }
        var summary = CostSummary(try report(plan.selection.cells))
        try summary.setTotals(
            published: selection.regions.isEmpty ? nil : { try report(.everything) },
            selected: part.months == nil ? nil : { try report(part) })
        summary.context.plan = budget
        let messages = ScanMessages(result).lines + monthNotes(part.months, of: summary.report)
        guard request.audience == .staff else {
            try write(summary, ledger: nil, months: part.months, identifiers: identifiers)
            return messages
        }
        var random = SystemRandomNumberGenerator()
        plan.identifiers = nil
        let costs = try ExportCosts(plan, random: &random)
        // Both readings are of one state of each file, and nothing is published yet.
        try result.inputs.checkUnchanged()
        try give(summary, costs.words, months: part.months, identifiers: identifiers) { line in
            try costs.ledger(months: part.months, line, random: &random)
        }
        return messages
    }

    private func budget(_ vocabulary: Vocabulary) throws -> BudgetPlan? {
        try request.budget.map { path in
            BudgetPlan(
                try BudgetFile.read(path, regions: vocabulary.regions, tripTypes: vocabulary.tripTypes),
                regions: vocabulary.regions, tripTypes: vocabulary.tripTypes)
        }
    }
}
