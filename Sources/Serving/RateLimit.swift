import Synchronization

/// How many requests a client may send: a bucket of tokens that fills at a steady rate.
package final class RateLimit: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: ContinuousClock.Instant
    }

    private let perSecond: Double
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    /// Full buckets can be dropped: that is done when there are so many.
    private static let mostBuckets = 20_000

    /// - Parameter perSecond: 0: no limit.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(max(burst, 1))
    }

    /// Whether a client may send one more.
    package func admits(_ client: String, now: ContinuousClock.Instant = .now) -> Bool {
        guard perSecond > 0 else { return true }
        return buckets.withLock { known in
            if known.count >= Self.mostBuckets {
                known = known.filter { tokens(in: $0.value, at: now) < burst }
                // If the map is still full, it is reset.
                if known.count >= Self.mostBuckets { known = [:] }
            }
            let held = known[client].map { tokens(in: $0, at: now) } ?? burst
            known[client] = Bucket(tokens: held >= 1 ? held - 1 : held, filledAt: now)
            return held >= 1
        }
    }

    private func tokens(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
        let elapsed = bucket.filledAt.duration(to: now) / .seconds(1)
        return min(burst, bucket.tokens + max(0, elapsed) * perSecond)
    }
}
