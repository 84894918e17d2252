import KPIContract

/// Checks published percentiles: nearest ranks over the trips of the groups inside a cell, rounded to 10 seconds.
///
/// A percentile is not computed again. It is right if fewer trips than its rank lie below the seconds that round to it, and
/// at least as many up to their end; the groups' own cumulative counts answer that without any merging of lists.
struct RankAudit {
    private let release: AuditedRelease
    private let expected: ExpectedCells

    init(_ release: AuditedRelease, _ expected: ExpectedCells) {
        self.release = release
        self.expected = expected
    }

    /// - Parameters:
    ///   - cells: of the document.
    ///   - places: where each lies in the grid; nil: unknown, and a finding already.
    func check(_ cells: [KPISummaryV1.Cell], at places: [Int?], _ findings: inout FindingList) {
        for interval in CellMeasure.intervals.indices {
            let times = times(of: interval, &findings)
            for (cell, place) in zip(cells, places) {
                guard let place else { continue }
                let own = CellMeasure.intervals[interval](cell)
                let groups = expected.totals[place].groups.compactMap { times[$0] }
                for (percent, published) in [(50, own.p50), (90, own.p90)] {
                    findings.require(
                        Self.isRank(published, percent, of: groups, count: groups.reduce(0) { $0 + $1.count }),
                        "\(AuditedFiles.summaryName): \(SummaryAudit.name(of: cell)): "
                            + "\(CellMeasure.intervalNames[interval]).p\(percent) is not the one of its groups")
                }
            }
        }
    }

    private struct Times {
        var cumulative: CumulativeTimes
        var count: Int
    }

    /// By group; nil where the group has no times, or does not publish them.
    private func times(of interval: Int, _ findings: inout FindingList) -> [Times?] {
        release.groups.indices.map { index in
            let group = release.groups[index]
            guard let parts = expected.parts[index], group.intervals.indices.contains(interval),
                parts.areTimesPublished[interval], group.intervals[interval].used > 0
            else { return nil }
            let cumulative = CumulativeTimes(group.intervals[interval])
            findings.require(
                cumulative.isWhole,
                "groups: the times of a group of \(group.month) contradict their count or their sum")
            return Times(cumulative: cumulative, count: group.intervals[interval].used)
        }
    }

    private static func isRank(_ published: Int?, _ percent: Int, of groups: [Times], count: Int) -> Bool {
        guard count > 0 else { return published == nil }
        guard let published, published >= 0, published.isMultiple(of: 10), published < 1_000_000_000 else {
            return false
        }
        let rank = (count * percent + 99) / 100
        let trips = { (second: Int) in groups.reduce(0) { $0 + $1.cumulative.trips(upTo: second) } }
        return trips(published + 4) >= rank && trips(published - 6) < rank
    }
}
