import Basics
import Foundation
import KPIContract
import StrictYAML

/// The settings from one source: the flags, the environment, or a settings file.
package struct SettingLayer: Sendable {
    /// `flags`, `environment`, or the path of the file.
    let origin: String
    /// By key: one text, the words of a list, or the two paths of a crosswalk.
    private(set) var values: [String: [String]] = [:]
    /// The file, if it states regions or trip types.
    private(set) var lists: YAMLValue?
    /// Of the file.
    private(set) var targets: [MeasureTarget] = []

    /// - Parameter flags: the settings on the command line; nil: not given.
    package init(flags: [[Setting: String?]] = []) {
        origin = "flags"
        for (setting, text) in flags.joined() {
            if let text { values[setting.key] = [text] }
        }
    }

    private init(origin: String) {
        self.origin = origin
    }

    /// Reads the variables `TRIPKPI_STORE` and so on. An empty variable is ignored. One that is no setting is refused: if it were
    /// ignored, the release might show what someone wants to hold back.
    static func environment(_ environment: [String: String]) throws(SettingError) -> SettingLayer {
        var layer = SettingLayer(origin: "environment")
        try checkNames(environment)
        for setting in Setting.all where setting.scope == .everywhere {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            switch setting.form {
            case .number where Int(text) == nil:
                throw SettingError(
                    origin: setting.variable, problem: "it is not a whole number", remedy: "write digits")
            case .percentage where Settings.perMillion(text) == nil:
                throw SettingError(
                    origin: setting.variable, problem: "it is not a percentage", remedy: "write 1% or 0.01")
            case .choices, .webOrigins:
                layer.values[setting.key] = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            default: layer.values[setting.key] = [text]
            }
        }
        return layer
    }

    private static func checkNames(_ environment: [String: String]) throws(SettingError) {
        let known = Setting.all.filter { $0.scope == .everywhere }.map(\.variable) + Setting.otherVariables
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(Setting.variablePrefix) && !text.isEmpty && !known.contains(name)
            && !isServiceLink(name)
        {
            if let setting = Setting.all.first(where: { $0.variable == name }) {
                throw SettingError(
                    origin: name, problem: "\(setting.key) is not read from the environment",
                    remedy: "write \(setting.key): \(text) to the project file")
            }
            throw SettingError(
                origin: name, problem: "there is no such variable",
                remedy: Spelling.nearest(to: name, among: known).map { "did you mean “\($0)”?" }
                    ?? "unset it; docs/settings.md lists them")
        }
    }

    /// Kubernetes puts such variables into each pod beside a service whose name begins with `tripkpi`: `TRIPKPI_SERVICE_HOST`,
    /// `TRIPKPI_PORT_8080_TCP_ADDR`.
    private static func isServiceLink(_ name: String) -> Bool {
        name.wholeMatch(
            of: #/\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)/#) != nil
    }

    /// Reads a settings file. One with nothing but comments, as the example, sets nothing.
    static func file(_ path: String, bytes: [UInt8]) throws(ConfigurationError) -> SettingLayer {
        var layer = SettingLayer(origin: path)
        guard let root = try YAMLValue.parseIfAny(bytes: bytes, file: path) else { return layer }
        let mapping = try root.mapping(allowed: Setting.all.map(\.key))
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        for setting in Setting.all {
            guard let value = mapping.optional(setting.key) else { continue }
            if setting.form == .names { layer.lists = root }
            if setting.form == .targets { layer.targets = try MeasureTargetYAML.read(value) }
            layer.values[setting.key] = try texts(of: setting, value, in: folder)
        }
        return layer
    }

    private static func texts(
        of setting: Setting, _ value: YAMLValue, in folder: URL
    ) throws(ConfigurationError) -> [String] {
        switch setting.form {
        case .number: return [String(try value.int())]
        case .boolean: return [String(try value.bool())]
        case .choices, .webOrigins: return try value.strings()
        case .zone, .month, .choice, .text: return [try value.string()]
        case .path: return [try path(value, setting.key, in: folder)]
        case .nameOrPath:
            let name = try value.string()
            return [name.contains("/") ? absolute(name, in: folder) : name]
        case .percentage:
            let text = try value.string()
            guard Settings.perMillion(text) != nil else {
                throw value.error("\(setting.key) is not a percentage", hint: "write 1% or 0.01")
            }
            return [text]
        case .crosswalk:
            let paths = try value.mapping(allowed: ["file", "key_file"])
            return [
                try path(paths.required("file"), "file", in: folder),
                try path(paths.required("key_file"), "key_file", in: folder),
            ]
        case .retention: return try RetentionTimes.texts(value)
        case .names, .targets: return []  // `VocabularyYAML` and `MeasureTargetYAML` read them.
        }
    }

    private static func path(_ value: YAMLValue, _ key: String, in folder: URL) throws(ConfigurationError) -> String {
        let name = try value.string()
        guard !name.isEmpty else { throw value.error("\(key) is empty", hint: "write a path, or leave the key out") }
        return absolute(name, in: folder)
    }

    /// A path in a settings file begins in the folder of that file.
    static func absolute(_ name: String, in folder: URL) -> String {
        name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
    }
}

/// The value of each setting, from the first layer that has one, or the default.
struct SettingValues {
    private var found: [String: (texts: [String], origin: String)] = [:]
    /// Each setting that a layer has, with the layer's origin: `zone: /home/ops/tripkpi.yaml`.
    private(set) var origins: [String] = []
    let lists: YAMLValue?
    let targets: [MeasureTarget]

    /// - Parameter layers: the first decides.
    ///
    /// - Throws: for a text without a character: no setting means something by it, and other programs take it for no value.
    init(_ layers: [SettingLayer]) throws(SettingError) {
        for setting in Setting.all where setting.form != .names {
            for layer in layers {
                guard let texts = layer.values[setting.key] else { continue }
                guard texts != [""] else {
                    throw SettingError(
                        origin: layer.origin, problem: "\(setting.key) is empty",
                        remedy: "give a value, or leave it out")
                }
                found[setting.key] = (texts, layer.origin)
                origins.append("\(setting.key): \(layer.origin)")
                break
            }
        }
        targets = layers.first { $0.values[Setting.targets.key] != nil }?.targets ?? []
        let stating = layers.first { $0.lists != nil }
        lists = stating?.lists
        if let stating { origins.append("lists: \(stating.origin)") }
    }

    func origin(of setting: Setting) -> String { found[setting.key]?.origin ?? "defaults" }

    func texts(_ setting: Setting) -> [String] { found[setting.key]?.texts ?? setting.defaults }

    func text(_ setting: Setting) -> String? { texts(setting).first }

    /// Empty if nothing is set and there is no default.
    subscript(_ setting: Setting) -> String { text(setting) ?? "" }

    /// Throws if nothing is set and there is no default.
    func number(_ setting: Setting) throws(SettingError) -> Int {
        guard case .number(let range) = setting.form, let number = Int(self[setting]), range.contains(number) else {
            throw error(setting)
        }
        return number
    }

    func optionalNumber(_ setting: Setting) throws(SettingError) -> Int? {
        text(setting) == nil ? nil : try number(setting)
    }

    /// Nil if nothing is set.
    func month(_ setting: Setting) throws(SettingError) -> Month? {
        guard let text = text(setting) else { return nil }
        guard let month = Month(text) else { throw error(setting) }
        return month
    }

    func choice<Choice: RawRepresentable<String>>(_ setting: Setting) throws(SettingError) -> Choice {
        guard let choice = Choice(rawValue: self[setting]) else { throw error(setting) }
        return choice
    }

    /// In the order of the cases, without repetition.
    func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting
    ) throws(SettingError) -> [Choice] {
        let given = Set(texts(setting))
        let choices = Choice.allCases.filter { given.contains($0.rawValue) }
        guard !choices.isEmpty, choices.count == given.count else { throw error(setting) }
        return choices
    }

    /// Browsers send an origin in lower case, and without the default port.
    func webOrigins(_ setting: Setting) throws(SettingError) -> [String] {
        let origins = texts(setting)
        let form = /https:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:([1-9][0-9]{0,4}))?/
        for origin in origins {
            guard let match = origin.wholeMatch(of: form), let port = Int(match.4 ?? "8443"), port <= 65_535,
                port != 443
            else { throw error(setting) }
        }
        return origins
    }

    /// The error that the value is none of those that the setting can have.
    func error(_ setting: Setting) -> SettingError {
        let (problem, remedy) =
            switch setting.form {
            case .number(let range): ("is out of range", "give \(range.lowerBound) to \(range.upperBound)")
            case .choice(let words):
                ("has an unknown value", "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
            case .choices(let words):
                ("has an unknown value", "write [\(words.joined(separator: ", "))], or one of them")
            case .month: ("is not a month", "write YYYY-MM")
            case .webOrigins:
                (
                    "is not a list of origins",
                    "write each as https://app.example.org or https://app.example.org:8443, in lower case, without a path, "
                        + "a wildcard or the port 443"
                )
            default: ("has no value", "set it")
            }
        return SettingError(origin: origin(of: setting), problem: "\(setting.key) \(problem)", remedy: remedy)
    }
}
