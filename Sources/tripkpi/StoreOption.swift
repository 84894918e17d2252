import ArgumentParser
import Settings

struct StoreOption: ParsableArguments {
    @Option(help: Setting.store.help("file"), completion: .file()) var store: String?
}
