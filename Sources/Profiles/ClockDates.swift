internal import Trips

/// Where the date of times of day is, for profiles that are proposed.
struct ClockDates: Sendable {
    private enum Source {
        case none
        /// The place of a column, and why a person must check that it is the right one; nil: its name says it.
        case column(Int, doubt: String?)
        /// Those of year, month and day.
        case parts([Int])
        /// One for each time.
        case fields([(field: CanonicalField, column: Int)])
    }

    private let source: Source

    /// Nil: no proposed column has times of day.
    init?(_ columns: [ProfileSuggestion.Column]) {
        let clocks = columns.filter { column in
            column.isProposed && column.dates.kind == .clocks
                && TripEvent.allCases.contains { $0.field == column.field }
        }
        guard !clocks.isEmpty else { return nil }
        source = Self.ownDates(of: clocks, columns) ?? Self.oneDate(columns) ?? Self.parts(columns) ?? .none
    }

    /// The places of the columns of dates.
    var columns: [Int] {
        switch source {
        case .none: []
        case .column(let place, _): [place]
        case .parts(let places): places
        case .fields(let fields): Set(fields.map(\.column)).sorted()
        }
    }

    /// The places of those that have a whole date.
    var wholeDates: [Int] {
        if case .parts = source { [] } else { columns }
    }

    var problems: [String] {
        guard case .none = source else { return [] }
        return ["times of day have no date: name its column below “dates:”, as “date: COLUMN”"]
    }

    func lines(_ columns: [ProfileSuggestion.Column]) -> [String] {
        func name(_ place: Int) -> String { ProfileSuggestion.quoted(columns[place].uniqueName) }
        func mark(_ place: Int, _ doubt: String? = nil) -> String? {
            let reasons = [doubt, columns[place].dates.orderDoubt].compactMap(\.self)
            return reasons.isEmpty ? nil : "? " + reasons.joined(separator: "; ")
        }
        switch source {
        case .none: return []
        case .column(let place, let doubt):
            let reason = mark(place, doubt).map { $0 + "; " } ?? ""
            return ["  date: \(name(place))  # \(reason)of the times of day; after midnight they are of the next day"]
        case .parts(let places):
            return ["  date: {year: \(name(places[0])), month: \(name(places[1])), day: \(name(places[2]))}"]
        case .fields(let fields):
            return ["  date:  # of the times of day"]
                + fields.map { field, column in
                    "    \(field.rawValue): \(name(column))" + (mark(column).map { "  # \($0)" } ?? "")
                }
        }
    }

    /// Whether some column, or three, may have the date of times of day.
    static func isThere(_ header: [String], _ dates: [DateFinding]) -> Bool {
        header.indices.contains { dates[$0].kind == .dates && mayBeOfTrip(header[$0]) } || partPlaces(header) != nil
    }

    // MARK: - Columns

    /// Of other things than the trip.
    private static let otherWords: Set<String> = [
        "dob", "birth", "birthdate", "birthday", "invoice", "billed", "billing", "bill", "paid", "payment", "check",
        "created",
        "updated", "modified", "changed", "printed", "exported", "report", "death",
    ]
    private static let usualWords: Set<String> = [
        "date", "incident", "call", "service", "trip", "run", "dispatch", "dos", "dt", "day", "watch", "alarm",
    ]

    private static func mayBeOfTrip(_ name: String) -> Bool { otherWords.isDisjoint(with: HeaderName(name).words) }

    /// The service date, else the only date that may be of the trip, else the one whose name says so.
    private static func oneDate(_ columns: [ProfileSuggestion.Column]) -> Source? {
        let dates = columns.filter { column in
            column.dates.kind == .dates && column.field != .patientDOB && column.name.map(mayBeOfTrip) ?? false
        }
        if let service = dates.first(where: { $0.isProposed && $0.field == .serviceDate }) {
            return .column(service.position - 1, doubt: nil)
        }
        let usual = dates.filter { Set(HeaderName($0.name ?? "").words).isSubset(of: usualWords) }
        if let found = usual.first {
            return .column(found.position - 1, doubt: usual.count == 1 ? nil : "other columns may have the date too")
        }
        guard let only = dates.first, dates.count == 1 else { return nil }
        return .column(
            only.position - 1, doubt: "the only column of dates; its name does not say that it is the trip's")
    }

    private static let clockWords: Set<String> = ["time", "tm", "at", "hour", "hours", "clock", "date", "dt", "day"]

    /// `Dispatch Date` beside `Dispatch Time`, for every time.
    private static func ownDates(
        of clocks: [ProfileSuggestion.Column], _ columns: [ProfileSuggestion.Column]
    ) -> Source? {
        func root(_ column: ProfileSuggestion.Column) -> [String] {
            HeaderName(column.name ?? "").words.filter { !clockWords.contains($0) }
        }
        var fields: [(field: CanonicalField, column: Int)] = []
        for clock in clocks {
            let words = root(clock)
            guard !words.isEmpty, let field = clock.field,
                let date = columns.first(where: { $0.dates.kind == .dates && root($0) == words })
            else { return nil }
            fields.append((field, date.position - 1))
        }
        return .fields(fields)
    }

    private static func parts(_ columns: [ProfileSuggestion.Column]) -> Source? {
        partPlaces(columns.map { $0.name ?? "" }).map { .parts($0) }
    }

    private static func partPlaces(_ header: [String]) -> [Int]? {
        func place(_ names: Set<String>) -> Int? {
            header.firstIndex { name in
                let words = HeaderName(name).words.filter {
                    !["incident", "call", "service", "trip", "run"].contains($0)
                }
                return words.count == 1 && names.contains(words[0])
            }
        }
        guard let year = place(["year", "yr", "yyyy"]), let month = place(["month", "mon", "mo", "mm"]),
            let day = place(["day", "dy", "dd"])
        else { return nil }
        return [year, month, day]
    }
}
