import GRDB

extension TripStore {
    /// Reads several things that belong together: again, if a run has committed something in between.
    ///
    /// - Throws: what the body throws, or `StoreError.busy` if the store never stands still.
    package func steadily<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 0..<20 {
            let before = try commits()
            let value = Result { try body() }
            if try commits() == before { return try value.get() }
        }
        throw StoreError.busy(path: path)
    }

    /// A number that changes when another connection commits.
    private func commits() throws -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
