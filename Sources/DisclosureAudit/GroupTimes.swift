/// The times that the groups of a release publish, for percentiles of unions of groups.
struct GroupTimes {
    /// By interval and by group; nil where the group publishes no times, or has none.
    private let times: [[CumulativeTimes?]]

    /// - Parameter published: what each group publishes.
    init(_ release: AuditedRelease, published: [Set<AuditedMeasure>], findings: FindingList) {
        times = AuditedMeasure.intervals.map { measure in
            zip(release.groups, published).map { group, published in
                guard published.contains(measure), let interval = group.interval(of: measure), interval.used > 0 else {
                    return nil
                }
                let own = CumulativeTimes(interval)
                findings.require(
                    own.agrees(with: interval),
                    "groups: the times of a group of \(group.month) contradict their count or their sum")
                return own
            }
        }
    }

    /// The nearest rank over the trips of some groups, rounded to 10 seconds; nil over no trips.
    ///
    /// - Parameters:
    ///   - place: of the interval in the contract's order.
    ///   - groups: places in the release's groups.
    func percentile(_ percent: Int, of place: Int, over groups: [Int]) -> Int? {
        let own = groups.compactMap { times[place][$0] }
        let rank = (own.reduce(0) { $0 + $1.count } * percent + 99) / 100
        guard rank > 0, var high = own.map(\.longest).max() else { return nil }
        var low = 0
        while low < high {
            let middle = (low + high) / 2
            let reached = own.reduce(0) { $0 + $1.trips(upTo: middle) }
            if reached >= rank { high = middle } else { low = middle + 1 }
        }
        return (low + 5) / 10 * 10
    }
}

/// How many trips of a group took at most so many seconds.
private struct CumulativeTimes {
    private var seconds: [Int] = []
    private var trips: [Int] = []
    private var sum = 0
    private var isPlausible = true

    init(_ interval: AuditedInterval) {
        for (second, own) in interval.histogram().sorted(by: { $0.second < $1.second }) {
            isPlausible = isPlausible && second >= 0 && own >= 0
            sum += second * own
            seconds.append(second)
            trips.append(count + own)
        }
    }

    var count: Int { trips.last ?? 0 }
    var longest: Int { seconds.last ?? 0 }

    func agrees(with interval: AuditedInterval) -> Bool {
        isPlausible && count == interval.used && sum == interval.sumSeconds
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
