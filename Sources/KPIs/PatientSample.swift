/// Distinct patients of a cell, counted exactly as far as anyone may know: up to ten, then "at least 11".
///
/// It keeps the patients with the smallest hashes below `bound`, with how many trips each has, so that trips can be
/// taken out again. As long as nothing was dropped the count is exact; afterwards it is a lower bound, which is all
/// that is needed while it stays at eleven or more.
package struct PatientSample: Sendable {
    /// Trips by patient hash.
    private(set) var trips: [UInt64: Int32] = [:]
    /// Patients whose hash is not below it are not kept.
    private(set) var bound = UInt64.max
    private let size: Int

    /// - Parameter size: how many patients are kept for sure; at least `PatientCount.cap`. Up to twice as many are held.
    package init(size: Int) {
        self.size = size
    }

    /// One that was stored: its bound, and trips by hashes below it.
    init(size: Int, bound: UInt64, trips: [UInt64: Int32]) {
        self.size = size
        self.bound = bound
        self.trips = trips
        if trips.count >= 2 * size { shrink() }
    }

    package var isEmpty: Bool { trips.isEmpty && bound == .max }

    /// Counts a trip of the patient with this hash (not 0).
    @inline(__always)
    package mutating func add(_ hash: UInt64) {
        if hash < bound { insert(hash, trips: 1) }
    }

    @inline(never)
    private mutating func insert(_ hash: UInt64, trips added: Int32) {
        guard hash < bound else { return }
        trips[hash, default: 0] &+= added
        if trips.count >= 2 * size { shrink() }
    }

    /// Drops the larger half of the hashes; from then on none as large as the smallest of them is kept.
    private mutating func shrink() {
        if trips.count > size { limit(to: trips.keys.sorted()[size]) }
    }

    /// What is kept of both is their smallest hashes, so it does not matter which is merged into which.
    package mutating func merge(_ other: PatientSample) {
        if other.isEmpty { return }
        if isEmpty {
            (trips, bound) = (other.trips, other.bound)
            if trips.count >= 2 * size { shrink() }
            return
        }
        var other = other
        other.shrink()
        shrink()
        limit(to: other.bound)
        for (hash, count) in other.trips where hash < bound { trips[hash, default: 0] &+= count }
        shrink()
    }

    /// Takes the trips of `other` out. All of them must have been put in before.
    package mutating func subtract(_ other: PatientSample) {
        limit(to: other.bound)
        for (hash, count) in other.trips {
            guard let known = trips[hash] else { continue }
            trips[hash] = known > count ? known - count : nil
        }
    }

    private mutating func limit(to other: UInt64) {
        guard other < bound else { return }
        bound = other
        trips = trips.filter { $0.key < bound }
    }

    /// Nil if too many patients were taken out to be sure: count again with a larger sample.
    package var count: PatientCount? {
        if trips.count >= PatientCount.cap { return .atLeastCap }
        if bound == .max { return trips.isEmpty ? .unknown : .exactly(trips.count) }
        return nil
    }

    /// Distinct patients of several samples together, as if they were merged; nil as in `count`.
    package static func count(of samples: some Collection<PatientSample>) -> PatientCount? {
        // Below this all samples are whole.
        let bound = samples.reduce(UInt64.max) { min($0, $1.bound) }
        var found: [UInt64] = []
        for sample in samples {
            for hash in sample.trips.keys where hash < bound && !found.contains(hash) {
                found.append(hash)
                if found.count == PatientCount.cap { return .atLeastCap }
            }
        }
        if bound == .max { return found.isEmpty ? .unknown : .exactly(found.count) }
        return nil
    }
}
