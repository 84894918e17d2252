import Synchronization

/// A value on its way from one export's workers to one of the next export's: whoever takes it is its only owner.
package final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    package init(_ value: consuming Value?) {
        self.value = Mutex(value)
    }

    /// The value, the first time; then nil.
    package func take() -> Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
