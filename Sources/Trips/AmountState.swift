/// Why there are no cents, or no hundredths of a mile, as a negative number in their place.
///
/// `public`, as `IntervalState`: the compiler inlines into another target only what is public.
public enum AmountState {
    /// The mark of an absent one.
    @inlinable public static var absent: Int { .min }
}
