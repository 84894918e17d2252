import Trips

extension TripBatch {
    /// Takes out the rows listed (ascending, no two alike); the order of the others stays.
    package mutating func remove(rows removed: [Int]) {
        guard let first = removed.first, let last = removed.last, last < count else { return }
        // What lies between two rows that go moves up by as many as went before it. Each column has room for `capacity`
        // rows, `count` at least; `last` is below it.
        func select<Value>(_ column: inout [Value]) {
            let rows = count
            column.withUnsafeMutableBufferPointer { column in
                var target = first
                for (place, row) in removed.enumerated() {
                    let next = place + 1 < removed.count ? removed[place + 1] : rows
                    let kept = row + 1..<next
                    _ = column.extracting(target..<target + kept.count).update(fromContentsOf: column.extracting(kept))
                    target += kept.count
                }
            }
        }
        select(&offsets)
        select(&keyHashes)
        select(&status)
        select(&month)
        select(&day)
        select(&region)
        select(&tripType)
        select(&costCents)
        select(&loadedHundredths)
        select(&unloadedHundredths)
        select(&patientHashes)
        select(&sourcing)
        select(&warnings)
        if !versions.isEmpty { select(&versions) }
        if !tieHashes.isEmpty { select(&tieHashes) }
        if !recordsInBlock.isEmpty { select(&recordsInBlock) }
        for index in intervals.indices { select(&intervals[index]) }
        for index in text.indices { select(&text[index]) }
        count -= removed.count
    }
}
