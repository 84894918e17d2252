/// The age of the newest trip for a message that leaves the machine: a class, because the day itself is a staff figure.
enum AgeWord {
    static func text(days: Int) -> String {
        switch days {
        case ...2: "up to date"
        case ...7: "more than 2 days old"
        case ...31: "more than a week old"
        default: "more than a month old"
        }
    }
}
