import Files
import Foundation
package import Operations
import StrictYAML

/// How a nightly run reports its end, and where a digest finds it. It is read even where other settings are wrong: a run that
/// ends for that reason is reported too.
package struct ReportingSettings: Sendable {
    /// False: a settings file cannot be read, and may have what is nil here.
    package let isRead: Bool
    /// Nil: no metrics are written, or `isRead` is false.
    package let metricsFile: String?
    package let logFormat: LogFormat
    /// The folder of published sets; nil: `isRead` is false.
    package let reports: String?

    /// - Parameters: as for `Settings`.
    package init(flags: SettingLayer, config: String?, environment: [String: String], workingFolder: String) {
        // What cannot be read ends the run, which says so.
        let paths = try? Settings.files(config: config, environment, workingFolder)
        let files = (paths ?? []).map { path in (path: path, entries: try? Self.entries(ofFile: path)) }
        isRead = paths != nil && files.allSatisfy { $0.entries != nil }
        func text(_ setting: Setting) -> String? {
            if let flag = flags.values[setting.key]?.first { return flag }
            if let variable = environment[setting.variable], !variable.isEmpty { return variable }
            for file in files {
                if let text = Self.text(setting, file.entries ?? [], inFile: file.path) { return text }
            }
            return nil
        }
        metricsFile = text(.metricsFile)
        reports = text(.reports) ?? (isRead ? Setting.reports.standard : nil)
        logFormat = text(.logFormat).flatMap(LogFormat.init) ?? .text
    }

    private static func entries(ofFile path: String) throws -> [YAMLValue.Entry] {
        try YAMLValue.parseIfAny(bytes: Settings.bytes(ofFile: path), file: path)?.entries() ?? []
    }

    private static func text(_ setting: Setting, _ entries: [YAMLValue.Entry], inFile path: String) -> String? {
        guard let text = try? entries.first(where: { $0.key == setting.key })?.value.string() else { return nil }
        guard setting.form == .path else { return text }
        return SettingLayer.absolute(text, in: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}

extension ReportingSettings {
    /// Where the settings are wrong, without what is wrong: an error quotes the value. Nil: the place is not known.
    package static func place(of fault: any Error) -> String? {
        switch fault {
        case let fault as ConfigurationError: fault.file + (fault.line.map { ", line \($0)" } ?? "")
        case let faults as ConfigurationErrors: faults.errors.first.flatMap(place)
        case let fault as SettingError: fault.origin
        case let fault as FileError: fault.path
        default: nil
        }
    }
}
