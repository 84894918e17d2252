package import Trips

/// What is wrong with a value of a column.
package enum ValueFault: Sendable, Hashable {
    /// It is no time, no amount or no distance.
    case unreadable
    /// It is a text with bytes that are no UTF-8.
    case notUTF8
}

/// A value that could not be read: where it is and what it looks like.
package struct UnreadValue: Sendable, Hashable {
    /// From 1; headers and blank lines do not count.
    package var recordNumber: Int
    /// Where its record starts in the file's text.
    package var byteOffset: Int
    /// `999,99`
    package var shape: String
}

/// A column with values that could not be read: how many of how many, and the first of them.
package struct UnreadableColumn: Sendable, Hashable, CustomStringConvertible {
    package let field: CanonicalField
    package let fault: ValueFault
    /// Values that are not blank and no word for no value.
    package let filled: Int
    package let unread: Int
    /// The first of them, by place.
    package let values: [UnreadValue]

    private static let shownPlaces = 3
    private static let shownShapes = 3

    /// `360 of 400 values of cost (90.00 %) cannot be read, such as aaa aaaa: record 2 at byte 180, …`.
    package var description: String {
        let places = values.prefix(Self.shownPlaces).map { "record \($0.recordNumber) at byte \($0.byteOffset)" }
        return "\(count): \(places.joined(separator: ", ")); \(remedy)"
    }

    /// `360 of 400 values of cost (90.00 %) cannot be read (they look like aaa aaaa)`.
    var count: String {
        let perMillion = filled == 0 ? 0 : (unread * 1_000_000 + filled / 2) / filled
        let share = perMillion < 100 ? "under 0.01 %" : ReadFindings.percent(perMillion)
        var shapes: [String] = []
        for value in values where !shapes.contains(value.shape) { shapes.append(value.shape) }
        let looks = shapes.prefix(Self.shownShapes).joined(separator: ", ")
        let what = fault == .unreadable ? "cannot be read" : "are no UTF-8"
        return
            "\(unread) of \(filled) values of \(field.rawValue) (\(share)) \(what) (they look like "
            + "\(looks))"
    }

    var remedy: String {
        guard fault == .unreadable else {
            return
                "write “encoding: windows-1252” into a profile if the whole file is in that encoding, as older systems and "
                + "spreadsheets write it; if it was joined of files in two encodings, have each sent by itself"
        }
        if field == .serviceDate || field == .updatedAt || TripEvent.allCases.contains(where: { $0.field == field }) {
            return TimeHint.remedy(shape: values.first?.shape ?? "")
        }
        return values.first?.shape.contains(",") == true
            ? "if the comma is the decimal mark, write “decimal: comma” in a profile; an amount has at most two places: have "
                + "others rounded in the export; see docs/codes.md"
            : "a number is 1234.50, $1,234.50 or (12.00), and an amount has at most two places: have others rounded in the "
                + "export; see docs/codes.md"
    }
}
