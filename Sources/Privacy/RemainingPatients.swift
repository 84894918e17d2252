import KPIs

/// Whether what is left of a total, when its parts that are shown are taken off, is about few people.
///
/// `CountSystem` adds the patients of cells up. Where several hidden cells are about the same few people, their sum is
/// about fewer than that: then the total must go too.
struct RemainingPatients {
    let lattice: CellLattice
    let cells: [KPICell]
    let minimumCell: Int

    /// What has to be hidden too, so that enough people are left of the cell: the smallest of its parts that are shown,
    /// or else the cell; nil if there are enough, or nothing is left.
    ///
    /// - Parameter isHidden: by cell.
    func missing(in cell: Int, _ isHidden: [Bool]) -> Int? {
        guard !isHidden[cell] else { return nil }
        let axes = lattice.sizes.indices.filter { lattice.coordinate($0, of: cell) == 0 && lattice.sizes[$0] > 2 }
        guard let parts = partsBesideFew(in: [cell], along: axes, isHidden) else { return nil }
        return parts.min { (cells[$0].sums.trips, $0) < (cells[$1].sums.trips, $1) } ?? cell
    }

    /// Takes the parts that are shown off along one axis, then another; those, if too few people are left.
    private func partsBesideFew(in wholes: [Int], along axes: [Int], _ isHidden: [Bool]) -> [Int]? {
        for axis in axes {
            let parts = wholes.flatMap { whole in
                (1..<lattice.sizes[axis]).map { lattice.moved(whole, axis, to: $0) }
            }
            let left = parts.filter { isHidden[$0] }
            if left.isEmpty { continue }
            if areFew(left) { return parts.filter { !isHidden[$0] && cells[$0].sums.trips > 0 } }
            if let parts = partsBesideFew(in: left, along: axes.filter({ $0 != axis }), isHidden) { return parts }
        }
        return nil
    }

    private func areFew(_ parts: [Int]) -> Bool {
        var people: Set<UInt64> = [], others = 0
        for part in parts {
            switch cells[part].patients {
            case .atLeastCap: return false
            case .exactly: people.formUnion(cells[part].fewPatients)
            // Trips that name nobody.
            case .unknown: others += cells[part].sums.trips
            }
            if people.count + others >= minimumCell { return false }
        }
        return people.count + others > 0
    }
}
