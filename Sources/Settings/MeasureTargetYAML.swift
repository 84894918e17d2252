import Basics
import KPIContract
import StrictYAML

/// Reads the setting `targets`.
enum MeasureTargetYAML {
    static func read(_ list: YAMLValue) throws(ConfigurationError) -> [MeasureTarget] {
        var targets: [MeasureTarget] = []
        for entry in try list.list() {
            let target = try read(entry: entry)
            let isKnown = targets.contains {
                ($0.measure, $0.region, $0.tripType) == (target.measure, target.region, target.tripType)
            }
            if isKnown {
                throw entry.error(
                    "there is a target of this measure, region and trip type already", hint: "leave one of the two out")
            }
            targets.append(target)
        }
        return targets
    }

    private static func read(entry: YAMLValue) throws(ConfigurationError) -> MeasureTarget {
        let mapping = try entry.mapping(allowed: ["measure", "region", "trip_type", "value"])
        let named = try mapping.required("measure"), known = MeasureTarget.measures.map(\.name)
        guard let measure = try Measure(name: named.name("measure", among: known)) else {
            throw named.error("it is no measure", hint: "write one of \(known.joined(separator: ", "))")
        }
        let format = measure.kpi.format
        let value = try mapping.required("value")
        guard let figure = MeasureTarget.figure(try value.string(), as: format) else {
            throw value.error("it is no value of \(measure.name)", hint: "write \(MeasureTarget.form(of: format))")
        }
        return MeasureTarget(
            measure: measure, region: try name(mapping, "region"), tripType: try name(mapping, "trip_type"),
            figure: figure)
    }

    private static func name(_ mapping: YAMLMapping, _ key: String) throws(ConfigurationError) -> String? {
        guard let value = mapping.optional(key) else { return nil }
        let name = try value.string()
        guard !name.isEmpty, name != CellKey.all else {
            throw value.error("\(key) names none", hint: "leave \(key) out: the target is then of all together")
        }
        return name
    }
}
