/// Why a sample cannot be made: what is wrong and how to mend it.
package struct SampleError: Error, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { "sample: \(message): \(hint)" }
}
