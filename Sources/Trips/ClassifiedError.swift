/// An error that names its own family. Every error that can end a command conforms to it.
package protocol ClassifiedError: Error {
    var failureKind: FailureKind { get }
}
