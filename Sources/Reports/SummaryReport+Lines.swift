import KPIs

extension SummaryReport {
    /// What line-by-line outputs carry on every line, since a stamp elsewhere would be lost with the first filter.
    var release: String { isInternal ? Self.internalStamp : Self.released }

    /// Distinct patients of the cell at this place in `summary.cells`: `7`, `11+`; nil where hidden or not known.
    func patientsText(at index: Int) -> String? {
        guard patients.indices.contains(index), let count = patients[index] else { return nil }
        switch count {
        case .unknown: return nil
        case .exactly(let exact): return String(exact)
        case .atLeastCap: return "\(PatientCount.cap)+"
        }
    }
}
