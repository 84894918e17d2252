import Serving
import Testing

@Suite struct RateLimitTests {
    @Test("a client may send a burst, then as many as come in at the rate; others are counted apart")
    func rate() {
        let limit = RateLimit(perSecond: 10, burst: 20), start = ContinuousClock.now
        #expect((0..<20).allSatisfy { _ in limit.admits("a", now: start) })
        #expect(!limit.admits("a", now: start) && limit.admits("b", now: start))
        let later = start + .milliseconds(500)
        #expect((0..<5).allSatisfy { _ in limit.admits("a", now: later) } && !limit.admits("a", now: later))
        let long = start + .seconds(3_600)
        #expect((0..<20).allSatisfy { _ in limit.admits("a", now: long) } && !limit.admits("a", now: long))
    }

    @Test("0 is no limit; many clients are not held for ever")
    func bounds() {
        let none = RateLimit(perSecond: 0, burst: 0)
        #expect((0..<10_000).allSatisfy { _ in none.admits("a") })
        let limit = RateLimit(perSecond: 1, burst: 1), now = ContinuousClock.now
        for client in 0..<50_000 { #expect(limit.admits("\(client)", now: now)) }
    }
}
