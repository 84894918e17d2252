import KPIs
import Trips

extension SuppressionPattern {
    /// What the cells of a part of the table hide, so that the part says nothing that the whole does not: a cell of both
    /// hides the same in both, and a total of several cells of the whole hides what any of them hides.
    func parts(of selection: KPITable, in whole: KPITable) -> [HiddenParts] {
        let lattice = CellLattice(whole)
        let axes = [
            Self.places(selection.months, in: whole.months), Self.places(selection.regionCodes, in: whole.regionCodes),
            Self.places(selection.tripTypeCodes, in: whole.tripTypeCodes),
        ]
        var parts: [HiddenParts] = []
        for months in axes[0] {
            for regions in axes[1] {
                for tripTypes in axes[2] {
                    var cells = [0]
                    for (axis, places) in [months, regions, tripTypes].enumerated() {
                        cells = cells.flatMap { cell in places.map { cell + lattice.offset(axis, $0) } }
                    }
                    parts.append(cells.reduce(into: []) { $0.formUnion(self.parts[$1]) })
                }
            }
        }
        return parts
    }

    /// For "All" and each of the selected ones in turn: which coordinates of the whole it is made of.
    private static func places<Part: Equatable>(_ selected: [Part], in all: [Part]) -> [[Int]] {
        let places = selected.compactMap { part in all.firstIndex(of: part).map { $0 + 1 } }
        return [places.count == all.count ? [0] : places] + places.map { [$0] }
    }
}
