import Operations
import Reporting
package import Trips

/// One line of `doctor`'s answer.
package struct HealthFinding: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case ok, warn, fail
    }

    package var state: State
    package var subject: String
    package var text: String
    /// How to fix it; empty where nothing is wrong, or where the text says it.
    package var remedy = ""
    /// The family of failure, if it is one.
    package var failure: FailureKind?

    static func ok(_ subject: String, _ text: String) -> HealthFinding {
        HealthFinding(state: .ok, subject: subject, text: text)
    }

    static func warn(_ subject: String, _ text: String, remedy: String) -> HealthFinding {
        HealthFinding(state: .warn, subject: subject, text: text, remedy: remedy)
    }

    static func fail(_ subject: String, _ text: String, remedy: String, _ kind: FailureKind) -> HealthFinding {
        HealthFinding(state: .fail, subject: subject, text: text, remedy: remedy, failure: kind)
    }

    /// What a run would end with; the errors themselves say how to fix them.
    static func failure(_ subject: String, _ error: any Error) -> HealthFinding {
        .fail(subject, "\(error)", remedy: "", FailureKind(of: error))
    }

    /// - Parameter store: that remembers an entry of the log; nil: none does.
    static func auditLog(path: String, store: String? = nil) -> HealthFinding {
        do {
            let (entries, findings) = try AuditLogCheck.check(path: path, store: store)
            guard let finding = findings.first else { return .ok("audit log", "\(path): \(entries) entries, whole") }
            return .failure("audit log", AuditError.broken(path: path, finding: finding))
        } catch {
            return .failure("audit log", error)
        }
    }
}
