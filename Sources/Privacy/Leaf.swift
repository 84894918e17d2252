/// A leaf of a lattice with its place worked out, for loops over all of them.
struct Leaf: Sendable {
    let cell: Int
    private let coordinates: (Int, Int, Int)
    private let offsets: (Int, Int, Int)

    init(_ cell: Int, in lattice: CellLattice) {
        self.cell = cell
        coordinates = (
            lattice.coordinate(0, of: cell), lattice.coordinate(1, of: cell), lattice.coordinate(2, of: cell)
        )
        offsets = (
            lattice.offset(0, coordinates.0), lattice.offset(1, coordinates.1), lattice.offset(2, coordinates.2)
        )
    }

    /// Whether it is part of the cell with these coordinates.
    @inline(__always)
    func lies(in cell: (Int, Int, Int)) -> Bool {
        (cell.0 == 0 || cell.0 == coordinates.0) && (cell.1 == 0 || cell.1 == coordinates.1)
            && (cell.2 == 0 || cell.2 == coordinates.2)
    }

    /// The total over some axes, given as bits, of which it is part.
    @inline(__always)
    func total(over axes: Int) -> Int {
        cell - (axes & 1 == 0 ? 0 : offsets.0) - (axes & 2 == 0 ? 0 : offsets.1) - (axes & 4 == 0 ? 0 : offsets.2)
    }

    /// The axes, as bits, on which the two lie at different places.
    @inline(__always)
    func axes(differingFrom other: Leaf) -> Int {
        (coordinates.0 == other.coordinates.0 ? 0 : 1) | (coordinates.1 == other.coordinates.1 ? 0 : 2)
            | (coordinates.2 == other.coordinates.2 ? 0 : 4)
    }
}
