import ArgumentParser

/// What the columns mean and how trips are sorted.
struct MeaningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A shipped profile's name, or a profile file.", valueName: "profile"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Shipped rules' name, or a rule file; the default rules if left out.", valueName: "rules"))
    var rules: String?

    @Option(
        help: ArgumentHelp("IANA zone of times without an offset, for files without a profile.", valueName: "zone"))
    var zone: String?
}

/// `1%`, `0.5%` or `0.01`, held as parts of a million.
struct Percentage: ExpressibleByArgument {
    let perMillion: Int

    init?(argument: String) {
        let isPercent = argument.hasSuffix("%")
        guard let value = Double(isPercent ? String(argument.dropLast()) : argument), value.isFinite, value >= 0 else {
            return nil
        }
        let share = isPercent ? value / 100 : value
        guard share <= 1 else { return nil }
        perMillion = Int((share * 1_000_000).rounded())
    }
}
