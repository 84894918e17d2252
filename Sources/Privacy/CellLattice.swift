import KPIs

/// Where the cells of a table lie to each other: months × regions × trip types, each with its "All" in front.
///
/// A cell is known by its index in `KPITable.cells`; on each axis coordinate 0 is "All" and the others are its parts,
/// which add up to it. A cell without an "All" is a leaf.
package struct CellLattice: Sendable, Hashable {
    /// How many coordinates each axis has, its "All" included.
    package let sizes: [Int]
    package let count: Int
    private let strides: [Int]
    /// Ascending.
    package let leaves: [Int]

    /// - Parameter parts: how many parts each axis has.
    package init(parts: [Int]) {
        sizes = parts.map { $0 + 1 }
        var strides: [Int] = []
        var stride = 1
        for size in sizes.reversed() {
            strides.insert(stride, at: 0)
            stride *= size
        }
        self.strides = strides
        count = stride
        let sizes = self.sizes
        leaves = (0..<stride).filter { cell in
            sizes.indices.allSatisfy { cell / strides[$0] % sizes[$0] != 0 }
        }
    }

    init(_ table: KPITable) {
        self.init(parts: [table.months.count, table.regionCodes.count, table.tripTypeCodes.count])
    }

    /// The cell of everything.
    static let overall = 0

    @inline(__always)
    func coordinate(_ axis: Int, of cell: Int) -> Int { cell / strides[axis] % sizes[axis] }

    /// The cell at this coordinate of the axis, else where `cell` is.
    @inline(__always)
    func moved(_ cell: Int, _ axis: Int, to coordinate: Int) -> Int {
        cell + (coordinate - self.coordinate(axis, of: cell)) * strides[axis]
    }

    /// What a coordinate of the axis adds to a cell's index.
    @inline(__always)
    func offset(_ axis: Int, _ coordinate: Int) -> Int { coordinate * strides[axis] }

    /// Whether it holds all there is: where an axis has one part only, that is the same as "All".
    func isOverall(_ cell: Int) -> Bool { sizes.indices.allSatisfy { coordinate($0, of: cell) == 0 || sizes[$0] == 2 } }

    /// The cell of the same trips with the most "All".
    func widest(_ cell: Int) -> Int {
        sizes.indices.reduce(cell) { sizes[$1] == 2 ? moved($0, $1, to: 0) : $0 }
    }

    /// How many of its axes are "All".
    func level(of cell: Int) -> Int { sizes.indices.count { coordinate($0, of: cell) == 0 } }

    package func isLeaf(_ cell: Int) -> Bool { sizes.indices.allSatisfy { coordinate($0, of: cell) != 0 } }

    /// Which leaves are part of the cell, as places in `leaves`.
    func leafNumbers(in cell: Int) -> [Int] {
        var numbers = [0]
        for axis in sizes.indices {
            let own = coordinate(axis, of: cell), parts = sizes[axis] - 1
            let places = own == 0 ? 0..<parts : own - 1..<own
            numbers = numbers.flatMap { number in places.map { number * parts + $0 } }
        }
        return numbers
    }

    /// The leaf and every "All" it is part of.
    package func cells(holding leaf: Int) -> [Int] {
        var cells = [leaf]
        for axis in sizes.indices { cells += cells.map { moved($0, axis, to: 0) } }
        return cells
    }
}
