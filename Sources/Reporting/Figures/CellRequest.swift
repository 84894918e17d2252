import Basics
import KPIs
import Trips

/// The cell that `report --explain` is asked about, as the user names it. Each part may be `All`.
package struct CellRequest: Sendable, Hashable {
    package var region: String
    package var tripType: String
    /// `YYYY-MM`.
    package var month: String

    package init(region: String, tripType: String, month: String) {
        self.region = region
        self.tripType = tripType
        self.month = month
    }

    /// So many months are named one by one.
    private static let mostMonths = 24

    /// - Parameter months: with trips, ascending.
    /// - Throws: `SelectionError` with the known names.
    func scope(regions: NamedList, tripTypes: NamedList, months: [Month]) throws(SelectionError) -> CellScope {
        CellScope(
            month: try known(months), region: try Self.code(region, in: regions, "region"),
            tripType: try Self.code(tripType, in: tripTypes, "trip type"))
    }

    private static func isAll(_ text: String) -> Bool { text.lowercased() == CellKey.all.lowercased() }

    private static func code(_ name: String, in list: NamedList, _ what: String) throws(SelectionError) -> UInt8? {
        if isAll(name) { return nil }
        guard let code = list.code(ignoringCase: name) else {
            let known = [CellKey.all] + list.names.dropFirst() + [NamedList.unassigned]
            throw SelectionError("there is no \(what) “\(name)”", "take one of \(known.joined(separator: ", "))")
        }
        return code
    }

    private func known(_ months: [Month]) throws(SelectionError) -> Month? {
        if Self.isAll(month) { return nil }
        guard let asked = Month(month) else {
            throw SelectionError(
                "“\(month)” is not a month", "write YYYY-MM or All, after the region and the trip type")
        }
        guard months.contains(asked) else {
            let known =
                months.count > Self.mostMonths
                ? "All or a month from \(months[0]) to \(months[months.count - 1])"
                : "one of \(([CellKey.all] + months.map(\.description)).joined(separator: ", "))"
            throw SelectionError("there are no trips in \(asked)", "take \(known)")
        }
        return asked
    }
}
