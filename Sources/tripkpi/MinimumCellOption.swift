import ArgumentParser
import Settings

struct MinimumCellOption: ParsableArguments {
    @Option(help: Setting.minimumCell.help("n")) var minimumCell: Int?

    var flags: [Setting: String?] { [.minimumCell: minimumCell.map(String.init)] }
}
