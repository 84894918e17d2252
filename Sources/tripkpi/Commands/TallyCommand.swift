import ArgumentParser
import Cluster
import Files
import Reporting
import Trips

struct TallyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tally",
        abstract: "Add up facts, as a step of a pipe.",
        discussion: """
            Reads lines of `tripkpi facts` without the last one, and lines of tallies that this command wrote; writes a \
            line for each month, then # and the number of trips as JSON. The facts must be those of the newest version of \
            each trip. The numbers of regions and trip types and the longest interval are in the last line of the facts.

            An engine such as Spark runs it beside each part of its data: docs/spark.md. The tallies hold pseudonyms of \
            patients, for staff only, as the facts do.

            EXAMPLES:
              tripkpi tally --regions 19 --trip-types 7 --longest-interval 86400 < newest.tsv > part.lines
            """)

    @Option(help: .value("n", "How many regions there are, with \"Unassigned\".")) var regions: Int
    @Option(help: .value("n", "How many trip types there are, with \"Unassigned\".")) var tripTypes: Int
    @Option(help: .value("seconds", "The longest interval that is not taken for a fault.")) var longestInterval: Int

    func validate() throws {
        guard (1...255).contains(regions), (1...255).contains(tripTypes) else {
            throw ValidationError("--regions and --trip-types take 1 to 255")
        }
        guard (1...TripInterval.longestLimitSeconds).contains(longestInterval) else {
            throw ValidationError("--longest-interval takes 1 to \(TripInterval.longestLimitSeconds)")
        }
    }

    func run() throws {
        var adder = FactAdder(regions: regions, tripTypes: tripTypes, maximumIntervalSeconds: longestInterval)
        try StandardInput.forEachPiece { try adder.add($0) }
        try StandardOutput.write(try adder.finish())
    }
}
