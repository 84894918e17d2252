import ArgumentParser
import Settings

struct JobsOption: ParsableArguments {
    @Option(help: Setting.jobs.help("n")) var jobs: Int?

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256") }
    }

    var flags: [Setting: String?] { [.jobs: jobs.map(String.init)] }
}
