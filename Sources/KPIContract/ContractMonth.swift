/// A calendar month as the contract writes it, counted from January of year 0 so that neighbours differ by one.
struct ContractMonth: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `year * 12 + (month - 1)`.
    let index: Int

    init(index: Int) { self.index = index }

    /// `YYYY-MM`; nil for `All` and for what is no month.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 4, parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let number = { (digits: Substring.UTF8View) in digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        guard (1...12).contains(number(parts[1])) else { return nil }
        index = number(parts[0]) * 12 + number(parts[1]) - 1
    }

    /// 1 to 12.
    var month: Int { index % 12 + 1 }

    /// The US federal fiscal year: October of the year before to September.
    var fiscalYear: Int { index / 12 + (month >= 10 ? 1 : 0) }

    var description: String {
        let year = String(index / 12)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + (month < 10 ? "-0" : "-") + String(month)
    }

    static func < (left: ContractMonth, right: ContractMonth) -> Bool { left.index < right.index }

    func advanced(by months: Int) -> ContractMonth { ContractMonth(index: index + months) }
}
