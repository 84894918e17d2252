package import Basics
import Files
package import Logging

/// Writes a run's events as lines through swift-log.
package struct RunJournal: Sendable {
    private var logger: Logger

    /// - Parameters:
    ///   - isForJournald: whether `JOURNAL_STREAM` is set: text lines then begin with journald's level (`<6>`) instead
    ///     of the time, which journald writes itself.
    ///   - isQuiet: whether only warnings and errors are written.
    ///   - clock: the time of a line.
    ///   - sink: takes a line without its end, from any thread.
    package init(
        format: LogFormat, isForJournald: Bool = false, isQuiet: Bool = false, clock: @escaping @Sendable () -> UTCTime,
        sink: @escaping @Sendable (String) -> Void
    ) {
        logger = Logger(label: "tripkpi") { _ in
            JournalHandler(format: format, isForJournald: isForJournald, clock: clock, sink: sink)
        }
        logger.logLevel = isQuiet ? .warning : .info
    }

    /// A logger that writes lines of the same form, for what runs on and has no events of a run.
    ///
    /// - Parameter isQuiet: nothing below a warning is written.
    package static func logger(
        format: LogFormat, isForJournald: Bool = false, isQuiet: Bool, clock: @escaping @Sendable () -> UTCTime,
        sink: @escaping @Sendable (String) -> Void
    ) -> Logger {
        var logger = Logger(label: "tripkpi") { _ in
            JournalHandler(format: format, isForJournald: isForJournald, clock: clock, sink: sink)
        }
        logger.logLevel = isQuiet ? .warning : .info
        return logger
    }

    /// In every line from now on, once it is known.
    package var runID: String? {
        didSet {
            logger[metadataKey: RunEventField.runID.rawValue] = runID.map { .string(RunEventValue.cleaned($0)) }
        }
    }

    package func tell(_ event: RunEvent) {
        var metadata: Logger.Metadata = [JournalHandler.eventKey: .string(event.name)]
        for (field, value) in event.values { metadata[field.rawValue] = value.metadata }
        logger.log(level: event.level.level, "\(event.sentence)", metadata: metadata)
    }
}

extension RunEvent.Level {
    fileprivate var level: Logger.Level {
        switch self {
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

extension RunEventValue {
    fileprivate var metadata: Logger.Metadata.Value {
        switch self {
        case .whole(let number): .stringConvertible(number)
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map { .string($0) })
        }
    }
}

/// swift-log's back end: lines of text or JSON, with the fields of `RunEventField` in their order. Other metadata, such
/// as a library's, is left out.
struct JournalHandler: LogHandler {
    static let eventKey = "event"

    let format: LogFormat
    let isForJournald: Bool
    let clock: @Sendable () -> UTCTime
    let sink: @Sendable (String) -> Void
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]

    init(
        format: LogFormat, isForJournald: Bool, clock: @escaping @Sendable () -> UTCTime,
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
        let sentence = event.message.description.escapingControls
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
        default: value.description.quotedJSON
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

extension String {
    /// Text without characters that end a line or move a terminal's cursor: they become `\u` and four digits, the ends of our own
    /// lines semicolons.
    fileprivate var escapingControls: String { replacing("\n", with: "; ").escaped(quotes: false) }

    /// A JSON string.
    fileprivate var quotedJSON: String { "\"" + escaped(quotes: true) + "\"" }

    private func escaped(quotes: Bool) -> String {
        // Nearly every text is printable ASCII without a quote.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: result += (quotes ? "\\" : "") + String(scalar)
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
                result += "\\u" + Hexadecimal.text(UInt64(scalar.value)).suffix(4)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
