package import Basics
package import Intake
package import KPIs
package import Profiles
package import Trips

/// What a scan found: the true numbers, and what became of every record. It is not fit to be shown as it is; `Reports`
/// takes it through `Privacy`.
package struct TrueFigures: Sendable {
    package var table: KPITable
    /// Of all trips, those too that the table leaves out: what may be shown of it is decided over all.
    package var tally: KPITally
    package var context: KPITally.TableContext
    package var cells: KPISelection
    package var counts: ReadCounts
    /// Of each export; none of a store or of tallies.
    package var files: [FileResult]
    package var exportCount: Int
    package var dateBasis: String
    /// What happened beside the trips; nil: no events were read.
    package var events: EventTally?
    /// What the table is restricted to.
    package var selection: [String]
    /// Which values of the exports became entries of lists, in words.
    package var listNotes: [String]
    /// The exports as they were read, to see whether they still are; none of a store.
    package var inputs = ScanInputs()

    package init(
        table: KPITable, tally: KPITally, context: KPITally.TableContext, cells: KPISelection, counts: ReadCounts,
        files: [FileResult], dateBasis: String, selection: [String], exportCount: Int? = nil,
        inputs: ScanInputs = ScanInputs(), listNotes: [String] = []
    ) {
        self.table = table
        self.tally = tally
        self.context = context
        self.cells = cells
        self.counts = counts
        self.files = files
        self.exportCount = exportCount ?? files.count
        self.dateBasis = dateBasis
        self.selection = selection
        self.inputs = inputs
        self.listNotes = listNotes
    }

    /// How the values of all exports fit the lists.
    package var listUse: [CanonicalField: ListUse] {
        files.reduce(into: [:]) { uses, file in
            for (field, use) in file.findings.listUse { uses[field, default: ListUse()].merge(use) }
        }
    }

    /// The latest local date of a trip that the table counts.
    package func latestDay() -> CivilDay? { tally.latestDay(in: cells.months) }

    /// The same regions and types, in all months; nil if the patients of a cell cannot be told for sure.
    func ofEveryMonth() -> TrueFigures? {
        var cells = cells
        cells.months = nil
        return selecting(cells)
    }

    /// The regions it is restricted to; nil: all.
    var regionNames: Set<String>? {
        cells.regions.map { codes in Set(codes.map { context.regions.name(of: $0) }) }
    }

    /// Another part of the same trips; nil if the patients of a cell cannot be told for sure.
    package func selecting(_ cells: KPISelection) -> TrueFigures? {
        guard let table = tally.table(context, selection: cells) else { return nil }
        var part = self
        part.cells = cells
        part.table = table
        return part
    }

    /// One export's share.
    package struct FileResult: Sendable {
        package var name: String
        package var format: String
        package var findings: ReadFindings
        /// Which mapped columns it lacks.
        package var missingColumns: String?
        /// What no column is mapped for.
        package var gaps: MappingGaps
        /// Unmapped columns that look like PHI.
        package var notes: [String]
        /// What must be said of the values, such as those that cannot be read.
        package var remarks: [String]

        package init(_ reader: ExportReader, _ findings: ReadFindings) {
            name = reader.name
            format = reader.description
            self.findings = findings
            missingColumns = reader.inventory.sentence
            gaps = reader.gaps
            notes = reader.warnings + findings.notes
            remarks = reader.remarks(findings)
        }
    }
}
