import Intake
import Profiles
import Reporting
import Rules
import Trips

/// What a scan would do, told from the first bytes of each export alone.
package struct DryRun: Sendable {
    /// What it says, a line each.
    package let lines: [String]

    package init(_ plan: ScanRequest) throws {
        var lines = [
            "rules \(plan.rules.name), version \(plan.rules.version.prefix(12))",
            "lists: regions \(plan.vocabulary.regions.names.dropFirst().joined(separator: ", ")); trip types "
                + plan.vocabulary.tripTypes.names.dropFirst().joined(separator: ", "),
            plan.isUnique ? "versions of a trip are not looked for" : "of several versions of a trip the newest counts",
        ]
        lines += plan.months.phrases + plan.selection.phrases
        lines += plan.inputNotes
        for index in plan.inputs.indices {
            let reader = try plan.open(
                index, textNeeds: plan.rules.fields.map { (field: $0, need: .presence) }, mayBeParts: true)
            lines += ["", "\(reader.name): \(reader.description)" + Self.size(reader)]
            let profile = plan.profile?.source ?? "none: columns by their known names"
            lines.append("  profile \(profile)" + (reader.profile.supplement.map { ", supplements \($0)" } ?? ""))
            lines.append("  zone \(reader.profile.zone ?? "none: times as they are printed")")
            lines += reader.columnUses.map(Self.line)
            lines += Self.constants(reader)
            lines += reader.inventory.sentence.map { ["  warning: \($0)"] } ?? []
            lines += reader.gaps.sentence.map { ["  note: \($0)"] } ?? []
            lines += reader.warnings.map { "  note: \($0)" }
        }
        self.lines = lines
    }

    private static func line(_ use: ColumnUse) -> String {
        let name = use.name.map { use.position == nil ? $0 : "(\($0))" }
        let column = [use.position.map { "column \($0)" }, name].compactMap { $0 }.joined(separator: " ")
        return "  \(use.field.rawValue) from \(column.isEmpty ? "a key that is not shown" : column)"
    }

    private static func size(_ reader: ExportReader) -> String {
        reader.fileBytes.map { ", \(ByteText.of($0))" } ?? ""
    }

    private static func constants(_ reader: ExportReader) -> [String] {
        CanonicalField.allCases.filter { reader.profile.constants[$0] != nil }.map {
            "  \($0.rawValue) is the same in all records"
        }
    }
}
