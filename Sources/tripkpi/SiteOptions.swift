import ArgumentParser
import Settings

/// Where the store, its key and the published sets are.
struct SiteOptions: ParsableArguments {
    @OptionGroup var place: StoreOption
    @OptionGroup var key: KeyOption
    @OptionGroup var published: ReportsOption

    var flags: [Setting: String?] {
        [.store: place.store, .keyFile: key.keyFile, .reports: published.reports]
    }
}
