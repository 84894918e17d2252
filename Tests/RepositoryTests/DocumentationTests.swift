import Foundation
import TestSupport
import Testing
import Trips

/// Commands, fields, codes and measures are documented, each on the page of its task.
@Suite struct DocumentationTests {
    @Test func theReadmeNamesBothCommands() throws {
        let readme = try Repository.text("README.md")
        #expect(readme.contains("make demo"))
        #expect(readme.contains("make test"))
    }

    /// Two commands, one picture, an example for each reader, and links; the rest is a page of `docs`.
    @Test func theReadmeIsShort() throws {
        #expect(try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }

    @Test func everyPageIsInTheIndex() throws {
        let index = try Repository.text("docs/README.md")
        for page in Repository.files(under: "docs", withExtension: "md").map({ $0.dropFirst("docs/".count) })
        where !page.contains("/") && page != "README.md" {
            #expect(index.contains("](\(page))"), "docs/README.md does not link \(page)")
        }
    }

    /// Files that the README, and the other pages, link exist.
    @Test func linksLeadSomewhere() throws {
        let pages =
            ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
            + ["docs", "data"].flatMap { Repository.files(under: $0, withExtension: "md") }
        for page in pages {
            let folder = URL(fileURLWithPath: page, relativeTo: Repository.root).deletingLastPathComponent()
            for match in try Repository.text(page).matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) {
                let target = String(match.output.1)
                if target.contains("://") { continue }
                let path = folder.appendingPathComponent(target).path
                #expect(FileManager.default.fileExists(atPath: path), "\(page) links \(target), which does not exist")
            }
        }
    }

    @Test func everyCanonicalFieldIsDocumented() throws {
        let page = try Repository.text("docs/fields.md")
        for field in CanonicalField.allCases {
            let line = page.split(separator: "\n").first { $0.hasPrefix("| `\(field.rawValue)`") }
            #expect(line != nil, "docs/fields.md lacks \(field.rawValue)")
            let marked = line?.hasSuffix("| yes |") ?? field.isIdentifying
            #expect(marked == field.isIdentifying, "docs/fields.md is wrong on whether \(field.rawValue) identifies")
        }
    }

    @Test func everyCodeIsDocumented() throws {
        let page = try Repository.text("docs/codes.md")
        for code in WarningCode.allCases.map(\.rawValue) + RejectReason.allCases.map(\.rawValue)
            + RowSkipReason.allCases.map(\.rawValue)
        {
            #expect(page.contains("| `\(code)` |"), "docs/codes.md lacks \(code)")
        }
    }

    @Test func everyKPIIsDocumented() throws {
        let page = try Repository.text("docs/kpis.md")
        let labels: Set<String> = [
            "month", "region", "tripType", "suppressed", "complete", "revisionPending", "sourcingSuppressed",
            "sourcingBasis", "incompleteMeasures",
        ]
        var keys: Set<String> = []
        for file in Repository.files(under: "Sources/KPIContract", withExtension: "swift") {
            let cell = try Repository.text(file).components(after: "public struct Cell:")
            let body = cell.prefix(upTo: cell.firstRange(of: "\n    }")?.lowerBound ?? cell.endIndex)
            keys.formUnion(body.matches(of: /public (?:var|let) (\w+):/).map { String($0.output.1) })
        }
        #expect(keys.count > 20)
        for key in keys.subtracting(labels) {
            #expect(page.contains("| `\(key)` |"), "docs/kpis.md lacks \(key)")
        }
    }

    /// The README of the file's folder, or of one above it up to `data`, names it.
    @Test func everyDataFileIsNamedByAReadme() throws {
        for file in Repository.files(under: "data") where !file.hasSuffix("README.md") {
            var folder = file.split(separator: "/").dropLast()
            var isNamed = false
            while !folder.isEmpty {
                let readme = folder.joined(separator: "/") + "/README.md"
                let name = file.split(separator: "/").last.map(String.init) ?? file
                if Repository.has(readme), try Repository.text(readme).contains(name) { isNamed = true }
                folder = folder.dropLast()
            }
            #expect(isNamed, "no README under data/ names \(file)")
        }
    }

    @Test func everyTargetIsInTheArchitecture() throws {
        let lines = try Repository.text("docs/architecture.md").split(separator: "\n")
        for target in TargetGraph(manifest: try Repository.text("Package.swift")).targets.values {
            let isNamed = lines.contains { $0.hasPrefix("| \(target.layer) |") && $0.contains("`\(target.name)`") }
            #expect(isNamed, "docs/architecture.md does not name \(target.name) in layer \(target.layer)")
        }
    }

    @Test func everyCommandIsDocumented() throws {
        let page = try Repository.text("docs/commands.md")
        let dump = try CommandRunner().run(["--experimental-dump-help"])
        let help = try JSONDecoder().decode(CommandHelp.self, from: Data(dump.stdout))
        let commands = help.command.paths().filter { !$0.hasPrefix("help") && !$0.isEmpty }
        #expect(commands.count > 15)
        for command in commands {
            #expect(page.contains("| `\(command)"), "docs/commands.md does not say what `\(command)` does")
        }
    }
}

/// What `--experimental-dump-help` prints, as far as it is used here.
private struct CommandHelp: Decodable {
    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var shouldDisplay: Bool?

        /// The paths of all commands that do something, without the program's name.
        func paths() -> [String] {
            (subcommands ?? []).filter { $0.shouldDisplay != false }.flatMap { command in
                let inner = command.paths().map { command.commandName + " " + $0 }
                return inner.isEmpty ? [command.commandName] : inner
            }
        }
    }

    var command: Command
}
