import KPIs
package import Trips

/// Facts or tallies that cannot be added up.
package struct TallyFileError: ClassifiedError, CustomStringConvertible, Equatable {
    /// What is wrong.
    package enum Problem: Error, Equatable {
        case missing, noFact, noChange, impossible, noTally, tooManyMonths, tooLarge, incomplete, noSummary,
            impossibleSummary,
            countsDiffer, patientsUnsure
        case damaged(String)
        case version(String)
        /// What two files do not have in common.
        case differs(String)
        case repeatedExport, sameExport, sameSource(String)
    }

    package let file: String
    /// Nil: it is no line's fault.
    package let line: Int?
    package let problem: Problem

    init(file: String, line: Int? = nil, _ problem: Problem) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    package var failureKind: FailureKind { problem == .missing ? .inputMissing : .data }

    package var description: String {
        let place = line.map { "\(file), line \($0)" } ?? file
        return "\(place): \(problem.sentence)"
    }
}

extension TallyFileError.Problem {
    var sentence: String {
        switch self {
        case .missing: "there is no such file"
        case .noFact:
            "neither a fact (\(FactColumn.allCases.count) numbers with tabs between them) nor a tally (a month, a tab, base64)"
        case .impossible:
            "a trip cannot have these values under these options; give the numbers of regions and trip types and the longest "
                + "interval that are in the last line of the facts"
        case .noChange: "no changed trip (0, 1 or 2, a tab, and the numbers of a fact)"
        case .noTally: "no tally of a month"
        case .tooManyMonths: "trips lie in more than \(KPITally.mostMonths) months: dates are read wrongly"
        case .incomplete: "it has no last line that begins with #, so it is not complete; make it again"
        case .noSummary: "its last line is not the one that such a file has"
        case .impossibleSummary: "its last line has numbers that no exports have"
        case .tooLarge: "sums of costs or miles are larger than any trips have"
        case .countsDiffer: "it has other lines or trips than its last line says; make it again"
        case .patientsUnsure: "so many trips were superseded that patients cannot be counted exactly; make it again"
        case .damaged(let detail): "a damaged tally: \(detail)"
        case .version(let found): "it is in version \(found) of its format; make it again with this program"
        case .differs(let what):
            "its \(what) differ from those of the file before; read all exports with the same settings"
        case .repeatedExport: "an export is in it twice; give each export once"
        case .sameExport: "it has an export that the file before has too, whose trips would count twice"
        case .sameSource(let source):
            "it has trips of the source \(source), as the file before has: a trip may be in both. Read all exports of a "
                + "source in one scan, or add --unique if no trip is in two files"
        }
    }
}
