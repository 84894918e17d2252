import Settings
import TestSupport
import Testing

@Suite struct DataFolderTests {
    @Test func theFlagComesBeforeTheEnvironment() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "one/profiles/a.yaml")
            try folder.write("", to: "two/profiles/a.yaml")
            let environment = ["TRIPKPI_DATA": folder.path(of: "two")]
            let flagged = try DataFolder.find(flag: folder.path(of: "one"), environment: environment, executable: "/x")
            #expect(flagged == DataFolder(path: folder.path(of: "one"), origin: .flag))
            let found = try DataFolder.find(flag: nil, environment: environment, executable: "/x")
            #expect(found == DataFolder(path: folder.path(of: "two"), origin: .environment))
        }
    }

    /// Falling back on another folder would run other rules than the ones that were asked for.
    @Test func aNamedFolderThatIsNoneIsAnErrorAndNoFallback() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "share/tripkpi/profiles/a.yaml")
            #expect(throws: SettingError.self) {
                try DataFolder.find(
                    flag: folder.path(of: "none"), environment: [:], executable: folder.path(of: "bin/tripkpi"))
            }
        }
    }

    @Test func anInstalledProgramFindsItsShare() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "share/tripkpi/profiles/a.yaml")
            let found = try DataFolder.find(flag: nil, environment: [:], executable: folder.path(of: "bin/tripkpi"))
            #expect(found.origin == .installed)
            #expect(try found.files(in: "profiles", endingIn: [".yaml"]) == ["a.yaml"])
        }
    }

    @Test func aBuildFindsItsCheckout() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "Package.swift")
            try folder.write("", to: "data/profiles/a.yaml")
            let build = folder.path(of: ".build/x86/release/tripkpi")
            let found = try DataFolder.find(flag: nil, environment: [:], executable: build)
            #expect(found == DataFolder(path: folder.path(of: "data"), origin: .checkout))
        }
    }

    @Test func nowhereIsAnErrorThatSaysHowToNameIt() {
        #expect {
            try DataFolder.find(flag: nil, environment: [:], executable: "/nowhere/bin/tripkpi")
        } throws: { "\($0)".contains("--data-dir") }
    }
}
