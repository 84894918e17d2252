internal import Trips

extension ProfileSuggestion {
    /// Columns with one known name: only a person knows which is meant.
    func sharedNameDoubts(_ header: [String], _ table: SynonymTable) -> [String] {
        guard !isJSON else { return [] }
        let index = HeaderIndex(header)
        var told: Set<[Int]> = []
        return header.indices.compactMap { column -> String? in
            guard columns.indices.contains(column), columns[column].isNameShared, !header[column].isEmpty,
                let field = table.meaning(of: header[column])?.field, !field.isOnlyRemoved,
                !columns.contains(where: { $0.isProposed && $0.field == field }),
                let places = index.columns(repeating: header[column]), told.insert(places).inserted
            else { return nil }
            let list = places.map { "\($0 + 1)" }.joined(separator: ", ")
            return
                "columns \(list) have one name and may all be \(field.rawValue): name the one that is meant by its number below "
                + "“columns:”, such as \(field.rawValue): \"\(HeaderIndex.numberName(places[0]))\""
        }
    }
}
