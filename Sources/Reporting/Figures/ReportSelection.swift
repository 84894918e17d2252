import Basics
package import KPIs
package import Profiles
package import Trips

/// Which part of the exports a report is about. "All" in it means all of this part.
package struct ReportSelection: Sendable {
    /// What the command line says.
    package struct Request: Sendable, Hashable {
        /// `YYYY-MM`.
        package var month: String?
        package var from: String?
        package var to: String?
        /// October of the year before to September.
        package var fiscalYear: Int?
        package var regions: [String] = []
        package var tripTypes: [String] = []

        package init() {}
    }

    package let cells: KPISelection
    /// What it is restricted to, for people.
    package let phrases: [String]

    package static let everything = ReportSelection(cells: .everything, phrases: [])

    private init(cells: KPISelection, phrases: [String]) {
        self.cells = cells
        self.phrases = phrases
    }

    package init(_ request: Request, vocabulary: Vocabulary) throws(SelectionError) {
        var phrases: [String] = []
        let months = try Self.months(request, &phrases)
        let regions = try Self.codes(request.regions, in: vocabulary.regions, "region", &phrases)
        let tripTypes = try Self.codes(request.tripTypes, in: vocabulary.tripTypes, "trip type", &phrases)
        self.init(cells: KPISelection(months: months, regions: regions, tripTypes: tripTypes), phrases: phrases)
    }

    private static func months(
        _ request: Request, _ phrases: inout [String]
    ) throws(SelectionError) -> ClosedRange<Month>? {
        let ways = [request.month != nil, request.from != nil || request.to != nil, request.fiscalYear != nil]
        guard ways.filter({ $0 }).count <= 1 else {
            throw SelectionError("--month, --from/--to and --fiscal-year exclude each other", "give one of them")
        }
        if let year = request.fiscalYear {
            guard (1970...9999).contains(year) else {
                throw SelectionError("the fiscal year is out of range", "give the year it ends in, such as 2026")
            }
            let range = Month(year: year - 1, month: 10)...Month(year: year, month: 9)
            phrases.append("only fiscal year \(year) (\(range.lowerBound) to \(range.upperBound))")
            return range
        }
        if let text = request.month {
            let month = try month(text)
            phrases.append("only month \(month)")
            return month...month
        }
        guard request.from != nil || request.to != nil else { return nil }
        var from = Month(year: 1, month: 1), to = Month(year: 9999, month: 12)
        if let text = request.from { from = try month(text) }
        if let text = request.to { to = try month(text) }
        guard from <= to else { throw SelectionError("--from lies after --to", "exchange them") }
        let span = request.to == nil ? "from \(from) on" : request.from == nil ? "up to \(to)" : "from \(from) to \(to)"
        phrases.append("only months \(span)")
        return from...to
    }

    private static func month(_ text: String) throws(SelectionError) -> Month {
        guard let month = Month(text) else { throw SelectionError("“\(text)” is not a month", "write YYYY-MM") }
        return month
    }

    private static func codes(
        _ names: [String], in list: NamedList, _ what: String, _ phrases: inout [String]
    ) throws(SelectionError) -> Set<UInt8>? {
        guard !names.isEmpty else { return nil }
        var codes: Set<UInt8> = []
        for name in names {
            guard let code = list.code(ignoringCase: name) else {
                let known = list.names.dropFirst() + [NamedList.unassigned]
                throw SelectionError("there is no \(what) “\(name)”", "take one of \(known.joined(separator: ", "))")
            }
            codes.insert(code)
        }
        let chosen = codes.sorted().map { list.names[Int($0)] }.joined(separator: ", ")
        phrases.append("only \(what) \(chosen)")
        return codes
    }
}

/// A selection that makes no sense: what is wrong and how to fix it.
package struct SelectionError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let message: String
    package let hint: String

    package init(_ message: String, _ hint: String) {
        self.message = message
        self.hint = hint
    }

    package var failureKind: FailureKind { .usage }

    package var description: String { "\(message); \(hint)" }
}
