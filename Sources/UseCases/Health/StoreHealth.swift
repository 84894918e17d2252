import Basics
import KPIContract
import KPIs
import Keys
import Operations
import Privacy
import Rules
import Settings
import Store
import Trips

/// The store's part of `NightlyHealth`: whether it is whole, fits key and rules, and how fresh its trips are.
struct StoreHealth {
    let store: TripStore
    let health: NightlyHealth
    let key: PseudonymKey?

    func findings() -> [HealthFinding] {
        do {
            let own = try store.health()
            if let key, key.asOf(own.keyFingerprint) == nil {
                return [.failure("store", StoreError.otherKey(path: store.path))]
            }
            var damages = health.readsWholeStore ? try store.integrityErrors() : []
            if health.readsWholeStore, damages.isEmpty { damages = try store.contentErrors() }
            guard damages.isEmpty else {
                let detail = damages.joined(separator: "; ").replacing("\n", with: "; ")
                return [.failure("store", StoreError.damaged(path: store.path, detail: detail))]
            }
            return [try storeFinding(own)] + (try rulesFindings()) + (try approvalFindings()) + (try partsFindings())
                + (try firstMonthFindings()) + (try tripsFindings(own.staleMonths))
        } catch {
            return [.failure("store", error)]
        }
    }

    private func storeFinding(_ own: TripStore.Health) throws -> HealthFinding {
        let pages = health.readsWholeStore ? "every page and row whole" : "pages not looked at"
        let text =
            "\(store.path): \(NumberText.counted(try store.totals().trips, "trip")) of "
            + "\(NumberText.counted(try store.exports().count, "export")), schema \(own.schemaVersion), \(pages)"
        return .ok("store", text)
    }

    private func rulesFindings() throws -> [HealthFinding] {
        guard case .success(let now) = health.rules else { return [] }
        let before = try store.rules()
        if before.version == now.version { return [.ok("stored rules", "\(before.name), the same as now")] }
        return [
            .warn(
                "stored rules",
                "trips are classified by \(before.name) \(before.version.prefix(12)), not by \(now.name) "
                    + "\(now.version.prefix(12))",
                remedy: "the next run classifies all trips again; `tripkpi classify --diff` shows what that changes")
        ]
    }

    private func approvalFindings() throws -> [HealthFinding] {
        let settings = health.settings
        guard settings.audiences.contains(.release), settings.releaseApproval != .never, try store.firstRelease() == nil
        else { return [] }
        return [
            .warn(
                "release", "nothing is released before a person approves it",
                remedy: "see `tripkpi publish --preview`, then `tripkpi publish --approve NAME`")
        ]
    }

    /// Of supplements: trips of which the other source has nothing yet.
    private func partsFindings() throws -> [HealthFinding] {
        let waiting = Dictionary(grouping: try store.waitingParts()) { "\($0.source) \($0.supplements)" }
        return waiting.sorted { $0.key < $1.key }.compactMap { _, parts in
            guard let first = parts.first, let since = parts.map(\.waitingSince).min() else { return nil }
            let trips = parts.reduce(0) { $0 + $1.trips }
            let days = health.generatedAt.day.daysSince1970 - Int32(clamping: since / 86_400)
            return .warn(
                "parts",
                "\(NumberText.counted(trips, "trip")) of source \(first.source) \(trips == 1 ? "waits" : "wait") for the export of "
                    + "\(first.supplements) that has \(trips == 1 ? "it" : "them"), the first for \(days) days; they count as no trip",
                remedy:
                    "see whether these exports are delivered, and whether both have the same ids: `tripkpi query waiting_parts "
                    + "--internal`")
        }
    }

    /// By a clock that was ahead the store may refuse all that is delivered.
    private func firstMonthFindings() throws -> [HealthFinding] {
        guard let first = try store.firstKeptMonth() else { return [] }
        let text = "the store takes no trip of a month before \(first)"
        if first > health.generatedAt.day.month {
            let remedy =
                try store.removalCounts().ofMonths == 0
                ? "set the clock right, then run tripkpi publish --clock-is-right"
                : "trips were removed by it: restore a backup from before (docs/operations.md)"
            return [
                .fail("first month", "\(text), which is to come: a clock was ahead", remedy: remedy, .configuration)
            ]
        }
        guard try store.totals().trips == 0, try !store.exports().isEmpty else { return [] }
        return [
            .warn(
                "first month", "\(text), and has none",
                remedy: "see whether the exports are of later months: docs/retention.md")
        ]
    }

    private func tripsFindings(_ staleMonths: [Month]) throws -> [HealthFinding] {
        guard staleMonths.isEmpty else {
            let months = staleMonths.suffix(3).map(\.description).joined(separator: ", ")
            return [
                .warn(
                    "months", "\(staleMonths.count) are not finished (\(months)): a run is under way, or was stopped",
                    remedy: "the next run finishes them")
            ]
        }
        var tally = try store.tally(shape: store.shape())
        guard !tally.tripsByDay().isEmpty else { return [.ok("freshness", "there are no trips yet")] }
        let newest = tally.newestDay(on: health.generatedAt.day)
        let thisMonth = health.generatedAt.day.month
        let left = LeftOutMonths(tally.tripsByMonth, health.settings.months, thisMonth: thisMonth)
        tally.removeMonths(outside: health.settings.months)
        let days = Dictionary(uniqueKeysWithValues: tally.tripsByDay())
        let edges = EdgeMonths(tally.tripsByMonth).without(thisMonth)
        return [freshnessFinding(newest), missingFinding(MissingDays(tripsByDay: days))]
            + edges.sentences.map { .warn("months", $0, remedy: "see docs/nightly.md, “Edge months”") }
            + leftOutFindings(left)
    }

    private func leftOutFindings(_ left: LeftOutMonths) -> [HealthFinding] {
        guard !left.months.isEmpty else { return [] }
        let text = RunEvent.leftOut(left.months)
        guard left.hasRealMonths else { return [.ok("months", text)] }
        return [.warn("months", text, remedy: "if these trips are real, change or remove the setting")]
    }

    private func freshnessFinding(_ newest: CivilDay?) -> HealthFinding {
        guard let newest else {
            return .warn(
                "freshness", "all trips are of days after tomorrow", remedy: "see whether clock and dates are right")
        }
        let freshness = FreshnessCheck(
            newestDay: newest, generatedOn: health.generatedAt.day, warnDays: health.settings.freshnessWarnDays,
            failDays: health.settings.freshnessFailDays)
        let text = "the newest trip is of \(newest), \(freshness.ageDays) days ago"
        let remedy = "see whether exports are still delivered to the inbox"
        switch freshness.state {
        case .ok: return .ok("freshness", text)
        case .warn: return .warn("freshness", text, remedy: remedy)
        case .fail: return .fail("freshness", text, remedy: remedy, .data)
        }
    }

    private func missingFinding(_ missing: MissingDays) -> HealthFinding {
        guard missing.count > 0 else { return .ok("missing days", "none") }
        let days = missing.days.map(\.description).joined(separator: ", ")
        return .warn(
            "missing days", "\(missing.count) without any trip among busy ones, the last: \(days)",
            remedy: "ask for the exports of these days")
    }
}
