import ArgumentParser
import Settings

/// What the columns mean, and how trips are classified.
struct InterpretationOptions: ParsableArguments {
    @Option(help: Setting.profile.help("profile")) var profile: String?
    @Option(help: Setting.rules.help("rules")) var rules: String?
    @Option(help: Setting.zone.help("zone")) var zone: String?
    @OptionGroup var config: ConfigOptions

    var flags: [Setting: String?] { [.profile: profile, .rules: rules, .zone: zone] }
}
