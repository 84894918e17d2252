/// A value of a YAML file that knows where it stands.
///
/// Strict on purpose: every scalar is text as it was written until an accessor is asked for something else, so that
/// `no`, `08`, `1:30` and `2026-01-01` are never a boolean, an octal, a sexagesimal or a date by surprise. Keys are
/// unique text; anchors, aliases, tags, merge keys and several documents in a file are refused.
package struct YAMLValue: Sendable {
    /// What the file says at this place.
    package enum Content: Sendable {
        /// `isPlain`: written without quotes and not as a block.
        case scalar(text: String, isPlain: Bool)
        case list([YAMLValue])
        case mapping([Entry])
    }

    /// One key of a mapping, in file order.
    package struct Entry: Sendable {
        package let key: String
        package let keyPlace: Place
        package let value: YAMLValue
    }

    /// Where something stands: line and column from 1.
    package struct Place: Sendable, Hashable {
        package let file: String
        package let line: Int
        package let column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }

        /// An error at this place.
        package func error(_ message: String, hint: String = "") -> ConfigurationError {
            ConfigurationError(file: file, line: line, column: column, message: message, hint: hint)
        }
    }

    package let content: Content
    package let place: Place

    /// Files beyond these bounds are refused: nobody writes them by hand.
    package static let maximumBytes = 1 << 20
    package static let maximumDepth = 64

    init(content: Content, place: Place) {
        self.content = content
        self.place = place
    }

    /// An error at this value's place.
    package func error(_ message: String, hint: String = "") -> ConfigurationError {
        place.error(message, hint: hint)
    }

    /// `a mapping`, `a list`, `a text` or `nothing`, for messages.
    package var kind: String {
        switch content {
        case .scalar(let text, let isPlain): text.isEmpty && isPlain ? "nothing" : "a text"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}
