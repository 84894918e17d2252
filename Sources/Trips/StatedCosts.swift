/// The costs of an export, to see whether they are costs: a row of totals has the sum of others, and some systems write nines or 0 for a
/// cost that is not known.
package struct StatedCosts: Sendable {
    private static let mostLargest = 32
    /// Fewer costs show nothing.
    private static let fewest = 10
    private var sumCents = 0
    private var count = 0
    private var zeros = 0
    /// Costs without cents.
    private var wholes = 0
    /// Few trips cost more, and no mean of all trips does.
    private static let mostUsualCents = 2_000_000
    /// The largest ones, descending.
    private var largest: [Int] = []
    /// What a cost must exceed to be one of them.
    private var bar = Int.min

    package init() {}

    @inline(__always)
    package mutating func add(_ cents: Int) {
        sumCents &+= cents
        count &+= 1
        if cents == 0 { zeros &+= 1 }
        if cents % 100 == 0 { wholes &+= 1 }
        if cents > bar { addLarge(cents) }
    }

    @inline(never)
    private mutating func addLarge(_ cents: Int) {
        let place = largest.firstIndex { $0 < cents } ?? largest.count
        largest.insert(cents, at: place)
        if largest.count > Self.mostLargest { largest.removeLast() }
        if largest.count == Self.mostLargest { bar = largest[Self.mostLargest - 1] }
    }

    package mutating func merge(_ other: StatedCosts) {
        sumCents &+= other.sumCents
        count += other.count
        zeros += other.zeros
        wholes += other.wholes
        for cents in other.largest where cents > bar { addLarge(cents) }
    }

    /// Whether the largest one, or some that are much larger than all others, are their sum; or a grand total and subtotals are.
    package var haveTotals: Bool {
        guard count - zeros >= Self.fewest else { return false }
        var sum = 0
        for (place, cents) in largest.dropLast().enumerated() where cents > 0 {
            sum += cents
            guard place == 0 || cents > 2 * largest[place + 1] else { continue }
            if sum * 2 == sumCents || place > 0 && sum * 3 == sumCents * 2 { return true }
        }
        return false
    }

    /// What must be said of them, a sentence each.
    package var remarks: [String] {
        var remarks: [String] = []
        if zeros >= Self.fewest, zeros * 5 > count {
            remarks.append(
                "\(zeros) of \(count) costs are 0.00: where they are not known yet, the cost per trip is too low; have them left blank"
            )
        }
        if wholes == count, count >= Self.fewest, sumCents / count >= Self.mostUsualCents {
            remarks.append(
                "all costs are whole numbers, and their mean is over \(Self.mostUsualCents / 100) dollars: if they are cents, write "
                    + "`units: {cost: cents}` into the profile")
        }
        if let most = largest.first, Self.areNines(most) {
            let times = largest.prefix { $0 == most }.count
            let often = times == Self.mostLargest ? "at least \(times)" : "\(times)"
            if times >= 3 {
                remarks.append(
                    "\(often) costs are \(most / 100).\(most % 100 == 0 ? "00" : "99"), which some systems write for no value; if these do, add "
                        + "it to `missing:` in the profile")
            }
        }
        return remarks
    }

    /// `9999.00`, `99999.99`.
    private static func areNines(_ cents: Int) -> Bool {
        guard cents % 100 == 0 || cents % 100 == 99 else { return false }
        let digits = "\(cents / 100)"
        return digits.count >= 4 && digits.allSatisfy { $0 == "9" }
    }
}
