import Basics
import Trips

/// The numbers of a line of facts.
struct FactNumbers {
    /// How many columns the line has.
    private(set) var count = 0
    private var values = [Int](repeating: 0, count: FactColumn.allCases.count)
    /// A bit for each column without a number.
    private var missing: UInt32 = 0

    /// Nil where there is none.
    subscript(index: Int) -> Int? { missing >> UInt32(index) & 1 == 0 ? values[index] : nil }

    /// Whether the line has a number or nothing in each column of a fact. If not, `count` is that of its columns all the same.
    mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
        let bytes = line.span
        var at = 0, column = 0, isSound = true
        missing = 0
        while true {
            let isNegative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
            if isNegative { at &+= 1 }
            let first = at
            // Below zero, where the smallest number fits too.
            var value = 0
            while at < bytes.count {
                let digit = bytes[at] &- UInt8(ascii: "0")
                if digit > 9 { break }
                let (product, overflows) = value.multipliedReportingOverflow(by: 10)
                let (sum, overflowsToo) = product.subtractingReportingOverflow(Int(digit))
                if overflows || overflowsToo { isSound = false }
                value = sum
                at &+= 1
            }
            if isNegative ? at == first : value == .min { isSound = false }
            if column < values.count {
                values[column] = isNegative ? value : 0 &- value
                if at == first { missing |= 1 << UInt32(column) }
            }
            while at < bytes.count, bytes[at] != UInt8(ascii: "\t") {
                isSound = false
                at &+= 1
            }
            column &+= 1
            if at == bytes.count { break }
            at &+= 1
        }
        count = column
        return isSound && column == values.count
    }
}

/// Where the columns that a tally needs are in a line of facts.
struct FactIndices {
    private let keyHigh = FactColumn.tripKeyHigh.index
    private let keyLow = FactColumn.tripKeyLow.index
    private let month = FactColumn.month.index
    private let day = FactColumn.day.index
    private let status = FactColumn.status.index
    private let region = FactColumn.region.index
    private let tripType = FactColumn.tripType.index
    private let sourcing = FactColumn.sourcing.index
    private let intervals = [
        FactColumn.durationSeconds, .responseSeconds, .turnoutSeconds, .sceneSeconds, .transportSeconds,
        .turnaroundSeconds,
    ].map(\.index)
    private let cost = FactColumn.costCents.index
    private let loaded = FactColumn.loadedHundredths.index
    private let unloaded = FactColumn.unloadedHundredths.index
    private let patient = FactColumn.patient.index
    private let warnings = FactColumn.warnings.index

    func key(of numbers: FactNumbers) -> TripKey? {
        guard let high = numbers[keyHigh], let low = numbers[keyLow] else { return nil }
        return TripKey(high: Int64(high), low: Int64(low))
    }

    /// Nil if a number that each fact has is missing, or is none that a trip can have.
    func facts(of numbers: FactNumbers) -> TripFacts? {
        guard let name = numbers[month], let month = Month(name: name),
            let day = numbers[day].flatMap(Int32.init(exactly:)),
            let status = numbers[status].flatMap(UInt8.init(exactly:)),
            let region = numbers[region].flatMap(UInt8.init(exactly:)),
            let tripType = numbers[tripType].flatMap(UInt8.init(exactly:)),
            let sourcing = numbers[sourcing].flatMap(UInt8.init(exactly:)),
            let warnings = numbers[warnings].flatMap(UInt32.init(exactly:))
        else { return nil }
        var facts = TripFacts()
        facts.month = month.index
        facts.day = day
        facts.status = status
        facts.region = region
        facts.tripType = tripType
        facts.sourcing = sourcing
        facts.warnings = warnings
        for (interval, index) in intervals.enumerated() {
            guard let seconds = Int32(exactly: numbers[index] ?? Int(IntervalState.missing)) else { return nil }
            // Why an interval has no seconds is not in a fact.
            guard numbers[index] == nil || seconds >= 0 else { return nil }
            facts.intervals[interval] = seconds
        }
        facts.costCents = numbers[cost] ?? AmountState.absent
        facts.loadedHundredths = numbers[loaded] ?? AmountState.absent
        facts.unloadedHundredths = numbers[unloaded] ?? AmountState.absent
        facts.patient = UInt64(bitPattern: Int64(numbers[patient] ?? 0))
        return facts
    }
}
