import Basics
import Files
import Trips

/// A synthetic export as the command line asks for it, in words; `SampleWriter` makes it.
package struct SampleExport: Sendable {
    package var rows: Int
    package var seed: UInt64
    /// `YYYY-MM`.
    package var firstMonth: String
    package var months: Int
    package var format = "csv"
    package var encoding = "utf-8"
    package var isGzip = false
    /// A new gzip member every 4 MiB.
    package var hasGzipMembers = false
    package var isShuffled = false
    /// Whether more trips have no known region, type or sourcing.
    package var isMessy = false
    /// `all`, `kpi`, or names of fields with commas between them.
    package var fields = "all"
    package var hasStructuralFaults = true
    package var faultyPerMillion: Int?
    package var correctionsPerMillion: Int?
    package var zone: String?

    package init(rows: Int, seed: UInt64, firstMonth: String, months: Int) {
        self.rows = rows
        self.seed = seed
        self.firstMonth = firstMonth
        self.months = months
    }

    package static let formats = SampleOptions.Format.allCases.map(\.rawValue)
    package static let encodings = SampleOptions.Encoding.allCases.map(\.rawValue)
    package static let zones = SampleZone.names

    /// Writes it to a file, whole or not at all, or to standard output.
    package func write(to path: String?) throws {
        let plan = try plan()
        guard let path else {
            return try Self.write(plan) { bytes throws(FileError) in try StandardOutput.write(bytes) }
        }
        let file = try AtomicFile(output: path)
        try Self.write(plan) { bytes throws(FileError) in try file.append(bytes) }
        try file.publish()
    }

    private static func write(_ plan: SampleOptions, to sink: ([UInt8]) throws(FileError) -> Void) throws {
        var failure: FileError?
        do {
            try SampleWriter.write(plan) { bytes throws(SampleError) in
                do throws(FileError) {
                    try sink(bytes)
                } catch {
                    failure = error
                    throw SampleError("the output failed", hint: "see its message")
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    private func plan() throws(SampleError) -> SampleOptions {
        guard let month = Month(firstMonth) else {
            throw SampleError("the first month is not a month", hint: "write YYYY-MM, such as 2023-10")
        }
        var plan = SampleOptions(rows: rows, seed: seed, firstMonth: month)
        plan.months = months
        plan.format = try Self.word(format, "format", among: SampleOptions.Format.allCases)
        plan.encoding = try Self.word(encoding, "encoding", among: SampleOptions.Encoding.allCases)
        plan.compression = hasGzipMembers ? .gzipMembers : isGzip ? .gzip : .none
        plan.isShuffled = isShuffled
        plan.isMessy = isMessy
        plan.hasStructuralFaults = hasStructuralFaults
        plan.fields = try fieldList()
        if let faultyPerMillion { plan.faultyPerMillion = faultyPerMillion }
        if let correctionsPerMillion { plan.correctionsPerMillion = correctionsPerMillion }
        if let zone { plan.zone = zone }
        return plan
    }

    private func fieldList() throws(SampleError) -> [CanonicalField] {
        switch fields {
        case "all": return SampleOptions.standardFields
        case "kpi": return SampleOptions.kpiFields
        default:
            var list: [CanonicalField] = []
            for name in fields.split(separator: ",", omittingEmptySubsequences: false) {
                guard let field = CanonicalField(rawValue: String(name)) else {
                    throw SampleError(
                        "there is no field “\(name)”", hint: "say all, kpi, or names of docs/fields.md with commas")
                }
                list.append(field)
            }
            return list
        }
    }

    private static func word<Word: RawRepresentable<String>>(
        _ text: String, _ what: String, among words: [Word]
    ) throws(SampleError) -> Word {
        if let word = Word(rawValue: text) { return word }
        throw SampleError(
            "there is no \(what) “\(text)”", hint: "take one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
}
