import ArgumentParser
import Pipeline

/// Which store is read, for commands that only read it.
struct StorePlaceOptions: ParsableArguments {
    @OptionGroup var place: StoreOption

    @Option(
        help: ArgumentHelp(
            "The project file with settings; TRIPKPI_CONFIG, else tripkpi.yaml of the working folder if left out.",
            valueName: "file"), completion: .file())
    var config: String?

    @OptionGroup var data: DataOptions

    /// - Parameter flags: what other options say.
    func settings(_ flags: (inout SettingLayer) -> Void = { _ in }) throws -> Settings {
        var layer = SettingLayer(origin: "flags")
        layer.nightly.store = place.store
        flags(&layer)
        return try Settings.ofProcess(flags: layer, config: config)
    }
}
