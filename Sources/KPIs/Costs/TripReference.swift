package import Trips

/// How a listed trip is found again.
package struct TripReference: Sendable, Hashable {
    package var publicID: PublicTripID?
    /// The label of the export: a name without what may identify.
    package var export: String
    /// The number of the record in the export, from 1, headers not counted; nil where only the byte is known.
    package var record: Int?
    /// Where the record begins in the export.
    package var byte: Int?
    /// As the export has it; nil where it has none. For staff only.
    package var invoice: String?

    package init(export: String) { self.export = export }
}
