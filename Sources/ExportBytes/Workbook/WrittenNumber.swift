import Foundation

/// A number as a workbook has it: which of its digits mean something.
///
/// Programs write whole numbers as `12345.0`, and others with the tail of a binary fraction. A whole number of more than 15 digits
/// is kept as it is written: an id is wrong in a digit that was rounded, and one with an exponent shows that it was.
struct WrittenNumber {
    /// More digits are what binary fractions leave.
    private static let mostDigits = 15
    private static let leastRounded = 1e15

    private let text: UnsafeBufferPointer<UInt8>
    private(set) var digits = 0
    private var hasExponent = false
    private var hasFraction = false
    /// So many bytes of it say what it is: without the zeros at the end of a fraction.
    let used: Int

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        for byte in text {
            if byte &- 0x30 <= 9 {
                digits += 1
            } else if byte == UInt8(ascii: ".") {
                hasFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                hasExponent = true
            }
        }
        var used = text.count
        if hasFraction, !hasExponent {
            while used > 1, text[used - 1] == 0x30 { used -= 1 }
            if text[used - 1] == UInt8(ascii: ".") {
                used -= 1
                hasFraction = false
            }
            digits -= text.count - used - (hasFraction ? 0 : 1)
        }
        self.used = used
    }

    var isWhole: Bool { !hasFraction && !hasExponent }
    /// Whether it is written as it is.
    var isShort: Bool { isWhole || !hasExponent && digits <= Self.mostDigits }

    /// With 15 digits and without an exponent; nil: as it is written.
    var plain: String? {
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite, abs(value) < Self.leastRounded
        else { return nil }
        guard value != 0 else { return "0" }
        let usual = String(format: "%.\(Self.mostDigits)g", value)
        guard usual.utf8.contains(UInt8(ascii: "e")) else { return usual }
        let parts = String(format: "%.\(Self.mostDigits - 1)e", abs(value)).split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return "0" }
        var digits = parts[0].filter { $0 != "." }
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        let text: String
        if exponent < 0 {
            text = "0." + String(repeating: "0", count: -exponent - 1) + digits
        } else if digits.count <= exponent + 1 {
            text = digits + String(repeating: "0", count: exponent + 1 - digits.count)
        } else {
            text = digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1)
        }
        return value < 0 ? "-" + text : text
    }
}
