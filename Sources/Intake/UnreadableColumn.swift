package import Trips

/// How many of the sampled values of a column could be read, and what one that could not looks like.
struct ColumnReadability: Sendable {
    /// Values that are not blank.
    var filled = 0
    var unread = 0
    /// Of the unread value that comes first in the file.
    var first: (offset: Int, shape: String)?

    mutating func merge(_ other: ColumnReadability) {
        filled += other.filled
        unread += other.unread
        guard let theirs = other.first else { return }
        if first.map({ theirs.offset < $0.offset }) ?? true { first = theirs }
    }
}

/// A column of times or amounts of which most values cannot be read: the profile does not fit it.
package struct UnreadableColumn: Sendable, Hashable, CustomStringConvertible {
    package let field: CanonicalField
    /// What its first such value looks like: `999,99`.
    package let shape: String

    /// `most values of cost cannot be read (they look like 999,99): …`.
    package var description: String {
        "most values of \(field.rawValue) cannot be read (they look like \(shape)): \(remedy); see docs/codes.md"
    }

    private var remedy: String {
        if TripEvent.allCases.contains(where: { $0.field == field }) {
            return "give their pattern below “dates:” in a profile"
        }
        return shape.contains(",")
            ? "if the comma is the decimal mark, write “decimal: comma” in a profile"
            : "a number is 1234.50, $1,234.50 or (12.00)"
    }
}
