package import Trips

/// A file that is no budget: the line and column of each fault, and how to fix it. It repeats nothing of the file.
package struct BudgetError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package struct Fault: Sendable, Hashable {
        package var line: Int
        /// Nil: the whole line.
        package var column: String?
        package var problem: String
        package var remedy: String

        package init(line: Int, column: String? = nil, problem: String, remedy: String) {
            self.line = line
            self.column = column
            self.problem = problem
            self.remedy = remedy
        }
    }

    private static let most = 20

    package let file: String
    /// None: there is no such file.
    package let faults: [Fault]

    package init(_ file: String, _ faults: [Fault]) {
        self.file = file
        self.faults = faults
    }

    package static func missing(_ file: String) -> BudgetError { BudgetError(file, []) }

    package var failureKind: FailureKind { faults.isEmpty ? .inputMissing : .data }

    /// A fault a line.
    package var description: String {
        if faults.isEmpty { return "\(file): there is no such file; name a budget (CSV)" }
        let lines = faults.prefix(Self.most).map { fault in
            let place = "\(file), line \(fault.line)" + (fault.column.map { ", column \($0)" } ?? "")
            return "\(place): \(fault.problem); \(fault.remedy)"
        }
        let more = faults.count - lines.count
        return (lines + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
    }
}
