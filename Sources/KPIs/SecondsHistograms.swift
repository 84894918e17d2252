/// Exact counts of whole seconds for many (cell, interval) pairs at once: what exact percentiles are read from.
///
/// Seconds that are common lie in pages of 256 one-byte counters; a counter that overflows carries into a dictionary.
/// Seconds whose page is nearly empty stay as plain values in a short tail until the page is worth its 256 bytes. So
/// memory follows the number of *different* values, not the number of trips, and outliers do not cost a page each.
/// Everything adds and subtracts exactly.
package struct SecondsHistograms: Sendable {
    private let pagesPerHistogram: Int
    /// Page number plus one by histogram and `seconds / 256`; 0 where there is no page.
    private var directory: [UInt32] = []
    private var counters: [UInt8] = []
    /// Multiples of 256 by counter index.
    private var carries: [UInt32: Int] = [:]
    private var tails: [[Int32]] = []
    private var tailLimits: [Int32] = []

    private static let binsPerPage = 256
    /// A page is made of a tail once it holds this many of its values.
    private static let promotion = 24
    private static let firstTailLimit: Int32 = 128

    package init(maximumSeconds: Int) {
        pagesPerHistogram = maximumSeconds / Self.binsPerPage + 1
    }

    package var count: Int { tails.count }

    /// Makes room for histograms `0 ..< count`.
    package mutating func reserve(_ count: Int) {
        guard count > tails.count else { return }
        let added = count - tails.count
        directory.append(contentsOf: repeatElement(0, count: added * pagesPerHistogram))
        tails.append(contentsOf: repeatElement([], count: added))
        tailLimits.append(contentsOf: repeatElement(Self.firstTailLimit, count: added))
    }

    /// Counts one more of `seconds` (0 to the maximum) in a histogram.
    @inline(__always)
    package mutating func add(_ seconds: Int32, to histogram: Int) {
        let page = directory[histogram &* pagesPerHistogram &+ Int(seconds >> 8)]
        if page == 0 {
            addToTail(seconds, histogram)
            return
        }
        let counter = (Int(page) &- 1) << 8 | Int(seconds & 0xFF)
        counters[counter] &+= 1
        if counters[counter] == 0 { carries[UInt32(counter), default: 0] += 1 }
    }

    @inline(never)
    private mutating func addToTail(_ seconds: Int32, _ histogram: Int) {
        tails[histogram].append(seconds)
        if tails[histogram].count >= Int(tailLimits[histogram]) { promote(histogram) }
    }

    /// Moves the tail's crowded pages to counters.
    private mutating func promote(_ histogram: Int) {
        let tail = tails[histogram]
        var perPage: [Int32: Int] = [:]
        for seconds in tail { perPage[seconds >> 8, default: 0] += 1 }
        for (page, count) in perPage where count >= Self.promotion { makePage(histogram, Int(page)) }
        tails[histogram].removeAll(keepingCapacity: true)
        for seconds in tail {
            if directory[histogram * pagesPerHistogram + Int(seconds >> 8)] == 0 {
                tails[histogram].append(seconds)
            } else {
                add(seconds, to: histogram)
            }
        }
        if tails[histogram].count * 2 > Int(tailLimits[histogram]) { tailLimits[histogram] *= 2 }
    }

    @discardableResult
    private mutating func makePage(_ histogram: Int, _ page: Int) -> Int {
        let number = counters.count / Self.binsPerPage
        // Grown by a quarter, not doubled: the counters are most of a worker's memory.
        if counters.count == counters.capacity { counters.reserveCapacity(counters.count + max(1 << 16, counters.count / 4)) }
        counters.append(contentsOf: repeatElement(0, count: Self.binsPerPage))
        directory[histogram * pagesPerHistogram + page] = UInt32(number + 1)
        return number
    }

    /// Adds `sign` times all counts of `other`'s histogram `source` to `target`.
    package mutating func combine(_ other: SecondsHistograms, _ source: Int, into target: Int, sign: Int) {
        for page in 0..<pagesPerHistogram {
            let number = other.directory[source * pagesPerHistogram + page]
            if number == 0 { continue }
            for bin in 0..<Self.binsPerPage {
                let count = other.countOf(counter: (Int(number) - 1) << 8 | bin)
                if count != 0 { adjust(target, page: page, bin: bin, by: sign * count) }
            }
        }
        for seconds in other.tails[source] {
            if sign > 0 {
                add(seconds, to: target)
            } else {
                adjust(target, page: Int(seconds >> 8), bin: Int(seconds & 0xFF), by: -1)
            }
        }
    }

    @inline(__always)
    private func countOf(counter: Int) -> Int {
        Int(counters[counter]) + (carries.isEmpty ? 0 : (carries[UInt32(counter)] ?? 0) << 8)
    }

    private mutating func adjust(_ histogram: Int, page: Int, bin: Int, by delta: Int) {
        let known = directory[histogram * pagesPerHistogram + page]
        let number = known == 0 ? pageFromTail(histogram, page) : Int(known) - 1
        let counter = number << 8 | bin
        let total = countOf(counter: counter) + delta
        precondition(total >= 0, "a count was taken out that was never put in")
        counters[counter] = UInt8(total & 0xFF)
        let high = total >> 8
        if high != 0 {
            carries[UInt32(counter)] = high
        } else if !carries.isEmpty {
            carries[UInt32(counter)] = nil
        }
    }

    private mutating func pageFromTail(_ histogram: Int, _ page: Int) -> Int {
        let number = makePage(histogram, page)
        let tail = tails[histogram]
        tails[histogram].removeAll(keepingCapacity: true)
        for seconds in tail {
            if Int(seconds >> 8) == page { add(seconds, to: histogram) } else { tails[histogram].append(seconds) }
        }
        return number
    }

    /// Adds the counts of a histogram to `bins`, one entry a second, and marks the pages it touches.
    package func accumulate(_ histogram: Int, into bins: inout [Int], touching pages: inout [Bool]) {
        for page in 0..<pagesPerHistogram {
            let number = directory[histogram * pagesPerHistogram + page]
            if number == 0 { continue }
            pages[page] = true
            let first = (Int(number) - 1) << 8
            for bin in 0..<Self.binsPerPage { bins[page << 8 | bin] &+= Int(counters[first | bin]) }
            if carries.isEmpty { continue }
            for bin in 0..<Self.binsPerPage { bins[page << 8 | bin] += (carries[UInt32(first | bin)] ?? 0) << 8 }
        }
        for seconds in tails[histogram] {
            bins[Int(seconds)] += 1
            pages[Int(seconds >> 8)] = true
        }
    }

    package var pageCount: Int { pagesPerHistogram }
}
