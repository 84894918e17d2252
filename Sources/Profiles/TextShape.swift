import Trips

/// Recognises kinds of values by the characters of a single text.
package enum TextShape {
    private static let phoneShapes: Set<String> = [
        "(999) 999-9999", "(999)999-9999", "999-999-9999", "999.999.9999", "999 999 9999", "+99999999999",
        "+9 999 999 9999", "+9-999-999-9999", "9-999-999-9999", "+9 (999) 999-9999", "9 (999) 999-9999",
        "+9 999-999-9999", "9 999-999-9999",
    ]
    private static let uuidShape = [8, 4, 4, 4, 12]

    static func isPhone(_ text: String) -> Bool { phoneShapes.contains(ValueShape.of(text.utf8)) }

    static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == uuidShape && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// Something before and after one `@`, with a point after it, within a text without blanks around it.
    static func holdsEmail(_ text: String) -> Bool {
        text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == ";" || $0 == "<" || $0 == ">" }).contains { word in
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[1].dropFirst().dropLast().contains(".")
        }
    }

    /// `999-99-9999` or `999 99 9999`, not within more digits.
    static func holdsSSN(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 11 else { return false }
        for start in 0...(bytes.count - 11) {
            let separator = bytes[start + 3]
            guard separator == 0x2D || separator == 0x20, bytes[start + 6] == separator else { continue }
            let fits = (0..<11).allSatisfy { $0 == 3 || $0 == 6 || isDigit(bytes[start + $0]) }
            let isBounded =
                (start == 0 || !isDigit(bytes[start - 1]))
                && (start + 11 == bytes.count || !isDigit(bytes[start + 11]))
            if fits, isBounded { return true }
        }
        return false
    }

    /// `1234.5`, `$1,234.56`, `(12.00)`, `-3`.
    static func isAmount(_ text: String) -> Bool {
        var rest = text.trimmingBlanks()[...]
        if rest.hasPrefix("("), rest.hasSuffix(")") { rest = rest.dropFirst().dropLast() }
        while let first = rest.first, "$-+ ".contains(first) { rest = rest.dropFirst() }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        if isAmountWithComma(text.trimmingBlanks()) { return true }
        guard let whole = parts.first, parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else { return false }
        return whole.utf8.allSatisfy { isDigit($0) || $0 == 0x2C }
            && parts.dropFirst().allSatisfy { $0.utf8.allSatisfy(isDigit) }
    }

    /// `1234,5`, `-1.234,56`: an amount with a decimal comma. Three digits after a comma may be thousands.
    static func isAmountWithComma(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false)
        guard parts.count == 2, let whole = parts.first, let fraction = parts.last, fraction.count != 3,
            !fraction.isEmpty, fraction.allSatisfy(isDigit), isDigit(whole.last ?? 0)
        else { return false }
        return whole.allSatisfy { isDigit($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B || $0 == 0x20 || $0 == 0x24 }
    }

    /// Digits in two or three groups joined by `/`, `-`, `.` or `:`, as in any date or time.
    package static func isDateOrTime(_ text: String) -> Bool {
        let word = text.trimmingBlanks().split(whereSeparator: { $0 == " " || $0 == "T" }).first ?? ""
        for separator: Character in ["/", "-", ".", ":"] {
            let groups = word.split(separator: separator, omittingEmptySubsequences: false)
            guard groups.count == 3 || (groups.count == 2 && separator == ":") else { continue }
            if groups.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }) { return true }
        }
        return false
    }

    package static func digitCount(_ text: String) -> Int { text.utf8.count(where: isDigit) }

    /// Whether a text is a value and cannot be the name of a column.
    package static func isData(_ text: String) -> Bool {
        let digits = digitCount(text)
        return digits >= 5 || (digits > 0 && isAmount(text)) || isDateOrTime(text) || isUUID(text) || isPhone(text)
            || holdsSSN(text) || holdsEmail(text) || (digits >= 3 && digits * 2 >= text.utf8.count)
    }

    /// Whether a text is a word for no value.
    package static func isNoValue(_ text: String) -> Bool { DateDetection.isFiller(text) }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension Unicode.Scalar {
    /// Control and format characters, such as marks that turn the direction of text, and line ends: never printed.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
