/// A measure by which months are compared with what was published before.
package struct HeadlineMeasure: Sendable {
    /// Its name in `KPICatalog`.
    package let name: String
    /// In the catalog's smallest unit; nil where it is hidden.
    package let value: @Sendable (KPISummaryV1.HeadlineFigures) -> Int?

    package var kpi: KPIDescription? { KPICatalog.description(named: name) }

    /// As people read it.
    package func text(_ figures: KPISummaryV1.HeadlineFigures) -> String? {
        value(figures).flatMap { value in kpi.map { $0.format.shown(value) } }
    }

    package static let all = [
        HeadlineMeasure(name: "trips") { $0.trips }, HeadlineMeasure(name: "inHousePercent") { $0.inHousePercent },
        HeadlineMeasure(name: "totalCost") { $0.totalCost?.cents },
        HeadlineMeasure(name: "costPerTrip") { $0.costPerTrip?.cents },
        HeadlineMeasure(name: "duration.mean") { $0.avgDuration?.tenths },
        HeadlineMeasure(name: "response.p90") { $0.responseP90 },
    ]
}
