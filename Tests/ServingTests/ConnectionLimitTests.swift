import Serving
import Testing

@Suite struct ConnectionLimitTests {
    @Test("an address has its share, and gets back what it closes; others are counted apart")
    func share() {
        let limit = ConnectionLimit(most: 2)
        #expect(limit.admits("a") && limit.admits("a") && !limit.admits("a"))
        #expect(limit.admits("b"))
        limit.release("a")
        #expect(limit.admits("a") && !limit.admits("a"))
        for _ in 0..<2 { limit.release("a") }
        #expect(limit.admits("a") && limit.admits("a") && !limit.admits("a"))
    }
}
