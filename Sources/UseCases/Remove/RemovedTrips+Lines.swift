import Basics
import Store

extension RemovedTrips {
    /// What was or would be removed, in words without an id.
    ///
    /// - Parameter names: that were asked for.
    func lines(_ names: RequestedNames, isDone: Bool) -> [String] {
        var lines = ["\(isDone ? "removed:" : "would be removed:") \(trips.count) trips (\(versions) records)"]
        lines += names.lines(found: patients, trips)
        if withdrawnTrips > 0 { lines.append("public ids of trips whose exports were withdrawn: \(withdrawnTrips)") }
        if let first = months.first, let last = months.last {
            lines.append("months: \(first == last ? "\(first)" : "\(months.count) from \(first) to \(last)")")
        }
        if !frozenMonths.isEmpty {
            let months = frozenMonths.map(\.description).joined(separator: ", ")
            lines.append("released months that keep their figures and are not revised any more: \(months)")
        }
        if !exports.isEmpty {
            lines.append("exports that have them; delete these files yourself: \(exports.joined(separator: ", "))")
        }
        return lines
    }
}
