/// What begins the fraction of a number; the other mark groups its thousands.
package enum DecimalMark: String, CaseIterable, Sendable {
    case point, comma
}
