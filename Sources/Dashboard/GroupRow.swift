import KPIContract

/// A group of several regions or trip types as a row of the page.
struct GroupRow {
    typealias Population = KPISummaryV1.Group.Population

    let regions: String
    let tripTypes: String
    let population: String
    let trips: String
    let figures: [TableFigure]

    init(_ group: KPISummaryV1.Group) {
        regions = group.regionsText
        tripTypes = group.tripTypesText
        population = group.population.title
        trips = NumberText.grouped(group.trips)
        figures = KPISummaryV1.Group.shownMeasures.map { kpi in
            let published =
                kpi.figure(group.figures).map(PublishedValue.value)
                ?? (group.population.isCompleted ? .suppressed : .undefined)
            return TableFigure(
                CellFigure(published: published, coverage: .all), kpi.shownFormat, isRounded: kpi.isRoundedInRelease)
        }
    }
}
