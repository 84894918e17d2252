import KPIContract
package import Reporting
import Trips

/// What became of the records of an export whose facts were written, and what the codes in the facts mean.
///
/// It is the last line of the facts, as a JSON object after `#`. Facts without it are not all of the export's.
package struct FactsSummary: LastLine, Codable, Sendable, Hashable {
    package var format = FactColumn.format
    /// `FactColumn.version`.
    package var version = FactColumn.version
    /// Such as `tripkpi 0.1.0`.
    package var tool: String
    package var rulesName: String
    package var rulesVersion: String
    /// Of the profile and the zone: facts that were read otherwise do not belong together.
    package var profileVersion: String
    /// Of the key of the pseudonyms: facts of different keys cannot be compared.
    package var keyFingerprint: String
    /// By code.
    package var regions: [String]
    /// By code.
    package var tripTypes: [String]
    package var reading: SourceReading
    /// The newest `updated_at`, in microseconds since 1970: the age of the export. Nil: it has none.
    package var newestUpdate: Int?
    /// The newest day, in days since 1970: the age of an export without `updated_at`. Nil: it has no trips.
    package var newestDay: Int32?
    package var read: Int
    package var facts: Int
    /// Records beyond the first of a trip of several records; nil: there are none.
    package var merged: Int?
    package var skipped: Int
    package var rejected: Int
    package var rejectedByReason: [String: Int]
    /// How many of a million records may be rejected. For a part it is not checked: the counts of all parts are to be compared
    /// with it.
    package var maximumRejectPerMillion: Int
    /// Whether the file ends within a record.
    package var isCutOff: Bool
    /// Lines inside quoted fields that look like records of their own.
    package var swallowedLines: Int
    /// Nil: the facts are those of the whole export.
    package var part: PartOfExport?

    /// Which part of the export was read: see `ExportPart`.
    package struct PartOfExport: Codable, Sendable, Hashable {
        /// Bytes of the file: records that start from here on,
        package var from: Int
        /// and before this one.
        package var to: Int
        /// Where the first of them starts. It must be the `end` of the part before.
        package var start: Int
        package var startIsResuming: Bool
        /// The size of the file and when it was changed, in nanoseconds since 1970: parts of a file that changed in between do
        /// not belong together.
        package var fileBytes: Int
        package var fileModifiedNanoseconds: Int
        /// Where the first record after them starts.
        package var end: Int
        package var endIsResuming: Bool
    }
}
