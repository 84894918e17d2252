/// What has one form in the published JSON.
package protocol CanonicalValue: Sendable {
    var canonical: CanonicalJSON { get }
}
