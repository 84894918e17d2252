/// Two records of one trip, by where they are: the one that counts, and the one that it replaces.
package struct RecordPair: Sendable, Hashable, Comparable {
    package let later: RecordLocation
    package let earlier: RecordLocation

    package init(later: RecordLocation, earlier: RecordLocation) {
        self.later = later
        self.earlier = earlier
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.later, left.earlier) < (right.later, right.earlier)
    }

    /// `the record at byte 1234 of trips_2.csv replaces that at byte 567 of trips_1.csv`.
    ///
    /// - Parameter name: of an export, by its order; nil: it is not known.
    package func description(name: (Int) -> String?) -> String {
        func place(_ location: RecordLocation) -> String {
            "byte \(location.offset)" + (name(location.export).map { " of \($0)" } ?? "")
        }
        return "the record at \(place(later)) replaces that at \(place(earlier))"
    }
}
