import ArgumentParser
import Foundation
import Settings

/// Where the settings file is.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The project file with settings.",
            discussion: """
                Default: TRIPKPI_CONFIG, else tripkpi.yaml in the working folder. Then the user file \
                $XDG_CONFIG_HOME/tripkpi/tripkpi.yaml. Flags take precedence over the variables TRIPKPI_STORE and so \
                on, variables over files. tripkpi.yaml.example describes each key.
                """, valueName: "file"), completion: .file())
    var config: String?

    /// - Parameter flags: the settings on the command line, by group.
    func settings(_ flags: [[Setting: String?]]) throws -> Settings {
        let process = ProcessInfo.processInfo
        return try Settings(
            flags: SettingLayer(flags: flags), config: config,
            environment: process.environment, workingFolder: FileManager.default.currentDirectoryPath,
            processors: process.activeProcessorCount)
    }

    /// How a run reports its end, also if its settings are wrong.
    func reporting(_ flags: [[Setting: String?]]) -> ReportingSettings {
        ReportingSettings(
            flags: SettingLayer(flags: flags), config: config, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath)
    }
}
