package import KPIContract

/// What a document says beside the figures. The groups do not determine it, so the caller states it.
///
/// A stated text must stand in the document as it is. For one that is nil only the shape is checked, and that no number
/// hides in it.
package struct AuditedFacts: Sendable {
    /// RFC 3339, UTC.
    package var generatedAt: String?
    package var runID: String?
    package var monthEvent: String?
    package var dateBasis: String?
    package var statement: String?
    package var rulesName: String?
    package var rulesVersion: String?
    /// The only restatements that the document may hold. They are about releases that the groups say nothing of.
    package var restatements: [KPISummaryV1.Restatement]

    /// Records that were read, and those of them that were rejected; nil: the document may hold no share of records.
    package var records: (read: Int, rejected: Int)?

    package init(
        generatedAt: String? = nil, runID: String? = nil, monthEvent: String? = nil, dateBasis: String? = nil,
        statement: String? = nil, rulesName: String? = nil, rulesVersion: String? = nil,
        restatements: [KPISummaryV1.Restatement] = [], records: (read: Int, rejected: Int)? = nil
    ) {
        self.generatedAt = generatedAt
        self.runID = runID
        self.monthEvent = monthEvent
        self.dateBasis = dateBasis
        self.statement = statement
        self.rulesName = rulesName
        self.rulesVersion = rulesVersion
        self.restatements = restatements
        self.records = records
    }
}
