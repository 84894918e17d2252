import Foundation
package import Operations
import StrictYAML

/// How a nightly run reports its end, and where a digest finds it. It is read even where other settings are wrong: a run that
/// ends for that reason is reported too.
package struct ReportingSettings: Sendable {
    /// Nil: no metrics are written, or the setting cannot be read.
    package let metricsFile: String?
    package let logFormat: LogFormat
    /// The folder of published sets.
    package let reports: String

    /// - Parameters: as for `Settings`.
    package init(flags: SettingLayer, config: String?, environment: [String: String], workingFolder: String) {
        // What cannot be read ends the run, which says so.
        let files = (try? Settings.files(config: config, environment, workingFolder)) ?? []
        func text(_ setting: Setting) -> String? {
            if let flag = flags.values[setting.key]?.first { return flag }
            if let variable = environment[setting.variable], !variable.isEmpty { return variable }
            for file in files {
                if let text = Self.text(setting, inFile: file) { return text }
            }
            return nil
        }
        metricsFile = text(.metricsFile)
        reports = text(.reports) ?? Setting.reports.standard ?? ""
        logFormat = text(.logFormat).flatMap(LogFormat.init) ?? .text
    }

    private static func text(_ setting: Setting, inFile path: String) -> String? {
        guard let bytes = try? Settings.bytes(ofFile: path),
            let entries = try? YAMLValue.parseIfAny(bytes: bytes, file: path)?.entries(),
            let text = try? entries.first(where: { $0.key == setting.key })?.value.string()
        else { return nil }
        guard setting.form == .path else { return text }
        return SettingLayer.absolute(text, in: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
