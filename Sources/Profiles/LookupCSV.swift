import StrictYAML

/// The small CSV files beside a profile: RFC 4180 with commas, UTF-8, any line end. Blank lines are passed over.
enum LookupCSV {
    struct Row {
        /// From 1: where the row starts.
        var line: Int
        var fields: [String]
    }

    static func rows(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> [Row] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, message: "the file is not valid UTF-8", hint: "save it as UTF-8")
        }
        var state = State()
        for scalar in text.unicodeScalars { state.take(scalar) }
        guard !state.isQuoted else {
            throw ConfigurationError(
                file: file, line: state.startLine, message: "a quoted field is never closed", hint: "close the quote")
        }
        state.endRow()
        return state.rows
    }

    private struct State {
        var rows: [Row] = []
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var wasQuote = false
        var wasReturn = false
        var line = 1
        var startLine = 1

        mutating func take(_ scalar: Unicode.Scalar) {
            let followsQuote = wasQuote, followsReturn = wasReturn
            wasQuote = false
            wasReturn = scalar == "\r"
            if scalar == "\r" || (scalar == "\n" && !followsReturn) { line += 1 }
            switch scalar {
            case "\u{FEFF}": if rows.isEmpty, fields.isEmpty, field.isEmpty { return }
            case "\"":
                if followsQuote, !isQuoted { field.unicodeScalars.append(scalar) }
                isQuoted.toggle()
                wasQuote = !isQuoted
                return
            case "," where !isQuoted: return endField()
            case "\n" where !isQuoted && followsReturn:
                return
            case "\n" where !isQuoted, "\r" where !isQuoted: return endRow()
            default: break
            }
            field.unicodeScalars.append(scalar)
        }

        mutating func endField() {
            fields.append(field)
            field = ""
        }

        mutating func endRow() {
            endField()
            if fields.contains(where: { !$0.trimmingBlanks().isEmpty }) {
                rows.append(Row(line: startLine, fields: fields))
            }
            fields = []
            startLine = line
        }
    }
}
