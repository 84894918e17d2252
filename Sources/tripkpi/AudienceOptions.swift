import ArgumentParser
import Pipeline
import Privacy

extension Audience: ExpressibleByArgument {}

/// For whom an output is made.
struct AudienceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "release: anybody, groups of 11 or more trips and patients of closed months; staff: every figure, exact. "
                + "release if neither this nor the setting audience says otherwise.", valueName: "audience"))
    var audience: Audience?

    @Flag(name: .customLong("internal"), help: "The same as --audience staff.")
    var isInternal = false

    func validate() throws {
        if isInternal, audience == .release {
            throw ValidationError("--internal is --audience staff: give one of them")
        }
    }

    func resolved(_ settings: Settings) -> Audience { isInternal ? .staff : audience ?? settings.audience }

    /// What the command line says by itself, before any setting is read.
    var isStaffOnCommandLine: Bool { isInternal || audience == .staff }
}
