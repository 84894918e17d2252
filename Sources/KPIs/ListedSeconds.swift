/// The seconds of one interval in a batch, and the histogram each goes to.
struct ListedSeconds: Sendable {
    /// Entries in use.
    var count = 0
    private(set) var seconds: [Int32] = []
    private(set) var histograms: [Int] = []

    mutating func reserve(_ capacity: Int) {
        guard seconds.count < capacity else { return }
        seconds = Array(repeating: 0, count: capacity)
        histograms = Array(repeating: 0, count: capacity)
    }

    /// - Parameter counts: 1, or 0 if the next entry is to take its place.
    @inline(__always)
    mutating func append(_ value: Int32, to histogram: Int, counts: Int) {
        seconds[count] = value
        histograms[count] = histogram
        count &+= counts
    }
}
