import Trips

/// Writes a synthetic export: the face of `Samples`.
///
/// Enters a `SamplePlan`; leaves chunks of bytes through a sink. Nothing is read, no clock is asked, and memory does not
/// grow with the number of rows: any record is made from the seed and its number alone.
///
/// # The model
/// - **Days** follow the seasons (January 112 %, September 94 %), weekdays and a growth of 0.3 % a month; hours follow
///   the trip type. Records stand by day unless shuffled.
/// - **Trips**: 38.5 % Emergency, 60 % Routine, the rest blank or unmappable; North 34 %, South 25 %, East 21 %,
///   West 17.5 %, the rest blank or unmappable; three pairs of records in ten are the two legs of a round trip.
/// - **Status**: 95 % completed (2 % of them by a blank), 3 % cancelled, 2 % no-show, 0.05 % void without a first
///   version.
/// - **Times** are made as instants and written as local clock time without offset. Turnout 20–180 s, scene 10–40 min,
///   drives lognormal and longer in the West. 1.8 % miss one time, 0.15 % have an unreadable one, 0.2 % run backward,
///   0.03 % end a day late, 0.1 % have a service date alone. On the spring night one trip in four is timed by a clock
///   that nobody put forward.
/// - **Sourcing**: 58 % in-house, 37 % contracted, 5 % without evidence, by what `data/rules/default.yaml` looks at.
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
        _ plan: SamplePlan, to sink: ([UInt8]) throws(SampleError) -> Void
    ) throws(SampleError) {
        try plan.validate()
        guard let zone = SampleZone(named: plan.zone, from: plan.firstMonth, months: plan.months) else { return }
        let model = SampleModel(plan: plan, zone: zone)
        let dayCount = Int(CivilDay.days(plan.firstMonth.advanced(by: plan.months))) - model.calendar.firstDay + 60
        let text = RecordText(
            calendar: CalendarText(firstDay: model.calendar.firstDay - 50, dayCount: dayCount + 50))
        switch plan.format {
        case .csv, .tsv:
            let delimiter = plan.format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
            try run(model, DelimitedEncoder(fields: plan.fields, text: text, delimiter: delimiter), sink)
        case .ndjson, .json:
            try run(
                model, JSONRecordEncoder(fields: plan.fields, text: text, isArray: plan.format == .json), sink)
        }
    }

    private static func run(
        _ model: SampleModel, _ encoder: some RecordEncoder, _ sink: ([UInt8]) throws(SampleError) -> Void
    ) throws(SampleError) {
        let plan = model.plan
        let transcoder = TextTranscoder(encoding: plan.encoding)
        let gzip = plan.compression == .none ? nil : try GzipStream()
        var encoder = encoder
        var buffer = SampleBytes()
        var memberSize = 0
        func flush(isLast: Bool) throws(SampleError) {
            let bytes = transcoder.transcode(buffer.bytes)
            guard let gzip else { return try sink(bytes) }
            memberSize += bytes.count
            let endsMember = isLast || (plan.compression == .gzipMembers && memberSize >= memberBytes)
            try gzip.compress(bytes, isLast: endsMember, to: sink)
            if endsMember { memberSize = 0 }
        }
        if let gzip {
            try gzip.compress(transcoder.byteOrderMark, isLast: false, to: sink)
        } else {
            try sink(transcoder.byteOrderMark)
        }
        encoder.begin(&buffer)
        for position in 0..<plan.rows {
            encoder.append(model.record(at: position), to: &buffer)
            if buffer.count >= chunkBytes {
                try flush(isLast: false)
                buffer.removeAll()
            }
        }
        encoder.end(&buffer)
        try flush(isLast: true)
    }
}

extension CivilDay {
    /// The first day of a month.
    static func days(_ month: Month) -> Int32 { days(year: month.year, month: month.month, day: 1) }
}
