/// Why there are no pages of trips. It holds no value of a trip and no path.
package enum TripPagesError: Error, Sendable, Hashable, CustomStringConvertible {
    case notWritten
    case unreadable

    package var description: String {
        switch self {
        case .notWritten:
            "trips.sqlite cannot be written; check the folder of published sets, its mode and the space left"
        case .unreadable:
            "trips.sqlite cannot be read, or is of another version; publish the set again with this version of tripkpi"
        }
    }
}
