package import Reporting

extension AuditRecorder {
    /// Nil where the site has no log.
    package init?(_ site: StoreSite, _ environment: RunEnvironment) {
        guard let path = site.auditLog else { return nil }
        self.init(path: path, owner: environment.owner, tool: environment.tool, now: environment.now)
    }
}
