import Foundation

/// The offsets of one time zone as a table, so that resolving a time is a few comparisons and no formatter.
package struct ZoneTable: Sendable {
    /// What a local time means in the zone.
    package enum Resolution: Sendable, Hashable {
        case instant(Int)
        /// The hour that comes twice: the instant before the clocks go back, and after.
        case repeated(earlier: Int, later: Int)
        /// The hour that the clocks skip.
        case skipped
    }

    package let identifier: String
    /// Instants from which `offsets[i]` holds; the first is the distant past.
    private let starts: [Int]
    private let offsets: [Int]
    /// Local times for which offset `i` is the only one: `safeFrom[i] ..< safeTo[i]`.
    private let safeFrom: [Int]
    private let safeTo: [Int]

    /// Nil if the system does not know the zone. Covers 1969 to 2100; beyond, the last offset stays.
    package init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        func offset(_ instant: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))) }
        let first = -365 * 86_400, last = 131 * 365 * 86_400, step = 7 * 86_400
        var starts = [Int.min / 4], offsets = [offset(first)]
        var at = first
        while at < last {
            var low = at, high = at + step
            if offset(high) != offsets[offsets.count - 1] {
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == offsets[offsets.count - 1] { low = middle } else { high = middle }
                }
                starts.append(high)
                offsets.append(offset(high))
            } else {
                at = high
                continue
            }
            at = high
        }
        self.init(identifier: identifier, starts: starts, offsets: offsets)
    }

    /// A zone with one offset for ever.
    package init(fixedOffsetSeconds: Int) {
        self.init(identifier: "UTC", starts: [Int.min / 4], offsets: [fixedOffsetSeconds])
    }

    private init(identifier: String, starts: [Int], offsets: [Int]) {
        self.identifier = identifier
        self.starts = starts
        self.offsets = offsets
        let last = offsets.count - 1
        safeFrom = offsets.indices.map { i in
            i == 0 ? Int.min / 4 : starts[i] + max(offsets[i], offsets[i - 1])
        }
        safeTo = offsets.indices.map { i in
            i == last ? Int.max / 4 : starts[i + 1] + min(offsets[i], offsets[i + 1])
        }
    }

    /// The offset around a local time, and the local times for which it is the only one. The time itself lies outside
    /// them if its hour is repeated or skipped.
    func stretch(near local: Int) -> (offsetSeconds: Int, from: Int, to: Int) {
        let segment = segment(near: local)
        return (offsets[segment], safeFrom[segment], safeTo[segment])
    }

    /// Which segment a local time most likely lies in.
    private func segment(near local: Int) -> Int {
        var low = 0, high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] + offsets[middle] <= local { low = middle } else { high = middle }
        }
        return low
    }

    package func resolve(local: Int) -> Resolution {
        let near = segment(near: local)
        var found: [Int] = []
        for segment in max(0, near - 1)...min(starts.count - 1, near + 1) {
            let instant = local - offsets[segment]
            let end = segment + 1 < starts.count ? starts[segment + 1] : Int.max / 4
            if instant >= starts[segment] && instant < end { found.append(instant) }
        }
        switch found.count {
        case 0: return .skipped
        case 1: return .instant(found[0])
        default: return .repeated(earlier: found.min() ?? found[0], later: found.max() ?? found[0])
        }
    }

    /// Local seconds of an instant.
    package func local(instant: Int) -> Int {
        var low = 0, high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle } else { high = middle }
        }
        return instant + offsets[low]
    }
}
