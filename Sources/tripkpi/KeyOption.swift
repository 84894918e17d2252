import ArgumentParser
import Settings

struct KeyOption: ParsableArguments {
    @Option(help: Setting.keyFile.help("file"), completion: .file()) var keyFile: String?
}
