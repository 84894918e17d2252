import Logging

/// How the log on standard error is written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// A sentence a line, for people.
    case text
    /// An object a line, for programs.
    case json
}
