/// Distinct patients of a cell, counted exactly as far as anyone may know (SPEC §4): up to ten, then "at least 11".
///
/// It keeps the patients with the smallest hashes below `bound`, with how many trips each has, so that trips can be
/// taken out again. As long as nothing was dropped the count is exact; afterwards it is a lower bound, which is all
/// that is needed while it stays at eleven or more.
package struct PatientSample: Sendable {
    private var hashes: [UInt64] = []
    private var trips: [Int32] = []
    /// Patients whose hash is not below it are not kept.
    private var bound = UInt64.max
    private let size: Int

    /// - Parameter size: how many patients are kept; at least `PatientCount.cap`.
    package init(size: Int) {
        self.size = size
    }

    package var isEmpty: Bool { hashes.isEmpty && bound == .max }

    /// Counts a trip of the patient with this hash (not 0).
    @inline(__always)
    package mutating func add(_ hash: UInt64) {
        if hash < bound { insert(hash, trips: 1) }
    }

    @inline(never)
    private mutating func insert(_ hash: UInt64, trips added: Int32) {
        guard hash < bound else { return }
        if let known = hashes.firstIndex(of: hash) {
            trips[known] += added
            return
        }
        hashes.append(hash)
        trips.append(added)
        if hashes.count > size { shrink() }
    }

    /// Drops the patient with the largest hash; from then on no hash as large as that is kept.
    private mutating func shrink() {
        guard let largest = hashes.max(), let index = hashes.firstIndex(of: largest) else { return }
        bound = largest
        hashes.remove(at: index)
        trips.remove(at: index)
    }

    package mutating func merge(_ other: PatientSample) {
        limit(to: other.bound)
        for (hash, count) in zip(other.hashes, other.trips) { insert(hash, trips: count) }
    }

    /// Takes the trips of `other` out. All of them must have been put in before.
    package mutating func subtract(_ other: PatientSample) {
        limit(to: other.bound)
        for (hash, count) in zip(other.hashes, other.trips) {
            guard let index = hashes.firstIndex(of: hash) else { continue }
            trips[index] -= count
            if trips[index] <= 0 {
                hashes.remove(at: index)
                trips.remove(at: index)
            }
        }
    }

    private mutating func limit(to other: UInt64) {
        guard other < bound else { return }
        bound = other
        for index in hashes.indices.reversed() where hashes[index] >= bound {
            hashes.remove(at: index)
            trips.remove(at: index)
        }
    }

    /// Nil if too many patients were taken out to be sure: count again with a larger sample.
    package var count: PatientCount? {
        if hashes.count >= PatientCount.cap { return .atLeastCap }
        if bound == .max { return hashes.isEmpty ? .unknown : .exactly(hashes.count) }
        return nil
    }
}
