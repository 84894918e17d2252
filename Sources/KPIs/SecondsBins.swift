/// How many trips took how many seconds, of some histograms together, in one array that is used again and again.
package struct SecondsBins: Sendable {
    private var bins: [Int]
    /// Trips by page of 256 seconds.
    private var totals: [Int]
    /// From this page on there is no trip.
    private var end = 0

    package init(_ histograms: SecondsHistograms) {
        bins = Array(repeating: 0, count: histograms.pageCount * SecondsHistograms.binsPerPage)
        totals = Array(repeating: 0, count: histograms.pageCount)
    }

    package mutating func add(_ histogram: Int, of histograms: SecondsHistograms) {
        end = max(end, histograms.accumulate(histogram, into: &bins, totals: &totals))
    }

    /// The seconds of the trip with this rank, counted from 1 and from the shortest; nil if there are fewer trips.
    package func seconds(ofRank rank: Int) -> Int? {
        guard rank > 0 else { return nil }
        var before = 0
        for page in 0..<end {
            let total = totals[page]
            guard before + total >= rank else {
                before += total
                continue
            }
            for second in page * SecondsHistograms.binsPerPage..<(page + 1) * SecondsHistograms.binsPerPage {
                before += bins[second]
                if before >= rank { return second }
            }
        }
        return nil
    }

    /// Gives each second that was met, ascending.
    package func forEach(_ body: (_ second: Int, _ trips: Int) -> Void) {
        for page in 0..<end where totals[page] != 0 {
            for second in page * SecondsHistograms.binsPerPage..<(page + 1) * SecondsHistograms.binsPerPage
            where bins[second] != 0 {
                body(second, bins[second])
            }
        }
    }

    package mutating func clear() {
        for page in 0..<end where totals[page] != 0 {
            totals[page] = 0
            let own = page * SecondsHistograms.binsPerPage..<(page + 1) * SecondsHistograms.binsPerPage
            var bins = bins.mutableSpan
            precondition(own.upperBound <= bins.count)
            for second in own { bins[unchecked: second] = 0 }
        }
        end = 0
    }
}
