package import Trips
package struct ExportDate: Sendable {
    package var day: CivilDay
    package init?(name: String) { return nil }
}
