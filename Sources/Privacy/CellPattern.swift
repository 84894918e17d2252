import KPIs

/// What cells hide, of a table of all regions and trip types.
protocol CellPattern: Sendable {
    /// Whether it knows of totals over all months; else only of months.
    var showsTotalsOverMonths: Bool { get }

    /// Of a cell of the table, or of one that is the sum of several of its cells.
    ///
    /// - Parameter scopes: the cells it is the sum of. Whoever asks for one that the table lacks is told nothing.
    func parts(of cell: KPICell, summing scopes: [CellScope]) -> HiddenParts
}
