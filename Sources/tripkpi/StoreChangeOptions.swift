import ArgumentParser
import Settings

/// The options of commands that change the store, and neither read exports nor publish.
struct StoreChangeOptions: ParsableArguments {
    @OptionGroup var site: SiteOptions
    @OptionGroup var config: ConfigOption

    func settings() throws -> Settings { try config.settings([site.flags]) }
}
