package import KPIContract
package import KPIs
import Reports
package import Trips

/// What a cost workbook shows beside the summary that it is made from.
package struct CostContext: Sendable {
    /// The cell over everything in `kpi-summary.json`: all regions, all months. Nil: that of the workbook's own summary.
    package var published: KPISummaryV1.Cell?
    /// The cell over the months and regions of the workbook, as a report of this selection publishes it. Nil: the months
    /// are added up.
    package var selected: KPISummaryV1.Cell?
    /// The names of the selected regions; nil: all.
    package var regions: [String]?
    package var plan: BudgetPlan?

    package init() {}
}

/// A budget, with the names of its regions and trip types.
package struct BudgetPlan: Sendable {
    package var budget: CostBudget
    package var regions: NamedList
    package var tripTypes: NamedList

    package init(_ budget: CostBudget, regions: NamedList, tripTypes: NamedList) {
        self.budget = budget
        self.regions = regions
        self.tripTypes = tripTypes
    }
}
