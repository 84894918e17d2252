import Basics

/// A card's `chartData` in words, for a reader who hears it. Figures of different trips are not compared.
struct CardChart {
    struct Point {
        var month: Month
        /// In whole units.
        var value: Int
        var coverage: FigureCoverage
    }

    /// Ascending: the months in which the card's figure is shown and has a value.
    let points: [Point]
    /// A figure without what it is of.
    let text: (Int) -> String

    /// Begins with a space; empty without a month.
    var sentences: String {
        guard let first = points.first, let last = points.last else { return "" }
        guard points.count > 1 else {
            let part = first.coverage.isIncomplete ? ", which leaves out trips" : ""
            return " Chart: \(text(first.value)) in \(first.month)\(part)."
        }
        var sentences = " Chart of \(points.count) months, \(first.month) to \(last.month): "
        if let reason = whyNotComparable {
            sentences += "\(text(last.value)) in the latest. The months are \(FigureCoverage.notComparable): \(reason)."
        } else {
            sentences += range(from: first, to: last) + "."
        }
        if first.month.advanced(by: points.count - 1) != last.month {
            sentences += " Months without a figure are left out."
        }
        return sentences
    }

    /// Of equal months the earliest.
    private func range(from first: Point, to last: Point) -> String {
        let least = points.reduce(first) { $1.value < $0.value ? $1 : $0 }
        let most = points.reduce(first) { $1.value > $0.value ? $1 : $0 }
        // Times that differ by less than a second are heard as the same.
        guard text(least.value) != text(most.value) else { return "\(text(first.value)) in each" }
        let course = "from \(text(first.value)) to \(text(last.value))"
        guard points.count > 2 else { return course }
        return course + "; least \(text(least.value)) in \(least.month), "
            + "most \(text(most.value)) in \(most.month)"
    }

    private var whyNotComparable: String? {
        let incomplete = points.count(where: \.coverage.isIncomplete)
        if incomplete == points.count { return "each leaves out trips" }
        return incomplete > 0 ? "\(incomplete) of them \(incomplete == 1 ? "leaves" : "leave") out trips" : nil
    }
}
