/// How an export writes a quote inside quotes.
package enum QuoteForm: String, CaseIterable, Sendable {
    /// `""`, as RFC 4180 has it.
    case doubled
    /// `\"`.
    case backslash
}
