internal import Trips

// Columns that say which trips did not take place.
extension ProfileSuggestion {
    /// Proposes a column of yes and no as the status where there is no other.
    ///
    /// - Returns: what its values mean; nil: there is none.
    mutating func proposeCancellation(_ names: [String], _ cells: [[String]]) -> ListedValues? {
        guard !columns.contains(where: { $0.isProposed && $0.field == .status }) else { return nil }
        let found = columns.indices.compactMap { index in
            columns[index].name == nil || columns[index].isProposed
                ? nil : CancellationColumn.meanings(of: cells[index], in: names[index]).map { (index, $0) }
        }
        guard let (index, meanings) = found.first, found.count == 1 else { return nil }
        columns[index].field = .status
        columns[index].confidencePercent = 60
        columns[index].reasons = []
        columns[index].isProposed = true
        doubt(index, "by its name and values it says which trips did not take place")
        return ListedValues(
            shown: meanings.map { Value(text: $0.value, meaning: $0.status, isGuess: true) }, hiddenShapes: [:])
    }

    /// The other columns that say so: a record may be of no trip though its status does not say it.
    func cancellationDoubts(_ names: [String], _ cells: [[String]]) -> [String] {
        columns.indices.compactMap { index in
            guard columns[index].name != nil, !columns[index].isProposed, !cells[index].isEmpty,
                columns[index].dates.kind == .none
                    || !columns.contains(where: { $0.isProposed && $0.field == .status }),
                CancellationColumn.status(of: names[index]) != nil
            else { return nil }
            return
                "\(place(index)) may say which trips did not take place: if so, map it as status, or leave its records out with a line such "
                + "as “filter: {not: {present: \(Self.quoted(columns[index].uniqueName))}}”"
        }
    }
}
