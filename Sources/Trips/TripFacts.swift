/// The facts of a trip in one record.
package struct TripFacts: Sendable, Hashable {
    /// `Month.index`.
    package var month: Int32 = 0
    /// Local date of the event that decides the month: days since 1970.
    package var day: Int32 = 0
    /// `TripStatus` raw value.
    package var status: UInt8 = 0
    /// Codes of the store's lists; 0 is Unassigned.
    package var region: UInt8 = 0
    package var tripType: UInt8 = 0
    /// `Sourcing` raw value.
    package var sourcing: UInt8 = Sourcing.unclassified.rawValue
    /// Bit set by `WarningCode.index`.
    package var warnings: UInt32 = 0
    /// Whole seconds by `TripInterval` raw value, or a negative `IntervalState`; two lanes are not used.
    package var intervals = SIMD8<Int32>(repeating: 0)
    /// `AmountState.absent` where there is none.
    package var costCents = AmountState.absent
    package var loadedHundredths = AmountState.absent
    package var unloadedHundredths = AmountState.absent
    /// Keyed pseudonym; 0 where there is none.
    package var patient: UInt64 = 0
    /// Numbers in `TextTable` by `StoredText` raw value; 0 where there is none.
    package var texts = SIMD8<Int32>(repeating: 0)

    package init() {}

    package subscript(text: StoredText) -> Int32 {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }
}
