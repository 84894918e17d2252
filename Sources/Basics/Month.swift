/// A calendar month, counted from January of year 0 so that neighbours differ by one.
package struct Month: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `year * 12 + (month - 1)`.
    package var index: Int32

    package init(index: Int32) {
        self.index = index
    }

    package init(year: Int, month: Int) {
        index = Int32(year * 12 + month - 1)
    }

    /// `YYYY-MM`, or nil.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), (1...12).contains(month)
        else { return nil }
        self.init(year: year, month: month)
    }

    package var year: Int { Int(index) / 12 }

    /// 1 to 12.
    package var month: Int { Int(index) % 12 + 1 }

    /// The US federal fiscal year: October of the year before to September.
    package var fiscalYear: Int { month >= 10 ? year + 1 : year }

    /// `YYYY-MM`.
    package var description: String {
        let year = String(year), month = String(month)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + "-" + (month.count == 1 ? "0" : "")
            + month
    }

    package static func < (left: Month, right: Month) -> Bool { left.index < right.index }

    package func advanced(by months: Int) -> Month { Month(index: index + Int32(months)) }
}
