import Foundation
import Settings
import TestSupport
import Testing

/// The example, the page and the help of flags follow the table of settings.
@Suite struct SettingTableTests {
    @Test func theExampleHasEachSettingWithItsHelp() throws {
        var help: [String] = []
        var keys: [String] = []
        for line in try Repository.text("data/tripkpi.yaml.example").split(separator: "\n") {
            let setting = Setting.all.first { line == "# \($0.key): \($0.example)" }
            if let setting {
                #expect(help.joined(separator: " ") == setting.help, "data/tripkpi.yaml.example, \(setting.key)")
                keys.append(setting.key)
            }
            if setting != nil || line.hasPrefix("##") { help = [] } else { help.append(String(line.dropFirst(2))) }
        }
        #expect(keys.sorted() == Setting.all.map(\.key).sorted())
    }

    @Test func eachSettingOfTheExampleCanBeUsed() throws {
        try TemporaryFolder.with { folder in
            let lines = Setting.all.map { "\($0.key): \($0.example)" }
            try folder.write(lines.joined(separator: "\n"), to: "tripkpi.yaml")
            let settings = try Settings(
                flags: SettingLayer(), config: nil, environment: [:], workingFolder: folder.path, processors: 2)
            // Regions and trip types have one origin.
            #expect(settings.origins.count == Setting.all.count - 1)
        }
    }

    @Test func thePageHasARowForEachSetting() throws {
        func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }
        let rows = Setting.all.map { setting in
            let variable = setting.scope == .everywhere ? code(setting.variable) : "files only"
            return "| `\(setting.key)` | \(variable) | \(code(setting.flag)) | \(code(setting.standard)) | "
                + "\(setting.meaning) |"
        }
        let page = try Repository.text("docs/settings.md").split(separator: "\n").map(String.init)
        #expect(page.filter { $0.hasPrefix("| `") }.sorted() == rows.sorted())
    }

    @Test func theHelpOfAFlagIsThatOfItsSetting() throws {
        let dump = try CommandRunner().run(["--experimental-dump-help"])
        let help = try JSONDecoder().decode(Help.self, from: Data(dump.stdout)).command.allArguments
        for setting in Setting.all {
            guard let flag = setting.flag else { continue }
            #expect(
                help.contains { argument in
                    argument.abstract == setting.help && argument.names?.contains { "--" + $0.name == flag } == true
                }, "\(flag)")
        }
    }
}

/// What `--experimental-dump-help` prints of options.
private struct Help: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable { var name: String }
        var abstract: String?
        var names: [Name]?
    }

    struct Command: Decodable {
        var arguments: [Argument]?
        var subcommands: [Command]?
        /// With those of subcommands.
        var allArguments: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.allArguments) }
    }

    var command: Command
}
