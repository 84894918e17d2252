/// Why an interval has no seconds, as a negative number in their place.
public enum IntervalState {
    /// A time at either end is missing or cannot be read.
    @inlinable public static var missing: Int32 { -1 }
    /// The end comes before the start.
    @inlinable public static var negative: Int32 { -2 }
    /// Longer than the profile's maximum.
    @inlinable public static var tooLong: Int32 { -3 }
}
