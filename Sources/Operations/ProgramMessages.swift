import Foundation

/// What a program says to the person at the terminal.
package enum ProgramMessages {
    /// Writes a message to standard error, with control characters escaped.
    ///
    /// - Parameter arguments: those of this process.
    package static func tell(_ message: String, arguments: [String]) {
        let message = TerminalText.escaped(message, arguments: arguments)
        // If standard error is closed, there is no other place for the message.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }
}
