import Foundation
import Operations
import TestSupport
import Testing

/// `tripkpi serve` and `tripkpi doctor` with the program that serves: beside them, missing, or unable to serve.
@Suite struct ServeCommandTests {
    private let settings = "api_keys: jwks.json\napi_issuer: https://login.example.org\n"
    private let environment = ["TRIPKPI_DATA": Repository.root.path + "/data"]

    /// A copy of `tripkpi` in a folder of its own. A shell makes it: what this process writes, another test's child may hold open,
    /// and it could not be run then.
    private func copied(to folder: TemporaryFolder, server script: String? = nil) throws -> CommandRunner {
        let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
        let server = script == nil ? "" : " && cat >tripkpi-serve && chmod 755 tripkpi-serve"
        let made = try shell.run(
            ["-c", "cp \"$0\" tripkpi" + server, try CommandRunner().executable.path],
            stdin: Array((script ?? "").utf8), in: folder.url)
        #expect(made.status == 0, "\(made.stderrText)")
        return try CommandRunner(executable: URL(fileURLWithPath: folder.path(of: "tripkpi")))
    }

    @Test("without the program that serves, serve says what is missing, and doctor warns where an API is set up")
    func missing() throws {
        try TemporaryFolder.with { folder in
            let program = try copied(to: folder)
            let served = try program.run(["serve", "--without-auth"], environment: environment, in: folder.url)
            #expect(served.status == 66)
            #expect(served.stderrText.contains("/tripkpi-serve: is missing, and `tripkpi serve` needs it"))
            let without = try program.run(["doctor", "--quick"], environment: environment, in: folder.url)
            #expect(!without.stdoutText.contains("tripkpi-serve"))
            try folder.write(settings, to: "tripkpi.yaml")
            let doctor = try program.run(["doctor", "--quick"], environment: environment, in: folder.url)
            #expect(doctor.stdoutText.firstMatch(of: /warn +api +\S+\/tripkpi-serve is missing/) != nil)
            #expect(doctor.status == without.status)
        }
    }

    @Test("the server is the same process, with all that the settings say, and with no setting in its environment")
    func replaced() throws {
        try TemporaryFolder.with { folder in
            let script = "#!/bin/sh\necho $PPID\nprintf '%s\\n' \"$@\" >arguments\nenv >environment\nexit 73\n"
            let program = try copied(to: folder, server: script)
            try folder.write(
                settings + "api_cors_origins: ['https://a.example.org', 'https://b.example.org']\n", to: "tripkpi.yaml")
            let secret = [
                "TRIPKPI_KEY_FILE": "/k/SECRET", "CREDENTIALS_DIRECTORY": "/c/SECRET", "JOURNAL_STREAM": "1:2",
            ]
            let served = try program.run(
                ["serve", "--reports=-sets", "--behind-proxy", "--listen", "0.0.0.0:80", "--quiet"],
                environment: environment.merging(secret) { $1 }, in: folder.url)
            #expect(served.status == 73)
            #expect(served.stdoutText == "\(ProcessInfo.processInfo.processIdentifier)\n", "its parent is the test")
            let words = String(decoding: try folder.read("arguments"), as: UTF8.self).split(separator: "\n")
            for word in [
                "--published=-sets", "--listen=0.0.0.0:80", "--keys=\(folder.path(of: "jwks.json"))",
                "--issuer=https://login.example.org", "--cors-origin=https://a.example.org",
                "--cors-origin=https://b.example.org", "--behind-proxy",
                "--quiet",
            ] { #expect(words.contains(Substring(word)), "\(word)") }
            #expect(words.contains { $0.hasPrefix("--description=") && $0.hasSuffix("/contract/openapi.json") })
            #expect(!words.contains("--demo") && !words.contains("--without-auth"))
            let variables = String(decoding: try folder.read("environment"), as: UTF8.self)
            #expect(variables.contains("JOURNAL_STREAM=1:2"))
            #expect(!variables.contains("SECRET") && !variables.contains("TRIPKPI"))
        }
    }

    @Test(
        "doctor prints what the server answers, its error, or that it does not answer",
        arguments: [
            (
                #"echo '{"address":"https://127.0.0.1:9","certificateEnd":1,"version":"\#(ToolVersion.text)"}'"#,
                #"ok +api +https://127\.0\.0\.1:9, tokens of https://login\.example\.org\nfail +certificate .*ended on 1970"#,
                78
            ),
            ("echo 'tripkpi: jwks.json: cannot be read' >&2; exit 66", #"fail +api +jwks\.json: cannot be read\n"#, 66),
            (
                #"echo '{"address":"https://127.0.0.1:9","version":"0.0.9"}'"#,
                "fail +api .*tripkpi-serve: is of another version than tripkpi; install both", 78
            ),
            ("echo 'Unknown option' >&2; exit 64", "fail +api .*tripkpi-serve: is of another version", 78),
            ("echo no; exit 0", "fail +api .*tripkpi-serve: does not answer", 70),
            ("kill -9 $$", "fail +api .*tripkpi-serve: does not answer", 70),
        ])
    func answers(script: String, line: String, code: Int32) throws {
        try TemporaryFolder.with { folder in
            let program = try copied(to: folder, server: "#!/bin/sh\n" + script + "\n")
            try folder.write(settings, to: "tripkpi.yaml")
            let doctor = try program.run(["doctor", "--quick"], environment: environment, in: folder.url)
            #expect(doctor.stdoutText.firstMatch(of: try Regex(line)) != nil, "\(doctor.stdoutText)")
            #expect(doctor.status == code)
        }
    }

    @Test(
        "a server that cannot be started is told with the system's reason and what helps",
        arguments: [
            (
                "printf 'no program\n' >tripkpi-serve; chmod 755 tripkpi-serve", "Exec format error",
                "install tripkpi again", 78
            ),
            ("printf '#!/bin/sh\n' >tripkpi-serve; chmod 644 tripkpi-serve", "Permission denied", "may run it", 77),
            ("mkdir tripkpi-serve", "is missing", "install tripkpi again", 66),
        ] as [(String, String, String, Int32)])
    func unstartable(script: String, reason: String, remedy: String, code: Int32) throws {
        try TemporaryFolder.with { folder in
            let program = try copied(to: folder)
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
            #expect(try shell.run(["-c", script], in: folder.url).status == 0)
            let served = try program.run(["serve", "--without-auth"], environment: environment, in: folder.url)
            #expect(served.status == code)
            #expect(served.stderrText.contains(reason) && served.stderrText.contains(remedy), "\(served.stderrText)")
            try folder.write(settings, to: "tripkpi.yaml")
            let doctor = try program.run(["doctor", "--quick"], environment: environment, in: folder.url)
            #expect(doctor.stdoutText.contains(reason), "\(doctor.stdoutText)")
        }
    }

    @Test("an empty setting is refused where it is made")
    func empty() throws {
        try TemporaryFolder.with { folder in
            let program = try copied(to: folder, server: "#!/bin/sh\nexit 0\n")
            try folder.write("api_keys: jwks.json\napi_issuer: ''\n", to: "tripkpi.yaml")
            for (words, origin) in [(["serve"], "tripkpi.yaml"), (["serve", "--issuer", ""], "flags")] {
                let served = try program.run(words, environment: environment, in: folder.url)
                #expect(served.status == 78 && served.stderrText.contains("\(origin): api_issuer is empty"))
            }
        }
    }
}
