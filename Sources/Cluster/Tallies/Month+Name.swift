import Basics

extension Month {
    /// As facts and tallies have it: 202401 for January 2024.
    var name: Int { year * 100 + month }

    /// Nil unless a tally can hold the month.
    init?(name: Int) {
        guard (190_001...229_912).contains(name), (1...12).contains(name % 100) else { return nil }
        self.init(year: name / 100, month: name % 100)
    }
}
