import Foundation
package import Operations
import StrictYAML

/// How a nightly run reports its end. It is read even where other settings are wrong: a run that ends for that reason is
/// reported too.
package struct ReportingSettings: Sendable {
    /// Nil: no metrics are written, or the setting cannot be read.
    package let metricsFile: String?
    package let logFormat: LogFormat

    /// - Parameters: as for `Settings`.
    package init(flags: SettingLayer, config: String?, environment: [String: String], workingFolder: String) {
        let files = Settings.files(config: config, environment, workingFolder)
        func text(_ setting: Setting) -> String? {
            if let flag = flags.values[setting.key]?.first { return flag }
            if let variable = environment[setting.variable], !variable.isEmpty { return variable }
            return files.lazy.compactMap { Self.text(setting, inFile: $0) }.first
        }
        metricsFile = text(.metricsFile)
        logFormat = text(.logFormat).flatMap(LogFormat.init) ?? .text
    }

    private static func text(_ setting: Setting, inFile path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path),
            let entries = try? YAMLValue.parseIfAny(bytes: Array(data), file: path)?.entries(),
            let text = try? entries.first(where: { $0.key == setting.key })?.value.string()
        else { return nil }
        guard setting.form == .path else { return text }
        return SettingLayer.absolute(text, in: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
