/// Which cell of a document: the names as in the document, "All" where summed.
package struct CellKey: Sendable, Hashable, CustomStringConvertible {
    package static let all = "All"
    package static let unassigned = "Unassigned"

    package var month: String
    package var region: String
    package var tripType: String

    package init(month: String = all, region: String = all, tripType: String = all) {
        self.month = month
        self.region = region
        self.tripType = tripType
    }

    /// `North, Emergency, 2025-03`.
    package var description: String {
        func name(_ part: String, all: String) -> String { part == Self.all ? all : part }
        return [
            name(region, all: "All regions"), name(tripType, all: "all trip types"), name(month, all: "all months"),
        ].joined(separator: ", ")
    }
}
