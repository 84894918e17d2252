import Files
import Trips

/// Writes a synthetic export: the way into this folder.
///
/// It takes a `SampleOptions` and hands chunks of bytes to a sink. It reads no file and no clock, and memory does not grow
/// with the number of rows: any record is made from the seed and its number alone.
///
/// # The model
/// - **Days** follow the seasons (January 112 %, September 94 %), weekdays and a growth of 0.3 % a month; hours follow
///   the trip type. Records are in order of day unless shuffled.
/// - **Trips**: 38.5 % Emergency, 61.3 % Routine, 0.2 % blank or unmappable; North 34.5 %, South 25.7 %, East 21.5 %,
///   West 18 %, 0.3 % blank or unmappable (`isMessy`: 1.5 % and 2.5 %); three pairs of records in ten are the two legs of a
///   round trip.
/// - **Status**: 95 % completed (2 % of them by a blank), 3 % cancelled, 2 % no-show, 0.05 % void without a first
///   version.
/// - **Times** are made as instants and written as local clock time without offset. Turnout 20–180 s, scene 10–40 min,
///   drives lognormal and longer in the West. 1.8 % miss one time, 0.15 % have an unreadable one, 0.2 % run backward,
///   0.03 % end a day late, 0.1 % have a service date alone. On the spring night one trip in four is timed by a clock
///   that was not put forward.
/// - **Sourcing**: 60 % in-house, 39 % contracted, 1 % without evidence (`isMessy`: 58, 37 and 5 %), by the fields that
///   `data/rules/sample.yaml` tests.
/// - **Amounts**: cost = base + miles × rate, exact cents; 4 % blank, 2.5 % `$1,234.56`, 2 % `1234.5`, 0.2 % credits in
///   parentheses, 0.3 % bad. Miles fit the driving time; 3 % blank, 0.2 % bad, 0.05 % negative.
/// - **Versions** (`correctionsPerMillion`): 12 % exact copies, 15 % older ones that come late, 10 % a higher sequence
///   at the same time, 13 % voids (half of them by sequence or later time), the rest newer with other cost and times.
/// - **Faults** (`faultyPerMillion`), one rejected record each in every format: no trip id, no usable date, unknown
///   status; and with `hasStructuralFaults` a wrong field count (JSON: an array in place of an object) and broken
///   syntax (CSV: one field more, with text after a closing quote; JSON: a key without a value).
/// - **Patients** are plainly made up; one routine trip in five carries one of few regulars.
package enum SampleWriter {
    /// Bytes are handed over in chunks of about this size.
    private static let chunkBytes = 1 << 18
    private static let memberBytes = 1 << 22

    /// Throws a `SampleError` for a plan that cannot be met, or whatever the sink throws.
    package static func write(
        _ plan: SampleOptions, to sink: ([UInt8]) throws(SampleError) -> Void
    ) throws(SampleError) {
        try plan.validate()
        guard let zone = SampleZone(named: plan.zone) else { return }
        let model = SampleModel(plan: plan, zone: zone)
        let gzip = plan.compression == .none ? nil : try gzipWriter()
        var encoder = RecordEncoder(plan)
        var buffer: [UInt8] = []
        var memberSize = 0
        func flush(isLast: Bool) throws(SampleError) {
            let bytes = plan.encoding.encode(buffer)
            buffer.removeAll(keepingCapacity: true)
            guard let gzip else { return try sink(bytes) }
            memberSize += bytes.count
            let endsMember = isLast || (plan.compression == .gzipMembers && memberSize >= memberBytes)
            try sink(compressed(gzip, bytes, endsMember: endsMember))
            if endsMember { memberSize = 0 }
        }
        let mark = plan.encoding.byteOrderMark
        if let gzip { try sink(compressed(gzip, mark)) } else { try sink(mark) }
        encoder.begin(&buffer)
        for position in 0..<plan.rows {
            encoder.append(model.record(at: position), to: &buffer)
            if buffer.count >= chunkBytes { try flush(isLast: false) }
        }
        encoder.end(&buffer)
        try flush(isLast: true)
    }

    private static func gzipWriter() throws(SampleError) -> GzipWriter {
        do { return try GzipWriter() } catch { throw SampleError(error) }
    }

    private static func compressed(
        _ gzip: GzipWriter, _ bytes: [UInt8], endsMember: Bool = false
    ) throws(SampleError) -> [UInt8] {
        do { return try gzip.compress(bytes, endsMember: endsMember) } catch { throw SampleError(error) }
    }
}
