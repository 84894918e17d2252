import Trips

// What the crosswalk is told, where there is one. Without it none of this runs.
extension TripDecoder {
    /// The identifiers of the rows that are trips, as they are hashed for keys: unescaped and without outer blanks.
    func collectIdentifiers(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        func value(_ slot: Int?, _ row: Int) -> ArraySlice<UInt8> {
            guard let slot else { return [] }
            return Self.meant(bytes, FieldSpan(packed: table.column(slot)[row]))
        }
        for row in 0..<count where columns.verdicts[row] == 0 {
            identifiers.append(
                tripID: value(plan.tripID, row), legID: value(plan.legID, row), patientID: value(plan.patientID, row))
        }
    }
}
