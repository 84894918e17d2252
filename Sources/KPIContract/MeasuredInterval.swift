/// One of the contract's six intervals, with its default events; `dateBasis` names other ones.
struct MeasuredInterval: Sendable {
    let name: String
    let start: String
    let end: String
    /// A longer way takes longer: how long transport takes is neither good nor bad.
    var better: KPIDescription.Direction { name == "transport" ? .neither : .lower }

    /// In the contract's order.
    static let all = [
        MeasuredInterval(name: "duration", start: "unit notified", end: "completed"),
        MeasuredInterval(name: "response", start: "unit notified", end: "on scene"),
        MeasuredInterval(name: "turnout", start: "unit notified", end: "en route"),
        MeasuredInterval(name: "scene", start: "on scene", end: "left scene"),
        MeasuredInterval(name: "transport", start: "left scene", end: "arrived"),
        MeasuredInterval(name: "turnaround", start: "arrived", end: "completed"),
    ]

    /// The place of an interval in `all`.
    static func place(of name: String) -> Int { all.firstIndex { $0.name == name } ?? 0 }
}
