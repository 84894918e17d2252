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
