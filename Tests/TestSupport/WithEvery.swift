package import Testing

/// The values that the loops of `withEvery` around this point have now, for the comment of an expectation:
/// `#expect(a == b, CaseTrace.current)`.
package enum CaseTrace {
    @TaskLocal private static var entries: [String] = []

    package static var current: Comment { Comment(rawValue: entries.joined(separator: ", ")) }

    fileprivate static func with(_ entry: String, _ body: () throws -> Void) rethrows {
        try $entries.withValue(entries + [entry], operation: body)
    }
}

/// Runs the body for every value. Whatever the body throws is reported with the value's name, and the loop goes on.
package func withEvery<Values: Sequence>(
    _ name: String, in values: Values, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Values.Element) throws -> Void
) {
    for value in values {
        CaseTrace.with("\(name) = \(value)") {
            do {
                try body(value)
            } catch {
                Issue.record("\(CaseTrace.current.rawValue): \(error)", sourceLocation: sourceLocation)
            }
        }
    }
}
