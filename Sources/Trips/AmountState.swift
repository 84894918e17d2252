/// Why there are no cents, or no hundredths of a mile, as the number that stands in their place.
///
/// `public`, as the states below: the compiler inlines into another target only what is public.
public enum AmountState {
    /// The mark of an absent one.
    @inlinable public static var absent: Int { .min }
}
