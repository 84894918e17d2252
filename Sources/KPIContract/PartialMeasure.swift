/// A measure of which a cell may lack trips: an entry of `incompleteMeasures`.
package struct PartialMeasure: Sendable, Hashable {
    /// As the contract writes it.
    package let name: String
    package let title: String
    package let why: CellSentence
    /// The figures of the cell that show the measure; where all of them are null, no group shows it. Without counts of
    /// missing values, percentiles are what is left of an interval.
    package let measures: [Measure]
    /// Whether trips may lack the value in the exports.
    package let isOfValues: Bool
    /// Whether it is of the completed trips of a cell, whatever their sourcing.
    package let isOfCompleted: Bool

    package static let all: [PartialMeasure] =
        [
            .init("trips", "trips", .countedWithOthers, isOfValues: false),
            .init("inHouse", "in-house trips", .countedWithOthers, isOfValues: false),
            .init("contracted", "contracted trips", .countedWithOthers, isOfValues: false),
            .init("unclassified", "unclassified trips", .countedWithOthers, isOfValues: false),
            .init("cancelled", "cancelled trips", .countedWithOthers, isOfValues: false, isOfCompleted: false),
            .init("noShow", "no-shows", .countedWithOthers, isOfValues: false, isOfCompleted: false),
            .init("cost", "cost", .fewValues, of: [.totalCost]),
            .init("inHouseCost", "in-house cost", .fewCostsBySourcing, isOfValues: false),
            .init("contractedCost", "contracted cost", .fewCostsBySourcing, isOfValues: false),
            .init("loadedMiles", "loaded miles", .fewValues), .init("unloadedMiles", "unloaded miles", .fewValues),
            .init("costPerLoadedMile", "cost per loaded mile", .notEachHasBoth),
        ]
        + MeasuredInterval.all.enumerated().map { place, interval in
            .init(
                interval.name, interval.name, .fewValues,
                of: [Measure(ofInterval: place, .used), Measure(ofInterval: place, .p50)])
        }

    package static func named(_ name: String) -> PartialMeasure? { all.first { $0.name == name } }

    package func isShown(in cell: KPISummaryV1.Cell) -> Bool { measures.contains { cell[$0] != nil } }

    private init(
        _ name: String, _ title: String, _ why: CellSentence, of measures: [Measure]? = nil, isOfValues: Bool = true,
        isOfCompleted: Bool = true
    ) {
        self.name = name
        self.title = title
        self.why = why
        self.measures = measures ?? Measure(name: name).map { [$0] } ?? []
        self.isOfValues = isOfValues
        self.isOfCompleted = isOfCompleted
    }
}
