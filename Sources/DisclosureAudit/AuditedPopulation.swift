/// Trips that are divided into groups by themselves.
package enum AuditedPopulation: String, CaseIterable, Sendable, Hashable {
    case completed, cancelled, noShow
}
