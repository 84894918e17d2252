/// A measure of which a cell may lack trips: an entry of `incompleteMeasures`.
package struct PartialMeasure: Sendable, Hashable {
    /// As the contract writes it.
    package let name: String
    package let title: String
    package let why: CellSentence
    /// The figures of the cell that show the measure; where all of them are null, no group shows it. Without counts of
    /// missing values, percentiles are what is left of an interval.
    package let keys: [String]
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
            .init("cost", "cost", .fewValues, keys: ["totalCost"]),
            .init("inHouseCost", "in-house cost", .fewCostsBySourcing, isOfValues: false),
            .init("contractedCost", "contracted cost", .fewCostsBySourcing, isOfValues: false),
            .init("loadedMiles", "loaded miles", .fewValues), .init("unloadedMiles", "unloaded miles", .fewValues),
            .init("costPerLoadedMile", "cost per loaded mile", .notEachHasBoth),
        ]
        + MeasuredInterval.all.map(\.name).map { .init($0, $0, .fewValues, keys: [$0 + ".used", $0 + ".p50"]) }

    package static func named(_ name: String) -> PartialMeasure? { all.first { $0.name == name } }

    package func isShown(in cell: KPISummaryV1.Cell) -> Bool { keys.contains { cell[$0] != nil } }

    private init(
        _ name: String, _ title: String, _ why: CellSentence, keys: [String]? = nil, isOfValues: Bool = true,
        isOfCompleted: Bool = true
    ) {
        self.name = name
        self.title = title
        self.why = why
        self.keys = keys ?? [name]
        self.isOfValues = isOfValues
        self.isOfCompleted = isOfCompleted
    }
}
