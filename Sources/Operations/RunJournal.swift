import Logging

/// Writes a run's events as lines through swift-log.
package struct RunJournal: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// A sentence a line, for people.
        case text
        /// An object a line, for programs.
        case json
    }

    private var logger: Logger

    /// - Parameters:
    ///   - isForJournald: whether `JOURNAL_STREAM` is set: text lines then begin with journald's level (`<6>`) instead
    ///     of the time, which journald writes itself.
    ///   - isQuiet: whether warnings and errors only are told.
    ///   - clock: the time of a line.
    ///   - sink: takes a line without its end, from any thread.
    package init(
        format: Format, isForJournald: Bool = false, isQuiet: Bool = false, clock: @escaping @Sendable () -> UTCTime,
        sink: @escaping @Sendable (String) -> Void
    ) {
        logger = Logger(label: "tripkpi") { _ in
            JournalHandler(format: format, isForJournald: isForJournald, clock: clock, sink: sink)
        }
        logger.logLevel = isQuiet ? .warning : .info
    }

    /// Stands in every line from now on, once it is known.
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
