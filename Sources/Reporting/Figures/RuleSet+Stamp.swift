package import KPIContract
package import Rules

extension RuleSet {
    /// What documents say of it.
    package var stamp: KPISummaryV1.RuleSetStamp { KPISummaryV1.RuleSetStamp(name: name, version: version) }
}
