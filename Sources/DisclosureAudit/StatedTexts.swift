package import KPIContract

/// What the document says beside the figures. The groups do not determine it, so the caller states it: each text must
/// be in the document unchanged.
package struct StatedTexts: Sendable {
    /// RFC 3339, UTC.
    package var generatedAt = ""
    package var runID = ""
    package var monthEvent = ""
    package var dateBasis = ""
    /// The phrases of a report of a part; none of a published set.
    package var selection: [String] = []
    package var statement = ""
    package var rulesName = ""
    package var rulesVersion = ""
    /// The only restatements that the document may hold. They are about earlier releases, which the groups do not
    /// determine.
    package var restatements: [KPISummaryV1.Restatement] = []
    /// Records that were read, and those of them that were rejected; nil: the document may hold no share of records.
    package var records: (read: Int, rejected: Int)?

    package init() {}
}
