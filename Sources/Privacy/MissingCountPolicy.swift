/// Whether the release shows how many trips have a value, and so how many lack it.
///
/// These counts are of missing values, not of people, so the release publishes them by default. An organisation whose
/// policy is stricter leaves them out, with every figure that they can be computed from.
package enum MissingCountPolicy: String, CaseIterable, Sendable, Hashable {
    case publish, omit
}
