/// One line that `verify` prints: that a check passed, or one thing that is wrong.
package struct CheckFinding: Sendable, Hashable {
    package let isOK: Bool
    package let subject: String
    package let text: String

    /// The first ten problems, and how many more there are; one finding that all is well without any.
    package static func of(_ subject: String, _ problems: [String], ok: String) -> [CheckFinding] {
        if problems.isEmpty { return [CheckFinding(isOK: true, subject: subject, text: ok)] }
        var texts = Array(problems.prefix(10))
        if problems.count > texts.count { texts.append("and \(problems.count - texts.count) more") }
        return texts.map { CheckFinding(isOK: false, subject: subject, text: $0) }
    }
}
