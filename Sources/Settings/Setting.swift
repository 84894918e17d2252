import Basics
import Operations
import Privacy

/// One row of the table of settings.
///
/// The settings file, the environment, the help of flags, `data/tripkpi.yaml.example` and `docs/settings.md` all follow
/// this table. The first of flags, environment, project file, user file and default that has a value decides.
package struct Setting: Sendable, Hashable {
    /// What a value is, and so how it is read and checked.
    package enum Form: Sendable, Hashable {
        /// An IANA time zone.
        case zone
        /// `YYYY-MM`
        case month
        /// In a settings file, relative to its folder.
        case path
        /// The name of a file that comes with tripkpi or, with a slash, a path.
        case nameOrPath
        case number(ClosedRange<Int>)
        /// One line.
        case text
        /// `1%` or `0.01`.
        case percentage
        case boolean
        case choice([String])
        /// A list; in the environment separated by commas.
        case choices([String])
        /// `{file: PATH, key_file: PATH}`
        case crosswalk
        /// `{trips: 7 years, runs: 90 days}`
        case retention
        /// A list of `https://HOST[:PORT]`; in the environment separated by commas.
        case webOrigins
        /// The names of regions or of trip types.
        case names
        /// A list of `{measure: NAME, region: NAME, trip_type: NAME, value: TEXT}`.
        case targets
    }

    /// Where a setting can be made.
    package enum Scope: Sendable, Hashable {
        case everywhere
        /// In settings files only; a variable of its name is refused.
        case files
    }

    /// The key in the settings file. The environment variable is `TRIPKPI_` and the key in capitals.
    package let key: String
    package let form: Form
    package let scope: Scope
    /// The flag that sets it, where there is one.
    package let flag: String?
    package let standard: String?
    /// What `tripkpi.yaml.example` shows.
    package let example: String
    /// For help, example and docs.
    package let meaning: String

    private init(
        _ key: String, _ form: Form, scope: Scope = .everywhere, flag: String? = nil, standard: String? = nil,
        example: String? = nil, _ meaning: String
    ) {
        self.key = key
        self.form = form
        self.scope = scope
        self.flag = flag
        self.standard = standard
        self.example = example ?? standard ?? ""
        self.meaning = meaning
    }

    package var variable: String { Self.variablePrefix + key.uppercased() }

    static let variablePrefix = "TRIPKPI_"
    /// Variables that are no settings: where the settings and the data of the program are.
    static let otherVariables = ["TRIPKPI_CONFIG", "TRIPKPI_DATA"]

    /// The default as texts; none if there is no default.
    var defaults: [String] {
        (standard ?? "").split(separator: ",").map { $0.filter { !"[] ".contains($0) } }
    }

    /// The help text with the default.
    package var help: String { meaning + (standard.map { " (default: \($0))" } ?? "") }
}

extension Setting {
    /// All, in the order in which `doctor` lists them.
    package static let all = [
        profile, rules, profiles, zone, jobs, minimumCell, maxReject, maxUnreadable, maxMiles, store, inbox, reports,
        keyFile, auditLog,
        metricsFile, crosswalk, logFormat, audiences, releaseApproval, staffWorkbooks, keepRuns, retention,
        freshnessWarnDays,
        freshnessFailDays,
        keepMargin, revisions, missingCounts, audience, tripsFeed, shownProviders, regionsAreStates, regions, tripTypes,
        firstMonth, lastMonth, targets, apiListen, apiKeys, apiIssuer, apiAudience, apiCertificate,
        apiCertificateKey, apiBehindProxy, apiRequestsPerSecond, apiConnectionsPerAddress, apiCORSOrigins,
        apiMetricsFile,
    ]

    // MARK: Meaning of the exports
    package static let profile = Setting(
        "profile", .nameOrPath, flag: "--profile", example: "./profiles/county.yaml",
        "The profile of the exports: the name of a shipped profile, or a profile file.")
    package static let profiles = Setting(
        "profiles", .path, standard: "profiles", example: "/etc/tripkpi/profiles",
        "The folder of your own profiles: a name is looked for there first, then among the shipped ones.")
    package static let rules = Setting(
        "rules", .nameOrPath, flag: "--rules", standard: "default", example: "./rules/county.yaml",
        "The classification rules: the name of shipped rules, or a rule file.")
    package static let zone = Setting(
        "zone", .zone, flag: "--zone", example: "America/New_York",
        "The IANA time zone of times without an offset, for exports whose profile has none.")
    package static let firstMonth = Setting(
        "first_month", .month, example: "2024-01",
        "The first month of the figures. Trips before it are loaded and counted as records, and not released or shown.")
    package static let lastMonth = Setting(
        "last_month", .month, example: "2026-12",
        "The last month of the figures. Trips after it are loaded and counted as records, and not released or shown.")
    package static let maxReject = Setting(
        "max_reject", .percentage, flag: "--max-reject", example: "1%",
        """
        The share of an export's records that may be rejected, such as 1% or 0.01; default: as in the profile, else 1%. An \
        export with more is refused.
        """)
    package static let maxUnreadable = Setting(
        "max_unreadable", .percentage, example: "5%",
        """
        The share of the values of a column of times, money or miles that may be unreadable, such as 5% or 0.05; default: as \
        in the profile, else 5%. An export with more is refused, unless its profile accepts it for the column.
        """)
    package static let maxMiles = Setting(
        "max_miles", .number(1...100_000), example: "500",
        """
        The longest trip by ground in statute miles; default: as in the profile, else 500, and 3000 by air. The miles of a \
        longer trip are excluded and counted.
        """)
    package static let regions = Setting(
        "regions", .names, scope: .files, example: "[North, South]",
        "The names of the regions. A profile can have its own.")
    package static let tripTypes = Setting(
        "trip_types", .names, scope: .files, example: "[Emergency, Routine]",
        "The names of the trip types. A profile can have its own.")

    package static let targets = Setting(
        "targets", .targets, scope: .files,
        example: "[{measure: inHouseShare, value: 55%}, {measure: costPerTrip, region: North, value: 450}]",
        """
        What measures are to reach: inHouseShare (a per cent, at least), costPerTrip (dollars, at most), duration.mean and \
        response.p90 (minutes:seconds in quotation marks, at most). Without region: all regions together, and each that has \
        no target of its own. Without trip_type: all trip types together.
        """)

    // MARK: Files and folders
    package static let store = Setting(
        "store", .path, flag: "--store", standard: "store/tripkpi.sqlite",
        example: "/var/lib/tripkpi/store/tripkpi.sqlite", "The store. The run lock is beside it.")
    package static let inbox = Setting(
        "inbox", .path, flag: "--inbox", standard: "inbox", example: "/var/lib/tripkpi/inbox",
        "The folder of exports. The name of a subfolder is the profile of the exports in it.")
    package static let reports = Setting(
        "reports", .path, flag: "--reports", standard: "reports/published",
        example: "/var/lib/tripkpi/reports/published",
        "The folder of published sets. Readers follow its links release/current and staff/current.")
    package static let keyFile = Setting(
        "key_file", .path, flag: "--key-file", example: "/etc/tripkpi/tripkpi.key",
        "The file with the key of the store's pseudonyms; default: beside the store. The first run makes it.")
    package static let auditLog = Setting(
        "audit_log", .path, flag: "--audit-log", example: "/var/lib/tripkpi/store/tripkpi.sqlite.audit.jsonl",
        "The audit log; default: beside the store, or ~/.local/state/tripkpi/audit.jsonl where there is no store.")
    package static let metricsFile = Setting(
        "metrics_file", .path, flag: "--metrics", example: "/var/lib/node_exporter/textfile/tripkpi.prom",
        "A file of metrics for the textfile collector of Prometheus; default: none.")
    package static let crosswalk = Setting(
        "crosswalk", .crosswalk, scope: .files,
        example: "{file: /var/lib/tripkpi-crosswalk/trips.crosswalk, key_file: /etc/tripkpi/crosswalk.key}",
        """
        The encrypted trip, leg and patient ids for `tripkpi reidentify`; default: none are kept. Crosswalk (folder \
        mode 0700), key and store must be in three folders. The first load makes the key. Back up the key apart from \
        the crosswalk.
        """)

    // MARK: Disclosure control
    package static let minimumCell = Setting(
        "minimum_cell", .number(2...1000), flag: "--minimum-cell",
        standard: String(MinimumCell.standard),
        """
        The fewest trips and patients of a group in the release. A value below \(MinimumCell.standard) needs an approval: set it in a \
        settings file, and name the approval in a comment.
        """)
    package static let audience = Setting(
        "audience", .choice(Audience.allCases.map(\.rawValue)), flag: "--audience", standard: "staff",
        """
        The audience of reports, costs and scans. staff: the health system's own people; all exact numbers. release: \
        anyone; groups of 11 or more trips and patients, of the store from closed months only.
        """)
    package static let audiences = Setting(
        "audiences", .choices(Audience.allCases.map(\.rawValue)), standard: "[release, staff]",
        "The audiences for which `tripkpi run` and `tripkpi publish` publish a set.")
    package static let staffWorkbooks = Setting(
        "staff_workbooks", .boolean, standard: "true",
        "Whether the staff set has the workbooks month.xlsx and costs.xlsx.")
    package static let revisions = Setting(
        "revisions", .choice(RevisionSchedule.allCases.map(\.rawValue)), standard: "quarterly",
        "How often late trips and corrections are added to the release: monthly, quarterly or yearly.")
    package static let missingCounts = Setting(
        "missing_counts", .choice(MissingCountPolicy.allCases.map(\.rawValue)), scope: .files,
        standard: "publish",
        """
        Whether the release shows how many trips have a cost or a time. omit: it leaves out these counts, and the \
        means and costs per trip from which they can be calculated.
        """)
    package static let keepMargin = Setting(
        "keep_margin", .choice(KeptMargin.allCases.map(\.rawValue)), standard: "region",
        "region: small groups are merged within their region first. type: within their trip type first.")
    package static let tripsFeed = Setting(
        "trips_feed", .choice(["none"] + PrivacyProfile.allCases.map(\.rawValue)), standard: "none",
        "The privacy profile by which trips.ndjson.gz is published: safe-harbor, limited-data-set or none.")
    package static let regionsAreStates = Setting(
        "regions_are_states", .boolean, scope: .files, standard: "false",
        "Whether each region is a state or larger. If true, safe-harbor shows it.")
    package static let shownProviders = Setting(
        "shown_providers", .path, example: "./shown.csv",
        "A CSV file with a column `provider`: the ids or names of the providers that rows may show.")

    // MARK: Operation
    package static let jobs = Setting(
        "jobs", .number(1...256), flag: "--jobs", example: "4", "Threads; default: one for each processor.")
    package static let releaseApproval = Setting(
        "release_approval", .choice(ReleaseApproval.allCases.map(\.rawValue)), standard: "first",
        "What waits for `tripkpi publish --approve NAME`: the first release, each new month and revision, or nothing (never)."
    )
    package static let keepRuns = Setting(
        "keep_runs", .number(1...10_000), flag: "--keep", standard: "14", "The number of published sets to keep.")
    package static let retention = Setting(
        "retention", .retention, scope: .files, example: "{trips: 7 years, runs: 90 days}",
        """
        How long is kept; default: for ever. trips (years, at least 2): `tripkpi run` removes trips of earlier months from the \
        store for good; released months keep their figures. runs (days): older published sets are removed, also within \
        keep_runs.
        """)
    package static let logFormat = Setting(
        "log_format", .choice(LogFormat.allCases.map(\.rawValue)), flag: "--log-format", standard: "text",
        "The form of the log on standard error: text, or json with an object on each line.")
    package static let freshnessWarnDays = Setting(
        "freshness_warn_days", .number(1...3660), standard: "3",
        "A run warns if the newest trip is this many days old or older.")
    package static let freshnessFailDays = Setting(
        "freshness_fail_days", .number(1...3660), example: "7",
        "A run ends with 65 if the newest trip is this many days old or older; default: never.")

    // MARK: The API
    package static let apiListen = Setting(
        "api_listen", .text, flag: "--listen", standard: "127.0.0.1:8080",
        "The address and port that `tripkpi serve` listens on.")
    package static let apiKeys = Setting(
        "api_keys", .path, flag: "--keys", example: "/etc/tripkpi/jwks.json",
        "The public keys of the issuer of tokens, a JWKS file. It is read again when it changes.")
    package static let apiIssuer = Setting(
        "api_issuer", .text, flag: "--issuer", example: "https://login.example.org",
        "The issuer that tokens must name in `iss`.")
    package static let apiAudience = Setting(
        "api_audience", .text, flag: "--token-audience", standard: "tripkpi",
        "The audience that tokens must name in `aud`.")
    package static let apiCertificate = Setting(
        "api_certificate", .path, flag: "--certificate", example: "/etc/tripkpi/api-chain.pem",
        "The certificate of the API with its chain, a PEM file. It is read again when it changes; default: plain HTTP.")
    package static let apiCertificateKey = Setting(
        "api_certificate_key", .path, flag: "--certificate-key", example: "/etc/tripkpi/api-key.pem",
        "The private key of api_certificate, a PEM file without a passphrase.")
    package static let apiBehindProxy = Setting(
        "api_behind_proxy", .boolean, standard: "false", example: "true",
        "Clients of the API come through a reverse proxy, which ends TLS and adds their address to X-Forwarded-For.")
    package static let apiRequestsPerSecond = Setting(
        "api_requests_per_second", .number(0...100_000), standard: "50",
        "How many requests a second one client may send, and twice as many at once; 0: any number.")
    package static let apiConnectionsPerAddress = Setting(
        "api_connections_per_address", .number(1...2_048), standard: "64",
        "How many connections one address (of IPv6, one /64) may have open. With api_behind_proxy there is no limit.")
    package static let apiCORSOrigins = Setting(
        "api_cors_origins", .webOrigins, example: "[https://app.example.org]",
        """
        The other sites whose scripts may read the API in a browser: exact origins such as https://app.example.org or \
        https://app.example.org:8443; default: none.
        """)
    package static let apiMetricsFile = Setting(
        "api_metrics_file", .path, flag: "--api-metrics", example: "/var/lib/node_exporter/tripkpi-serve.prom",
        "Metrics of the API are written to this file every 15 seconds, for Prometheus' textfile collector.")
}
