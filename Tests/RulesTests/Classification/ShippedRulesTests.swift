import Basics
import Rules
import StrictYAML
import TestSupport
import Testing
import Trips

@Suite struct ShippedRulesTests {
    private struct Trip: CustomTestStringConvertible {
        let values: [CanonicalField: String]
        var day = "2026-01-15"
        let ruleID: String?
        var testDescription: String { ruleID ?? "unclassified" }
    }

    @Test(arguments: [
        Trip(values: [.hcpcsModifiers: "RH QN", .contractNumber: "C-1"], ruleID: "hcpcs-qn"),
        Trip(values: [.hcpcsModifiers: "rh,qm", .vehicleID: "VA-9"], ruleID: "hcpcs-qm"),
        Trip(values: [.hcpcsModifiers: "RH", .contractNumber: "C-1"], ruleID: "contract-or-invoice"),
        Trip(values: [.invoiceNumber: "I-1", .providerID: "VA-101"], ruleID: "contract-or-invoice"),
        Trip(values: [.providerID: "VA-101"], ruleID: "roster-in-house"),
        Trip(values: [.providerID: "P-100"], ruleID: "roster-contracted"),
        Trip(values: [.providerID: "P-100"], day: "2026-10-01", ruleID: "roster-in-house"),
        Trip(values: [.providerID: "P-106", .vehicleID: "VA12"], day: "2025-09-30", ruleID: "vehicle-prefix-va"),
        Trip(values: [.vehicleID: "AMB-1", .contractNumber: " "], ruleID: nil),
        Trip(values: [:], ruleID: nil),
    ])
    private func evidenceIsTakenInTheOrderOfTheSpec(trip: Trip) throws {
        let explanation = try ShippedRules.sample().explain(day: CivilDay(trip.day)) { trip.values[$0] }
        #expect(explanation.decidingRuleID == trip.ruleID)
    }

    @Test(arguments: [
        Trip(values: [.vehicleID: "VAN12", .providerID: "P-107"], ruleID: nil),
        Trip(values: [.vehicleID: "VA12", .providerID: "VA-101"], ruleID: nil),
        Trip(values: [.vehicleID: "VAN12", .hcpcsModifiers: "QN"], ruleID: "hcpcs-qn"),
        Trip(values: [.providerID: "VA-101", .hcpcsModifiers: "QM"], ruleID: "hcpcs-qm"),
        Trip(values: [.providerID: "VA-101", .contractNumber: "C-1"], ruleID: "contract-or-invoice"),
    ])
    private func theDefaultRulesKnowNoProviderAndNoVehicle(trip: Trip) throws {
        let explanation = try ShippedRules.standard().explain(day: CivilDay(trip.day)) { trip.values[$0] }
        #expect(explanation.decidingRuleID == trip.ruleID)
    }

    @Test func sanFranciscoTellsMedicFromPrivate() throws {
        let rules = try ShippedRules.load("data/rules/sf-fire-calls.yaml")
        #expect(rules.explain(day: nil) { _ in "MEDIC" }.sourcing == .inHouse)
        #expect(rules.explain(day: nil) { _ in "PRIVATE" }.sourcing == .contracted)
        #expect(rules.explain(day: nil) { _ in "ENGINE" }.sourcing == .unclassified)
    }

    @Test func anExplanationShowsEveryRuleAndNoValue() throws {
        let values: [CanonicalField: String] = [.vehicleID: "VA-7777", .providerID: "P-101", .invoiceNumber: " "]
        let text = try ShippedRules.sample().explain(day: CivilDay("2026-01-15")) { values[$0] }.description
        #expect(text.hasPrefix("contracted: rule roster-contracted — "))
        #expect(text.contains("6. vehicle-prefix-va → inHouse: would match too"))
        #expect(text.contains("yes  vehicle_id starts with a listed prefix"))
        #expect(text.contains("no   invoice_number has a value"))
        for value in values.values where value != " " { #expect(!text.contains(value)) }
    }

    /// Damaged files give errors, never a crash: whatever comes out, the process goes on.
    @Test(.timeLimit(.minutes(2))) func mutatedFilesNeverCrash() throws {
        var random = SplitMix64(seed: 20_261_121)
        let names = ["data/rules/sample.yaml", "data/rules/sample-providers.csv", "data/rules/sf-fire-calls.yaml"]
        let originals = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Repository.bytes($0)) })
        var refused = 0
        let rounds = 3000
        for _ in 0..<rounds {
            var files = originals
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            files[name] = Self.mutated(files[name] ?? [], &random)
            let main = name.hasSuffix(".csv") ? names[0] : name
            do throws(ConfigurationErrors) {
                let set = try RuleSetFile.read(file: main) { path in
                    guard let bytes = files[path] else { throw ConfigurationError(file: path, message: "missing") }
                    return bytes
                }
                #expect(!set.rules.isEmpty)
            } catch {
                refused += 1
                #expect(!error.errors.isEmpty)
            }
        }
        #expect(refused > rounds / 4 && refused < rounds)
    }

    private static func mutated(_ original: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = original
        let fragments = [
            "[", "{", "- ", "? ", "&a ", "*a ", "!!x ", "---\n", "\"", "'", ": ", "|\n", "\t", "<<: ", "%",
        ]
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
            case 4: bytes.insert(contentsOf: Array((fragments.randomElement(using: &random) ?? "").utf8), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
