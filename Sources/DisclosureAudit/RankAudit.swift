import KPIContract

/// Checks published percentiles: nearest ranks over the trips of the groups inside a cell, rounded to 10 seconds.
///
/// A percentile is not computed again. It is right if fewer trips than its rank lie below the seconds that round to it, and
/// at least as many up to their end; the groups' own cumulative counts answer that without any merging of lists.
struct RankAudit {
    let release: AuditedRelease
    let expected: ExpectedCells
    let findings: FindingList

    /// - Parameter cells: of the document, as far as they are cells of the release.
    func check(_ cells: [KPISummaryV1.Cell]) {
        for interval in CheckedMeasures.intervals.indices {
            let times = times(of: interval)
            for cell in cells {
                let own = cell[interval: interval]
                let groups = expected.totals(at: cell.key).groups.compactMap { times[$0] }
                for (percent, published) in [(50, own.p50), (90, own.p90)] {
                    findings.require(
                        Self.isRank(published, percent, of: groups, count: groups.reduce(0) { $0 + $1.count }),
                        "\(AuditedFiles.summaryName): \(SummaryAudit.name(of: cell)): "
                            + "\(CheckedMeasures.intervals[interval]).p\(percent) is not the one of its groups")
                }
            }
        }
    }

    /// The percentiles of cells that the document does not have; none of a cell without times.
    func percentiles(_ percent: Int, of interval: String, at keys: [CellKey]) -> [CellKey: Int] {
        guard let place = CheckedMeasures.intervals.firstIndex(of: interval) else { return [:] }
        let times = times(of: place)
        return keys.reduce(into: [:]) { found, key in
            let groups = expected.totals(at: key).groups.compactMap { times[$0] }
            let rank = (groups.reduce(0) { $0 + $1.count } * percent + 99) / 100
            guard rank > 0 else { return }
            var low = 0, high = 1_000_000_000
            while low < high {
                let middle = (low + high) / 2
                let trips = groups.reduce(0) { $0 + $1.cumulative.trips(upTo: middle) }
                if trips >= rank { high = middle } else { low = middle + 1 }
            }
            found[key] = (low + 5) / 10 * 10
        }
    }

    private struct Times {
        var cumulative: CumulativeTimes
        var count: Int
    }

    /// By group; nil where the group has no times, or does not publish them.
    private func times(of interval: Int) -> [Times?] {
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

/// How many trips of a group took at most so many seconds.
struct CumulativeTimes {
    private var seconds: [Int] = []
    private var trips: [Int] = []
    /// Whether the histogram agrees with the group's count and sum.
    let isWhole: Bool

    init(_ interval: AuditedInterval) {
        let sorted = interval.histogram().sorted { $0.second < $1.second }
        var count = 0, sum = 0
        seconds.reserveCapacity(sorted.count)
        trips.reserveCapacity(sorted.count)
        for (second, own) in sorted {
            count += own
            sum += second * own
            seconds.append(second)
            trips.append(count)
        }
        isWhole =
            count == interval.used && sum == interval.sumSeconds
            && sorted.allSatisfy { $0.second >= 0 && $0.trips >= 0 }
    }

    func trips(upTo second: Int) -> Int {
        var low = 0, high = seconds.count
        while low < high {
            let middle = (low + high) / 2
            if seconds[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : trips[low - 1]
    }
}
