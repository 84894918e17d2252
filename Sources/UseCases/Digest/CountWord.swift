import Basics

/// A count of staff figures for a message that leaves the machine: a number from the threshold on, else a word.
enum CountWord {
    /// - Parameter total: of which the count is a part.
    static func text(_ count: Int, of total: Int) -> String {
        if count == 0 { return "none" }
        if count == total { return "all" }
        return count < MinimumCell.standard ? "some" : String(count)
    }
}
