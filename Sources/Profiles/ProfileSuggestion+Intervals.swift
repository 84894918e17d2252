internal import Trips

extension ProfileSuggestion {
    /// Columns that state an interval by their names, and whose values cannot be read as one.
    func intervalDoubts(_ names: [String], _ cells: [[String]]) -> [String] {
        let proposed = Set(columns.filter(\.isProposed).compactMap(\.field))
        return columns.indices.compactMap { index in
            guard columns[index].name != nil, !columns[index].isProposed, !cells[index].isEmpty, !columns[index].isDate,
                !columns[index].dates.hasTime, let interval = StatedIntervalSuggestion.interval(named: names[index]),
                !statedIntervals.contains(where: { $0.interval == interval || $0.column == index }),
                !(proposed.contains(interval.standardPair.start.field)
                    && proposed.contains(interval.standardPair.end.field))
            else { return nil }
            return
                "\(place(index)) may state the \(interval.name) of each trip, and nothing shows in which unit: if so, name it below "
                + "“intervals:”, with its unit"
        }
    }
}
