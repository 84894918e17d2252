package import Basics
package import KPIs
package import Operations
package import Privacy
package import Store

/// How a publication changes the release. Nothing of it is recorded before `record`.
package struct PublicationPlan {
    private let register: ReleaseRegister
    private let rule: ReleaseRevision
    private let now: UTCTime
    /// All releases before these changes, ascending, and the last revision.
    private let before: (releases: [StoredRelease], revision: Int?)
    /// Nil: no revision is asked for or due.
    package let revision: PlannedRevision?
    /// Months of an earlier rule that are released again; nil: it is not asked for.
    package let again: NewReleases?
    package let added: NewReleases
    /// All releases after these changes; ascending.
    package let releases: [StoredRelease]
    /// Months that would change, and wait until somebody approves; ascending. Nothing else is planned then.
    package let unapproved: [Month]

    /// What a plan is made from besides the register.
    package struct Request {
        /// Of the months of the figures.
        package var tally: KPITally
        package var rulesVersion: String
        package var schedule: RevisionSchedule
        package var revision: RevisionRequest
        package var generatedAt: UTCTime
        /// What has to be approved.
        package var approval: ReleaseApproval
        /// Whether it is approved.
        package var isApproved: Bool

        package init(
            tally: KPITally, rulesVersion: String, schedule: RevisionSchedule, revision: RevisionRequest,
            generatedAt: UTCTime, approval: ReleaseApproval, isApproved: Bool
        ) {
            self.approval = approval
            self.isApproved = isApproved
            self.tally = tally
            self.rulesVersion = rulesVersion
            self.schedule = schedule
            self.revision = revision
            self.generatedAt = generatedAt
        }
    }

    /// - Parameters:
    ///   - everyMonth: the tally of all months: one that is not shown may be shown again.
    ///   - check: of the release that readers have.
    /// - Throws: `DisclosureError.releasedByAnotherStore`.
    package init(
        _ register: ReleaseRegister, _ rule: ReleaseRevision, _ request: Request, everyMonth: () throws -> KPITally,
        check: RepeatedReleaseCheck?
    ) throws {
        self.register = register
        self.rule = rule
        now = request.generatedAt
        let store = register.store, known = try store.releases()
        before = (known, try store.lastRevision())
        var again =
            try request.revision == .ofEveryMonth
            ? register.planAgain(everyMonth(), rulesVersion: request.rulesVersion) : nil
        var added = try register.plan(
            request.tally, rulesVersion: request.rulesVersion, besides: Set(again?.months ?? []),
            generatedAt: now)
        try check?.requireSame(added, known: Set(known.map(\.month)), path: store.path)
        let isRevised =
            try request.revision == .now
            || again == nil && rule.isDue(request.schedule, generatedAt: now)
        var revision =
            try isRevised ? rule.plan(everyMonth(), rulesVersion: request.rulesVersion, at: now) : nil
        let changing = Set((revision?.months ?? []) + (again?.months ?? []) + added.months).sorted()
        let needsApproval =
            switch request.approval {
            case .first: known.isEmpty
            case .each: true
            case .never: false
            }
        unapproved = needsApproval && !request.isApproved ? changing : []
        if !unapproved.isEmpty {
            revision = nil
            again = nil
            added.withdraw()
        }
        self.again = again
        self.added = added
        self.revision = revision
        let changed = (revision?.releases ?? []) + (again?.releases ?? []) + added.releases
        let months = Set(changed.map(\.month))
        releases = (known.filter { !months.contains($0.month) } + changed).sorted { $0.month < $1.month }
    }

    /// Whether a month is shown otherwise than before.
    package var changesMonths: Bool { !added.releases.isEmpty || revision != nil || again != nil }

    /// How many months are released or revised.
    package var changedMonths: Int {
        Set((revision?.months ?? []) + (again?.months ?? []) + added.months).count
    }

    /// Months that are withheld, if there are any.
    package var withheld: RunEvent? {
        added.open.isEmpty && added.tooSmall.isEmpty ? nil : .monthsWithheld(open: added.open, tooSmall: added.tooSmall)
    }

    /// The months that wait for approval, if there are any.
    package var waiting: RunEvent? { unapproved.isEmpty ? nil : .releaseWaiting(unapproved) }

    /// Whether the store has nothing of these changes: asked after `record` has failed.
    package func isUnrecorded() throws -> Bool {
        try register.store.releases() == before.releases && register.store.lastRevision() == before.revision
    }

    /// - Parameter tell: receives what is recorded, for the log.
    package func record(_ tell: (RunEvent) -> Void) throws {
        if let again {
            try register.store.releaseAgain(again.releases, excluding: again.uncounted)
            tell(.releaseDividedAgain(again.months, joined: again.joined))
        }
        if let revision {
            try rule.record(revision, at: now)
            tell(.releaseRevised(revision.months, groups: revision.groups, waiting: revision.waiting))
            if !revision.unknown.isEmpty { tell(.revisionNotPossible(revision.unknown)) }
        }
        if !added.releases.isEmpty {
            try register.record(added)
            tell(.monthsReleased(added.months))
        }
    }
}
