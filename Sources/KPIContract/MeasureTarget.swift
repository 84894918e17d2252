import Basics

/// What a measure is to reach, as the settings state it.
///
/// Which direction is better is the measure's own: a share is to be at least the target, a cost or a time at most.
package struct MeasureTarget: Sendable, Hashable {
    /// One of `measures`.
    package let measure: Measure
    /// Nil: all regions together, and each region that has no target of its own for the trip type.
    package let region: String?
    /// Nil: all trip types together.
    package let tripType: String?
    /// In the smallest unit of the measure.
    package let figure: Int

    package init(measure: Measure, region: String? = nil, tripType: String? = nil, figure: Int) {
        self.measure = measure
        self.region = region
        self.tripType = tripType
        self.figure = figure
    }

    /// `response.p90, North, Emergency`
    package var words: String { [measure.name, region, tripType].compactMap(\.self).joined(separator: ", ") }

    /// For a digest of settings.
    package var digestPart: String { "target \(measure.name)\t\(region ?? "")\t\(tripType ?? "")\t\(figure)" }

    /// The measures with control charts of which one direction is better.
    package static let measures = KPISummaryV1.ControlChart.measures.filter {
        $0.kpi.better != .neither
    }

    /// A text of the settings in smallest units: `55%`, `450` or `450.00` dollars, `10:00` or `1:05:00`.
    ///
    /// - Returns: nil for anything else.
    package static func figure(_ text: String, as format: FigureFormat) -> Int? {
        switch format {
        case .share: text.hasSuffix("%") ? decimal(text.dropLast(), places: 2).flatMap { $0 <= 10_000 ? $0 : nil } : nil
        case .dollars: decimal(text[...], places: 2)
        case .seconds: seconds(text)
        case .tenthsOfSeconds: seconds(text).map { $0 * 10 }
        case .count, .percent, .tenthsOfPercent, .miles: nil
        }
    }

    /// How a text must be written.
    package static func form(of format: FigureFormat) -> String {
        switch format {
        case .share: "a per cent, such as 55%"
        case .dollars: "dollars, such as 450 or 449.50"
        default: "minutes and seconds in quotation marks, such as \"10:00\""
        }
    }

    private static func decimal(_ text: Substring, places: Int) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = number(first), parts.count < 2 || parts[1].count <= places else {
            return nil
        }
        let rest = parts.count < 2 ? "" : String(parts[1])
        guard parts.count < 2 || number(parts[1]) != nil,
            let fraction = number((rest + String(repeating: "0", count: places - rest.count))[...])
        else { return nil }
        return whole * 100 + fraction
    }

    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(number)
        guard (2...3).contains(parts.count), numbers.count == parts.count,
            numbers.dropFirst().allSatisfy({ $0 < 60 }), parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 }
    }

    /// Up to nine digits.
    private static func number(_ text: Substring) -> Int? {
        (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension [MeasureTarget] {
    /// The target of a region and a trip type, as cells name them.
    package func target(of measure: Measure, region: String, tripType: String) -> MeasureTarget? {
        let type = tripType == CellKey.all ? nil : tripType
        let fitting = filter { $0.measure == measure && $0.tripType == type }
        if let own = fitting.first(where: { $0.region == (region == CellKey.all ? nil : region) }) { return own }
        // Trips without a region are no region.
        return region == CellKey.unassigned ? nil : fitting.first { $0.region == nil }
    }
}
