import Logging

/// swift-log's back end: lines of text or JSON, with the fields of `RunEventField` in their order. Other metadata, say
/// of a library, is left out.
struct JournalHandler: LogHandler {
    static let eventKey = "event"

    let format: RunJournal.Format
    let isForJournald: Bool
    let clock: @Sendable () -> UTCTime
    let sink: @Sendable (String) -> Void
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]

    init(
        format: RunJournal.Format, isForJournald: Bool, clock: @escaping @Sendable () -> UTCTime,
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.format = format
        self.isForJournald = isForJournald
        self.clock = clock
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        switch format {
        case .text: sink(text(event))
        case .json: sink(json(event))
        }
    }

    private func text(_ event: LogEvent) -> String {
        let sentence = JSONText.escapingControls(event.message.description)
        if isForJournald { return "<\(event.level.syslogPriority)>\(sentence)" }
        let level = event.level >= .notice ? " \(event.level.rawValue):" : ""
        return "\(clock())\(level) \(sentence)"
    }

    private func json(_ event: LogEvent) -> String {
        let given = metadata.merging(event.metadata ?? [:]) { _, own in own }
        var members = [
            "\"ts\":\"\(clock())\"", "\"level\":\"\(event.level.rawValue)\"",
            "\"event\":\(given[Self.eventKey].map(Self.json) ?? "\"log\"")",
        ]
        for field in RunEventField.allCases {
            if let value = given[field.rawValue] { members.append("\"\(field.rawValue)\":\(Self.json(value))") }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func json(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .stringConvertible(let number as Int): String(number)
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        default: JSONText.quoted(value.description)
        }
    }
}

extension Logger.Level {
    /// syslog's number, as journald reads it at the beginning of a line.
    fileprivate var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

/// Texts that can neither end a line nor move a terminal's cursor.
enum JSONText {
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            append(scalar, to: &result)
        }
        return result + "\""
    }

    static func escapingControls(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
}
