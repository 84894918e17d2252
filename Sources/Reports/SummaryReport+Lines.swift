import KPIContract
import KPIs

extension SummaryReport {
    /// What line-by-line outputs carry on every line, since a stamp elsewhere would be lost with the first filter.
    package var stamp: String {
        isInternal ? Self.internalStamp : Self.releaseStamp(summary.privacy.minimumCell)
    }

    /// Distinct patients of the cell at this place in `summary.cells`: `7`, `11+`; nil where hidden or not known.
    func patientsText(at index: Int) -> String? {
        guard patients.indices.contains(index), let count = patients[index] else { return nil }
        switch count {
        case .unknown: return nil
        case .exactly(let exact): return String(exact)
        // For release a group was checked against the threshold, and no further.
        case .atLeastCap:
            return "\(isInternal ? PatientCount.cap : min(PatientCount.cap, summary.privacy.minimumCell))+"
        }
    }
}
