import Intake
package import Profiles
package import Settings

/// Where exports are delivered, and how they are read.
package struct ExportReading: Sendable {
    /// The folder of exports; nothing in it is changed. A subfolder's name is the profile of the files in it.
    package let inbox: String
    /// For files in the inbox itself; nil: their headers must speak for themselves.
    package let profile: String?
    package let configuration: Configuration
    /// The lists of regions and trip types, where they are configured; else those of the first profile.
    package let lists: Vocabulary?
    /// Zone of plain files' times.
    package let zone: String?
    /// Records per million of an export that may be rejected; nil: the limit of its profile.
    package let maximumRejectPerMillion: Int?
    /// Limits of values, before those of the profile.
    package var limits = ValueLimits()

    package init(
        inbox: String, profile: String? = nil, configuration: Configuration, lists: Vocabulary? = nil,
        zone: String? = nil, maximumRejectPerMillion: Int? = nil
    ) {
        self.inbox = inbox
        self.profile = profile
        self.configuration = configuration
        self.lists = lists
        self.zone = zone
        self.maximumRejectPerMillion = maximumRejectPerMillion
    }

    package init(_ settings: Settings, _ configuration: Configuration) {
        self.init(
            inbox: settings.inbox, profile: settings.profile, configuration: configuration,
            lists: settings.hasLists ? settings.vocabulary : nil, zone: settings.zone,
            maximumRejectPerMillion: settings.maximumRejectPerMillion)
        limits = settings.valueLimits
    }

    /// What stands for the version of a profile where a file is read without one.
    var plainVersion: String { "plain, zone \(zone ?? "none")" }

    /// Files by what their profiles say that they are.
    func divided(_ files: [Inbox.File]) -> (events: [Inbox.File], trips: [Inbox.File]) {
        let names = Set(files.compactMap(\.profile)).filter(configuration.isOfEvents)
        return (
            files.filter { $0.profile.map(names.contains) ?? false },
            files.filter { !($0.profile.map(names.contains) ?? false) }
        )
    }

    /// The profile of a file that is named, and not found in the inbox.
    func file(_ path: String) -> Inbox.File { Inbox.File(path: path, profile: profile) }
}
