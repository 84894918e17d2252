import Files
package import KPIContract
import Profiles
package import Rules
package import Settings
package import Trips

/// What decides the figures besides the exports: how exports are read, trips are classified and groups are made.
package struct FigureSettings: Sendable {
    package let reading: ExportReading
    package let rules: RuleSet
    package let disclosure: DisclosureSettings
    /// The months of the figures.
    package let months: MonthLimits
    /// What measures are to reach; no figure depends on it.
    package let targets: [MeasureTarget]

    package init(
        reading: ExportReading, rules: RuleSet, disclosure: DisclosureSettings, months: MonthLimits = .none,
        targets: [MeasureTarget] = []
    ) {
        self.months = months
        self.targets = targets
        self.reading = reading
        self.rules = rules
        self.disclosure = disclosure
    }

    /// SHA-256 of all of it and the program's version, for the audit log.
    func digest(tool: String) -> String {
        let lists = reading.lists.map { $0.regions.names + $0.tripTypes.names } ?? []
        let parts =
            [rules.version, "\(disclosure.minimumCell)", reading.profile ?? "", reading.zone ?? "", tool] + lists
            + disclosure.digestParts + months.digestParts
        return ContentHash.of(Array(parts.joined(separator: "\n").utf8))
    }
}
