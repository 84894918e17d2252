package import Basics

extension KPITally {
    /// A month's checkpoint in which numbers from 1 on stand for the patients, in the order of their hashes: the same counts, and
    /// nothing that can be linked with another month or with an identifier.
    ///
    /// - Parameter shape: of a tally that can hold the month.
    package static func withoutPatientHashes(
        _ bytes: [UInt8], month: Month, shape: Shape
    ) throws(TallyDecodingError) -> [UInt8] {
        var tally = KPITally(shape: shape)
        try tally.merge(encoded: bytes, month: month, takesEarlierFormats: true)
        // A hash is above the number of smaller ones, so each number is below the bound of its sample.
        let hashes = Set(tally.patients.flatMap(\.trips.keys)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(hashes, UInt64(1)...))
        for index in tally.patients.indices {
            let sample = tally.patients[index]
            var trips: [UInt64: Int32] = [:]
            for (hash, count) in sample.trips { trips[numbers[hash] ?? 0] = count }
            tally.patients[index] = PatientSample(size: shape.patientSampleSize, bound: sample.bound, trips: trips)
        }
        return tally.encoded(month: month)
    }
}
