import Foundation
import Reporting
import Settings
import TestSupport
import Testing
import UseCases

/// Which files come into a backup for the record.
@Suite struct BackupSettingsTests {
    /// The settings files of the backup of a site whose profiles are in the folder of its store.
    private func backUp(_ site: BackupFixture, _ folder: TemporaryFolder, rules: String? = nil) throws -> (
        bytes: Data, names: [String], line: String
    ) {
        let path = folder.path(of: "backup.tar")
        let settings = try Settings(
            flags: SettingLayer(flags: [[.store: site.store], rules.map { [.rules: $0] } ?? [:]]), config: nil,
            environment: [:], workingFolder: folder.path, processors: 1)
        let outcome = try Backup(site.site, settings: BackupSettings(settings)).write(to: path, site.environment())
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var offset = 0, names: [String] = []
        while let header = TarHeader(Array(bytes[offset..<offset + TarHeader.blockBytes])) {
            names.append(header.name)
            offset += TarHeader.blockBytes + header.size + TarHeader.padding(after: header.size)
        }
        let line = outcome.lines.first { $0.hasPrefix("settings: ") }
        return (bytes, names.filter { $0.hasPrefix("settings/") }, line ?? "")
    }

    private func withSite(_ body: (BackupFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let site = BackupFixture(folder)
            try site.load(0..<1)
            try folder.write("zone: America/New_York\nprofiles: site/store\n", to: "tripkpi.yaml")
            try body(site, folder)
        }
    }

    private static func profile(_ more: String) -> String {
        "source: own\ncolumns: {trip_id: Id, service_date: Day}\n\(more)\n"
    }

    @Test func filesThatAProfileNamesAsTablesAreInItAndNoOthers() throws {
        try withSite { site, folder in
            // The profile's text has the names of both exports.
            try folder.write(
                Self.profile(
                    """
                    # Made for trips.csv
                    regions: [Queens]
                    filter: {equals: {note: other.csv}}
                    lookups:
                      - {column: Zip, file: regions.txt}
                      - {column: Zone, file: ../tables/zones.csv}
                    """), to: "site/store/own ä.yaml")
            try folder.write("key,region\nQ,Queens\n", to: "site/store/regions.txt")
            try folder.write("key,zone\nQ,America/New_York\n", to: "site/tables/zones.csv")
            try folder.write("a patient's name", to: "site/store/trips.csv")
            try folder.write("a patient's name", to: "site/store/other.csv")
            let (bytes, names, line) = try backUp(site, folder)
            #expect(
                names == [
                    "settings/1/tripkpi.yaml", "settings/profiles/own%20%C3%A4.yaml", "settings/profiles/regions.txt",
                    "settings/profiles/zones.csv",
                ])
            #expect(bytes.range(of: Data("a patient's name".utf8)) == nil)
            #expect(line == "settings: 4 files, for the record")
        }
    }

    @Test func theTablesOfEventsAndRulesAreInItToo() throws {
        try withSite { site, folder in
            try folder.write(
                """
                kind: events
                source: roads
                columns: {date: Day, latitude: Lat, longitude: Lon}
                polygons: {file: areas.geojson, property: region}
                regions: [North]
                """, to: "site/store/roads.yaml")
            try folder.write(
                """
                {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"region": "North"},
                 "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}}]}
                """, to: "site/store/areas.geojson")
            try folder.write(
                "name: own\nrules:\n  - {id: a, reason: b, when: {in-file: {provider_id: providers.txt}}, then: contracted}\n",
                to: "rules/own.yaml")
            try folder.write("A\n", to: "rules/providers.txt")
            let (_, names, line) = try backUp(site, folder, rules: folder.path(of: "rules/own.yaml"))
            #expect(
                names == [
                    "settings/1/tripkpi.yaml", "settings/profiles/areas.geojson", "settings/profiles/roads.yaml",
                    "settings/rules/own.yaml", "settings/rules/providers.txt",
                ], "\(line)")
        }
    }

    @Test func whatIsMissingOrMayBeAnythingIsCounted() throws {
        try withSite { site, folder in
            try folder.write(
                Self.profile("lookups: [{column: Zip, file: missing.csv}]"), to: "site/store/incomplete.yaml")
            // An export that is named as a table is none.
            try folder.write(Self.profile("lookups: [{column: Zip, file: trips.csv}]"), to: "site/store/wrong.yaml")
            try folder.write("Id,Name\n1,a patient's name\n", to: "site/store/trips.csv")
            let (bytes, names, line) = try backUp(site, folder)
            #expect(names.count == 3, "\(names)")
            #expect(bytes.range(of: Data("a patient's name".utf8)) == nil)
            #expect(line.hasPrefix("settings: 3 files, for the record; 2 files left out: missing"))
        }
    }

    @Test func noSecretIsInIt() throws {
        try withSite { site, folder in
            try folder.write(
                "name: own\nrules:\n  - {id: a, reason: b, when: {in-file: {provider_id: linked.txt}}, then: contracted}\n",
                to: "rules/own.yaml")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "rules/linked.txt"), withDestinationPath: site.key)
            let (bytes, names, line) = try backUp(site, folder, rules: folder.path(of: "rules/own.yaml"))
            #expect(names == ["settings/1/tripkpi.yaml", "settings/rules/own.yaml"])
            #expect(bytes.range(of: Data(try folder.read("site/store/tripkpi.sqlite.key"))) == nil)
            #expect(line.contains("; 1 file left out"))
        }
    }
}
