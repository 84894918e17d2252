extension TripBatch {
    /// Keeps the rows listed (ascending), in order.
    package mutating func keep(rows: [Int32]) {
        func select<Value>(_ column: inout [Value]) {
            for (row, kept) in rows.enumerated() where Int(kept) != row { column[row] = column[Int(kept)] }
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
        for index in intervals.indices { select(&intervals[index]) }
        for index in text.indices { select(&text[index]) }
        count = rows.count
    }
}
