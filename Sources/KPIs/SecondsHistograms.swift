/// Exact counts of whole seconds for many (cell, interval) pairs at once: what exact percentiles are read from.
///
/// Seconds that are common lie in pages of 256 one-byte counters; a page with a counter that overflowed gets a second
/// one, of what was carried. Seconds whose page is nearly empty stay as plain values in a short tail until the page is
/// worth its 256 bytes. So memory follows the number of *different* values, not the number of trips, and outliers do
/// not cost a page each. Everything adds and subtracts exactly.
package struct SecondsHistograms: Sendable {
    private let pagesPerHistogram: Int
    /// Page number plus one by histogram and `seconds / 256`, for the first `nearPages` of each; 0: no page.
    private var directory: [UInt32] = []
    /// The same for the pages beyond, which few trips reach: by histogram times 2^32 plus `seconds / 256`.
    private var farDirectory: [Int: UInt32] = [:]
    private var counters: [UInt8] = []
    /// By page number: place plus one of its page in `carries`; 0 where nothing was carried.
    private var carryPages: [UInt32] = []
    /// Multiples of 256, in pages like those of `counters`.
    private var carries: [UInt16] = []
    /// Multiples of 16,777,216 by place in `carries`: for a second that nearly all trips of a cell share.
    private var overflows: [Int: Int] = [:]
    private var tails: [[Int32]] = []
    private var tailLimits: [Int32] = []

    static let binsPerPage = 256
    /// A page is made of a tail once it holds this many of its values.
    private static let promotion = 32
    private static let firstTailLimit: Int32 = 64
    /// 64 pages are four and a half hours.
    private static let nearPages = 64

    package init(maximumSeconds: Int) {
        pagesPerHistogram = maximumSeconds / Self.binsPerPage + 1
    }

    package var count: Int { tails.count }

    /// Makes room for histograms `0 ..< count`.
    package mutating func reserve(_ count: Int) {
        guard count > tails.count else { return }
        let added = count - tails.count
        directory.append(contentsOf: repeatElement(0, count: added * Self.nearPages))
        tails.append(contentsOf: repeatElement([], count: added))
        tailLimits.append(contentsOf: repeatElement(Self.firstTailLimit, count: added))
    }

    /// Counts each of the first `count` of `seconds`, none negative, in the histogram at the same place of `histograms`.
    package mutating func add(_ seconds: [Int32], to histograms: [Int], count: Int) {
        var missed: [Int] = []
        var carried: [Int] = []
        countInPages(seconds, histograms, count, &missed, &carried)
        for place in missed { add(seconds[place], to: histograms[place]) }
        for counter in carried { carry(counter) }
    }

    /// The hot loop: an entry and a counter a trip. What needs more is left to the caller.
    private mutating func countInPages(
        _ seconds: [Int32], _ histograms: [Int], _ count: Int, _ missed: inout [Int], _ carried: inout [Int]
    ) {
        let pages = self.directory
        let directory = pages.span
        var counters = self.counters.mutableSpan
        let seconds = seconds.span, histograms = histograms.span
        for place in 0..<count {
            let value = seconds[place]
            let near = Int(value >> 8)
            let page = near < Self.nearPages ? directory[histograms[place] &* Self.nearPages &+ near] : 0
            if page == 0 {
                missed.append(place)
                continue
            }
            let counter = (Int(page) &- 1) << 8 | Int(value & 0xFF)
            let total = counters[counter] &+ 1
            counters[counter] = total
            if total == 0 { carried.append(counter) }
        }
    }

    /// Counts one more of `seconds` (0 to the maximum) in a histogram.
    package mutating func add(_ seconds: Int32, to histogram: Int) {
        let page = entry(histogram, Int(seconds >> 8))
        if page == 0 {
            addToTail(seconds, histogram)
            return
        }
        let counter = (Int(page) &- 1) << 8 | Int(seconds & 0xFF)
        counters[counter] &+= 1
        if counters[counter] == 0 { carry(counter) }
    }

    @inline(never)
    private mutating func carry(_ counter: Int, _ multiples: Int = 1) {
        let place = carryPage(counter >> 8) << 8 | counter & 0xFF
        setCarried(place, carried(place) + multiples)
    }

    /// How many multiples of 256 a place of `carries` means.
    private func carried(_ place: Int) -> Int {
        Int(carries[place]) + (overflows.isEmpty ? 0 : (overflows[place] ?? 0) << 16)
    }

    private mutating func setCarried(_ place: Int, _ multiples: Int) {
        carries[place] = UInt16(multiples & 0xFFFF)
        if multiples >> 16 != 0 {
            overflows[place] = multiples >> 16
        } else if !overflows.isEmpty {
            overflows[place] = nil
        }
    }

    /// Place of the carries of a page, made if there is none.
    private mutating func carryPage(_ page: Int) -> Int {
        if carryPages[page] == 0 {
            Self.extend(&carries)
            carryPages[page] = UInt32(carries.count / Self.binsPerPage)
        }
        return Int(carryPages[page]) - 1
    }

    /// Page number plus one; 0 where there is no page.
    @inline(__always)
    private func entry(_ histogram: Int, _ page: Int) -> UInt32 {
        page < Self.nearPages ? directory[histogram &* Self.nearPages &+ page] : farEntry(histogram, page)
    }

    @inline(never)
    private func farEntry(_ histogram: Int, _ page: Int) -> UInt32 { farDirectory[histogram << 32 | page] ?? 0 }

    @inline(never)
    private mutating func addToTail(_ seconds: Int32, _ histogram: Int) {
        tails[histogram].append(seconds)
        if tails[histogram].count >= Int(tailLimits[histogram]) { promote(histogram) }
    }

    /// Moves the tail's crowded pages to counters.
    private mutating func promote(_ histogram: Int) {
        let tail = tails[histogram]
        var crowds = Array(repeating: 0, count: pagesPerHistogram)
        for seconds in tail { crowds[Int(seconds >> 8)] += 1 }
        tails[histogram].removeAll(keepingCapacity: true)
        for seconds in tail {
            let page = Int(seconds >> 8)
            if crowds[page] < Self.promotion {
                tails[histogram].append(seconds)
                continue
            }
            if entry(histogram, page) == 0 { makePage(histogram, page) }
            add(seconds, to: histogram)
        }
        if tails[histogram].count * 2 > Int(tailLimits[histogram]) { tailLimits[histogram] *= 2 }
    }

    @discardableResult
    private mutating func makePage(_ histogram: Int, _ page: Int) -> Int {
        let number = counters.count / Self.binsPerPage
        Self.extend(&counters)
        carryPages.append(0)
        if page < Self.nearPages {
            directory[histogram * Self.nearPages + page] = UInt32(number + 1)
        } else {
            farDirectory[histogram << 32 | page] = UInt32(number + 1)
        }
        return number
    }

    /// Adds a page of zeros. Room grows by an eighth, not by doubling: counters are most of a worker's memory.
    private static func extend<Counter: FixedWidthInteger>(_ pages: inout [Counter]) {
        if pages.count + binsPerPage > pages.capacity {
            pages.reserveCapacity(pages.count + max(64, pages.count / binsPerPage / 8) * binsPerPage)
        }
        pages.append(contentsOf: repeatElement(0, count: binsPerPage))
    }

    /// Adds the counts of a page of 256 seconds, `total` in all: of the seconds in `bins` the lowest eight bits of each
    /// count, then the multiples of 256 of those that have some. Each page of a histogram comes at most once, so none
    /// is crowded in the tail.
    mutating func add(
        page: Int, low: Span<UInt8>, in bins: Range<Int>, high: [(bin: Int, multiples: Int)], total: Int,
        to histogram: Int
    ) {
        let known = entry(histogram, page)
        if known == 0 && total < Self.promotion {
            for bin in bins {
                for _ in 0..<low[bin] { tails[histogram].append(Int32(page << 8 | bin)) }
            }
            while tails[histogram].count >= Int(tailLimits[histogram]) { tailLimits[histogram] *= 2 }
            return
        }
        let number = known == 0 ? pageFromTail(histogram, page) : Int(known) - 1
        addCounters(low, in: bins, to: number)
        for (bin, multiples) in high { carry(number << 8 | bin, multiples) }
    }

    /// Adds one-byte counts to the counters of a page.
    private mutating func addCounters(_ added: Span<UInt8>, in bins: Range<Int>, to number: Int) {
        let first = number << 8
        precondition(bins.lowerBound >= 0 && bins.upperBound <= min(added.count, Self.binsPerPage))
        precondition(first + Self.binsPerPage <= self.counters.count)
        var overflow: UInt8 = 0
        var counters = self.counters.mutableSpan
        for bin in bins {
            // Both places were checked above; without a check at each step many are added at once.
            let count = added[unchecked: bin]
            let total = counters[unchecked: first &+ bin] &+ count
            counters[unchecked: first &+ bin] = total
            overflow |= total < count ? 1 : 0
        }
        if overflow == 0 { return }
        for bin in bins where self.counters[number << 8 | bin] < added[bin] { carry(number << 8 | bin) }
    }

    /// Takes all counts of a histogram out.
    mutating func clear(_ histogram: Int) {
        tails[histogram].removeAll()
        for page in pages(of: histogram) {
            let number = Int(entry(histogram, page)) - 1
            let carried = Int(carryPages[number]) - 1
            for bin in 0..<Self.binsPerPage {
                counters[number << 8 | bin] = 0
                if carried < 0 { continue }
                carries[carried << 8 | bin] = 0
                overflows[carried << 8 | bin] = nil
            }
        }
    }

    /// Adds `sign` times all counts of `other`'s histogram `source` to `target`.
    ///
    /// - Returns: false if a count was to be taken out that was never put in; it stays 0 then.
    @discardableResult
    package mutating func combine(_ other: SecondsHistograms, _ source: Int, into target: Int, sign: Int) -> Bool {
        if sign > 0 {
            merge(other, source, into: target)
            return true
        }
        var hasAll = true
        for page in other.pages(of: source) {
            let first = (Int(other.entry(source, page)) - 1) << 8
            for bin in 0..<Self.binsPerPage {
                let count = other.countOf(counter: first | bin)
                if count != 0, !takeOut(count, of: target, page: page, bin: bin) { hasAll = false }
            }
        }
        for seconds in other.tails[source] {
            if !takeOut(1, of: target, page: Int(seconds >> 8), bin: Int(seconds & 0xFF)) { hasAll = false }
        }
        return hasAll
    }

    private mutating func merge(_ other: SecondsHistograms, _ source: Int, into target: Int) {
        let isFirst = tails[target].isEmpty && pages(of: target).isEmpty
        for page in other.pages(of: source) {
            let theirs = Int(other.entry(source, page)) - 1
            let known = entry(target, page)
            let number = known == 0 ? pageFromTail(target, page) : Int(known) - 1
            let counters = other.counters.span.extracting(theirs << 8..<(theirs + 1) << 8)
            addCounters(counters, in: 0..<Self.binsPerPage, to: number)
            let carried = Int(other.carryPages[theirs]) - 1
            if carried < 0 { continue }
            for bin in 0..<Self.binsPerPage {
                let multiples = other.carried(carried << 8 | bin)
                if multiples != 0 { carry(number << 8 | bin, multiples) }
            }
        }
        if isFirst {
            tails[target] = other.tails[source]
            tailLimits[target] = other.tailLimits[source]
        } else {
            for seconds in other.tails[source] { add(seconds, to: target) }
        }
    }

    @inline(__always)
    private func countOf(counter: Int) -> Int {
        let page = Int(carryPages[counter >> 8])
        return Int(counters[counter]) + (page == 0 ? 0 : carried((page - 1) << 8 | counter & 0xFF) << 8)
    }

    /// False if so many were never put in.
    private mutating func takeOut(_ count: Int, of histogram: Int, page: Int, bin: Int) -> Bool {
        let known = entry(histogram, page)
        let number = known == 0 ? pageFromTail(histogram, page) : Int(known) - 1
        let counter = number << 8 | bin
        let total = countOf(counter: counter) - count
        guard total >= 0 else { return false }
        counters[counter] = UInt8(total & 0xFF)
        let high = total >> 8
        guard high != 0 || carryPages[number] != 0 else { return true }
        setCarried(carryPage(number) << 8 | bin, high)
        return true
    }

    private mutating func pageFromTail(_ histogram: Int, _ page: Int) -> Int {
        let number = makePage(histogram, page)
        let tail = tails[histogram]
        guard tail.contains(where: { Int($0 >> 8) == page }) else { return number }
        tails[histogram].removeAll(keepingCapacity: true)
        for seconds in tail {
            if Int(seconds >> 8) == page { add(seconds, to: histogram) } else { tails[histogram].append(seconds) }
        }
        return number
    }

    /// The pages a histogram has counters for.
    private func pages(of histogram: Int) -> [Int] {
        var found: [Int] = []
        for page in 0..<min(Self.nearPages, pagesPerHistogram)
        where directory[histogram * Self.nearPages + page] != 0 { found.append(page) }
        if farDirectory.isEmpty || pagesPerHistogram <= Self.nearPages { return found }
        for page in Self.nearPages..<pagesPerHistogram where farEntry(histogram, page) != 0 { found.append(page) }
        return found
    }

    /// How often each second lies in some histograms together; ascending, without those that do not.
    package func counts(of histograms: [Int]) -> [(second: Int, trips: Int)] {
        let tail = histograms.flatMap { tails[$0] }.sorted()
        var rest = tail[...]
        var found: [(second: Int, trips: Int)] = []
        var bins = Array(repeating: 0, count: Self.binsPerPage)
        for page in Set(histograms.flatMap(pages) + tail.map { Int($0 >> 8) }).sorted() {
            for histogram in histograms {
                let number = Int(entry(histogram, page)) - 1
                if number >= 0 { addPage(number, to: &bins, from: 0) }
            }
            while let seconds = rest.first, Int(seconds >> 8) == page {
                bins[Int(seconds & 0xFF)] += 1
                rest.removeFirst()
            }
            for bin in bins.indices where bins[bin] != 0 {
                found.append((page << 8 | bin, bins[bin]))
                bins[bin] = 0
            }
        }
        return found
    }

    /// Adds the counts of a histogram to `bins`, one entry a second, and to the totals of pages of 256 seconds.
    ///
    /// - Returns: one more than the last page with a count; 0 if there is none.
    func accumulate(_ histogram: Int, into bins: inout [Int], totals: inout [Int]) -> Int {
        let pages = self.pages(of: histogram)
        var end = (pages.last ?? -1) + 1
        for page in pages {
            totals[page] += addPage(Int(entry(histogram, page)) - 1, to: &bins, from: page << 8)
        }
        for seconds in tails[histogram] {
            bins[Int(seconds)] += 1
            totals[Int(seconds >> 8)] += 1
            end = max(end, Int(seconds >> 8) + 1)
        }
        return end
    }

    /// Adds the counts of a page to `bins`, the page's first second to the bin `first`; their sum.
    @discardableResult
    private func addPage(_ number: Int, to bins: inout [Int], from first: Int) -> Int {
        let counter = number << 8
        var total = add(counters.span.extracting(counter..<counter + Self.binsPerPage), to: &bins, from: first)
        let carryPage = Int(carryPages[number]) - 1
        if carryPage < 0 { return total }
        for bin in 0..<Self.binsPerPage {
            let more = carried(carryPage << 8 | bin) << 8
            bins[first + bin] += more
            total += more
        }
        return total
    }

    /// Adds one-byte counts to the bins from `first` on; their sum.
    private func add(_ page: Span<UInt8>, to bins: inout [Int], from first: Int) -> Int {
        precondition(first >= 0 && first + page.count <= bins.count)
        var bins = bins.mutableSpan
        var total = 0
        for bin in 0..<page.count {
            // Both places were checked above; without a check at each step many are added at once.
            let count = Int(page[unchecked: bin])
            bins[unchecked: first &+ bin] = bins[unchecked: first &+ bin] &+ count
            total &+= count
        }
        return total
    }

    var pageCount: Int { pagesPerHistogram }
}
