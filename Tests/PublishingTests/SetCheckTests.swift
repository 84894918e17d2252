import Foundation
import KPIContract
import Publishing
import TestSupport
import Testing

@Suite struct SetCheckTests {
    private func findings(_ damage: (TemporaryFolder) throws -> Void) throws -> [String] {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            try folder.publish(PublicationFixture.draft("one"))
            try damage(temporary)
            return try folder.check("one").map(\.description)
        }
    }

    @Test func aWholeSetHasNone() throws {
        #expect(try findings { _ in } == [])
    }

    @Test func eachDamageIsFoundAndAllAreTold() throws {
        #expect(
            try findings { folder in
                try folder.write("a\r\nONE\r\n", to: "runs/one/kpi-cells.csv")
                try FileManager.default.removeItem(atPath: folder.path(of: "runs/one/kpi-summary.json"))
                try folder.write("x", to: "runs/one/more.txt")
            } == [
                "kpi-cells.csv has other content than the manifest says", "kpi-summary.json is missing",
                "more.txt is not in the manifest",
            ])
        #expect(
            try findings { try $0.write("longer", to: "runs/one/kpi-summary.json") }
                == ["kpi-summary.json has 6 bytes, not 3"])
    }

    @Test func aManifestThatIsMissingBrokenOrAnotherRunsIsFound() throws {
        let manifest = "runs/one/manifest.json"
        #expect(
            try findings { try FileManager.default.removeItem(atPath: $0.path(of: manifest)) }
                == ["manifest.json is missing"])
        #expect(try findings { try $0.write("{}", to: manifest) } == ["manifest.json is not a manifest of version 1"])
        #expect(
            try findings { try $0.write(try PublicationFixture.draft("two").manifest.canonicalJSON(), to: manifest) }
                .contains("manifest.json is that of another run"))
    }

    @Test func aLinkOrAWayOutIsNoFileOfTheSet() throws {
        #expect(
            try findings { folder in
                let path = folder.path(of: "runs/one/kpi-summary.json")
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "manifest.json")
            } == ["kpi-summary.json is missing"])
        #expect(
            try findings { folder in
                var manifest = try PublicationFixture.draft("one").manifest
                manifest.files[1].name = "../one/kpi-summary.json"
                try folder.write(manifest.canonicalJSON(), to: "runs/one/manifest.json")
            } == ["../one/kpi-summary.json is missing", "kpi-summary.json is not in the manifest"])
    }
}
