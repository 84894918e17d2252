/// The fewest trips, patients or records that may be told of in one figure, where no setting asks for more.
package enum MinimumCell {
    /// As the Centers for Medicare & Medicaid Services publish: no count of 1 to 10.
    package static let standard = 11
}
