/// Every single change of a number, flag or word of a published file, one at a time.
enum SingleChanges {
    struct Change {
        /// What was changed, for a failed expectation.
        var name: String
        var bytes: [UInt8]
    }

    /// A value of a JSON text: its key, and where its bytes lie.
    private struct Value {
        var key: String
        var range: Range<Int>
        var isText: Bool
    }

    /// Of each number: one unit up and down, 0, and null; of each null: a number; of each flag: the other one; of each
    /// digit in a text: the next digit.
    static func ofJSON(_ bytes: [UInt8]) -> [Change] {
        values(bytes).flatMap { value -> [Change] in
            let text = String(decoding: bytes[value.range], as: UTF8.self)
            let others =
                value.isText
                ? ofDigits(text) + words(text)
                : otherValues(text, value.key)
            return others.filter { $0 != text }.map { other in
                Change(
                    name: "\(value.key) at byte \(value.range.lowerBound)",
                    bytes: Array(bytes[..<value.range.lowerBound]) + other.utf8 + bytes[value.range.upperBound...])
            }
        }
    }

    /// Of each digit: the next one; of each flag: the other one; of each empty field: a number.
    static func ofCSV(_ bytes: [UInt8]) -> [Change] {
        var changes = ofBytes(bytes)
        for (flag, other) in [("true", "false"), ("false", "true")] {
            for range in bytes.ranges(of: Array(flag.utf8)) {
                let changed = Array(bytes[..<range.lowerBound]) + other.utf8 + bytes[range.upperBound...]
                changes.append(Change(name: "\(flag) at byte \(range.lowerBound)", bytes: changed))
            }
        }
        for (index, byte) in bytes.enumerated().dropFirst()
        where [0x2C, 0x0D].contains(byte) && bytes[index - 1] == 0x2C {
            var changed = bytes
            changed.insert(UInt8(ascii: "7"), at: index)
            changes.append(Change(name: "the empty field at byte \(index)", bytes: changed))
        }
        return changes
    }

    /// Of each digit: the next one.
    static func ofBytes(_ bytes: [UInt8]) -> [Change] {
        bytes.indices.compactMap { index in
            guard (0x30...0x39).contains(bytes[index]) else { return nil }
            var changed = bytes
            changed[index] = bytes[index] == 0x39 ? 0x30 : bytes[index] + 1
            return Change(name: "the digit at byte \(index)", bytes: changed)
        }
    }

    private static func otherValues(_ text: String, _ key: String) -> [String] {
        switch text {
        case "true": return key == "isBetter" ? ["false", "null"] : ["false"]
        case "false": return key == "isBetter" ? ["true", "null"] : ["true"]
        case "null":
            // Passed, or not audited yet: both are what an audited file may say.
            return key == "auditPassed"
                ? ["false"]
                : key == "isBetter" ? ["true", "false"] : key == "trend" ? ["\"up\""] : [written(7, decimals(of: key))]
        default:
            let places = text.split(separator: ".").dropFirst().first?.count ?? 0
            guard let units = Int(text.filter { $0 != "." }) else { return ["7"] }
            return [units + 1, units - 1, 0].map { written($0, places) } + ["null"]
        }
    }

    private static func decimals(of key: String) -> Int {
        switch key {
        case "totalCost", "inHouseCost", "contractedCost", "costPerTrip", "costPerLoadedMile", "rolling12Cost",
            "fiscalYearToDateCost":
            2
        case "loadedMiles", "unloadedMiles", "mean": 1
        case "inHouseShare", "loadedMileRatio", "monthOverMonth", "yearOverYear": 4
        default: 0
        }
    }

    private static func written(_ units: Int, _ places: Int) -> String {
        guard places > 0 else { return String(units) }
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (units < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    private static func ofDigits(_ text: String) -> [String] {
        ofBytes(Array(text.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static func words(_ text: String) -> [String] {
        let others = [
            "\"classified\"": "\"all\"", "\"trips\"": "\"sourcing\"", "\"cost\"": "\"sourcing\"", "\"up\"": "\"down\"",
            "\"down\"": "\"flat\"", "\"flat\"": "null", "\"scene\"": "\"response\"", "\"Hidden\"": "\"None\"",
            "\"None\"": "\"Hidden\"", "\"omitted\"": "\"published\"", "\"release\"": "\"staff\"",
            "\"North\"": "\"South\"", "\"All\"": "\"North\"", "\"Unassigned\"": "\"North\"",
            "\"inHouse\"": "\"contracted\"", "\"contracted\"": "\"inHouse\"", "\"completed\"": "\"inHouse\"",
            "\"unclassified\"": "\"completed\"", "\"cancelled\"": "\"noShow\"", "\"noShow\"": "\"cancelled\"",
        ]
        return others[text].map { [$0] } ?? []
    }

    /// All values that are no objects or arrays. Texts with their quotation marks.
    private static func values(_ bytes: [UInt8]) -> [Value] {
        var values: [Value] = []
        var key = ""
        var at = 0
        while at < bytes.count {
            let start = at
            if bytes[at] == UInt8(ascii: "\"") {
                at += 1
                while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
                at += 1
                if bytes[at] == UInt8(ascii: ":") {
                    key = String(decoding: bytes[start + 1..<at - 1], as: UTF8.self)
                } else {
                    values.append(Value(key: key, range: start..<at, isText: true))
                }
            } else if isWord(bytes[at]) {
                while isWord(bytes[at]) { at += 1 }
                values.append(Value(key: key, range: start..<at, isText: false))
            } else {
                at += 1
            }
        }
        return values
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || [0x2D, 0x2E].contains(byte)
    }
}
