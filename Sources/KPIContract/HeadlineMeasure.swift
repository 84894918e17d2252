/// A measure by which months are compared with what was published before.
package struct HeadlineMeasure: Sendable {
    package let measure: Measure
    /// In the catalog's smallest unit; nil where it is hidden.
    package let value: @Sendable (KPISummaryV1.HeadlineFigures) -> Int?

    package var kpi: KPIDescription { measure.kpi }

    /// As people read it.
    package func text(_ figures: KPISummaryV1.HeadlineFigures) -> String? {
        value(figures).map(kpi.format.shown)
    }

    package static let all = [
        HeadlineMeasure(measure: .trips) { $0.trips }, HeadlineMeasure(measure: .inHousePercent) { $0.inHousePercent },
        HeadlineMeasure(measure: .totalCost) { $0.totalCost?.cents },
        HeadlineMeasure(measure: .costPerTrip) { $0.costPerTrip?.cents },
        HeadlineMeasure(measure: .durationMean) { $0.avgDuration?.tenths },
        HeadlineMeasure(measure: .responseP90) { $0.responseP90 },
    ]
}
