/// The outcomes of the exports of a run.
package struct ExportOutcomes: Sendable, Hashable {
    package var loaded = 0
    package var known = 0
    package var failed = 0
    package var waived = 0

    package init() {}
}
