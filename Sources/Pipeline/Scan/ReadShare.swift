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

    init(_ worker: ExportWorker) {
        counts = worker.counts
        rejectsByReason = worker.rejectsByReason
        recordsByBlock = worker.recordsByBlock
        rejections = worker.numberedRejections
    }
}

/// What all workers together say of an export.
struct ReadFigures {
    private(set) var counts = ReadCounts()
    private(set) var rejectsByReason: [RejectReason: Int] = [:]
    /// The first ones, by place.
    private(set) var rejections: [Rejection] = []

    /// - Parameter limit: parts of a million that may be rejected; nil: what the export's profile says.
    /// - Throws: `ScanError.tooManyRejects`: nothing of the export may be used.
    init(_ shares: [ReadShare], of reader: ExportReader, maximumRejectPerMillion limit: Int?) throws(ScanError) {
        var recordsByBlock: [Int: Int] = [:]
        for share in shares {
            counts.merge(share.counts)
            rejectsByReason.merge(share.rejectsByReason, uniquingKeysWith: +)
            recordsByBlock.merge(share.recordsByBlock, uniquingKeysWith: +)
        }
        let limit = limit ?? reader.profile.maximumRejectPerMillion
        if counts.rejected * 1_000_000 > counts.read * limit {
            throw .tooManyRejects(
                file: reader.name, rejected: counts.rejected, read: counts.read, limitPerMillion: limit,
                reasons: rejectsByReason)
        }
        rejections = Array(
            shares.flatMap { $0.rejections(recordsByBlock) }.sorted { $0.byteOffset < $1.byteOffset }
                .prefix(ExportWorker.maximumDetails))
    }
}
