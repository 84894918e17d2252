import Intake
import Profiles
import Trips

/// What one worker says of the records of an export that it met, besides the trips themselves.
struct ReadShare: Sendable {
    let counts: ReadCounts
    let rejectsByReason: [RejectReason: Int]
    let recordsByBlock: [Int: Int]
    /// Numbers the kept rejections once the records of all blocks are known.
    let rejections: @Sendable ([Int: Int]) -> [Rejection]
    /// Lines inside quoted fields that look like records.
    let swallowedLines: Int
    /// Numbers the kept records that hold them.
    let swallowings: @Sendable ([Int: Int]) -> [SwallowingRecord]

    init(_ worker: ExportWorker) {
        counts = worker.counts
        rejectsByReason = worker.rejectsByReason
        recordsByBlock = worker.recordsByBlock
        rejections = worker.numberedRejections
        swallowedLines = worker.swallowedLines
        swallowings = worker.numberedSwallowings
    }
}

/// What all workers together say of an export.
struct ReadFigures {
    private(set) var counts = ReadCounts()
    private(set) var rejectsByReason: [RejectReason: Int] = [:]
    /// The first ones, by place.
    private(set) var rejections: [Rejection] = []
    /// Lines inside quoted fields that look like records, and the first records that hold them, by place.
    private(set) var swallowedLines = 0
    private(set) var swallowings: [SwallowingRecord] = []

    /// - Parameter limit: parts of a million that may be rejected, and as many that stray quotes may have swallowed; nil:
    ///   what the export's profile says.
    /// - Throws: if there are more of either: nothing of the export may be used.
    init(_ shares: [ReadShare], of reader: ExportReader, maximumRejectPerMillion limit: Int?) throws(ScanError) {
        var recordsByBlock: [Int: Int] = [:]
        for share in shares {
            counts.merge(share.counts)
            rejectsByReason.merge(share.rejectsByReason, uniquingKeysWith: +)
            recordsByBlock.merge(share.recordsByBlock, uniquingKeysWith: +)
            swallowedLines += share.swallowedLines
        }
        swallowings = Array(
            shares.flatMap { $0.swallowings(recordsByBlock) }.sorted { $0.byteOffset < $1.byteOffset }
                .prefix(ExportWorker.maximumDetails))
        let limit = limit ?? reader.profile.maximumRejectPerMillion
        if counts.rejected * 1_000_000 > counts.read * limit {
            throw .tooManyRejects(
                file: reader.name, rejected: counts.rejected, read: counts.read, limitPerMillion: limit,
                reasons: rejectsByReason)
        }
        if let first = swallowings.first, swallowedLines * 1_000_000 > (counts.read + swallowedLines) * limit {
            throw .export(
                ExportError(
                    kind: .tooManyRejects, file: reader.name, offset: first.byteOffset,
                    problem: "\(swallowedLines) lines inside quoted fields look like records of their own, beside "
                        + "\(counts.read) records read: more than the \(ScanError.percent(limit)) allowed; the first lie in "
                        + "record \(first.recordNumber)",
                    remedy: "look there for a stray quote and fix the export, or set max_reject if the text is right"))
        }
        rejections = Array(
            shares.flatMap { $0.rejections(recordsByBlock) }.sorted { $0.byteOffset < $1.byteOffset }
                .prefix(ExportWorker.maximumDetails))
    }
}
