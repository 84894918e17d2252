extension KPISummaryV1 {
    /// The events between which an interval is measured, where they are not the standard ones.
    public struct IntervalEvents: Decodable, Sendable, Hashable {
        /// `duration`, `response`, `turnout`, `scene`, `transport` or `turnaround`.
        public var interval: String
        /// The field of the event that it begins with: `requested_at`.
        public var start: String
        /// The field of the event that it ends with: `completed_at`.
        public var end: String

        /// Every value as it is to be published; nothing is checked.
        public init(interval: String, start: String, end: String) {
            self.interval = interval
            self.start = start
            self.end = end
        }
    }
}

extension KPISummaryV1.IntervalEvents {
    /// `request to on scene`
    package var words: String { "\(Self.words(of: start)) to \(Self.words(of: end))" }

    /// `on_scene_at` as people say it: `on scene`.
    private static func words(of field: String) -> String {
        if field == "requested_at" { return "request" }
        return field.split(separator: "_").filter { $0 != "at" }.joined(separator: " ")
    }
}

extension KPISummaryV1.IntervalEvents: CanonicalValue {
    package var canonical: CanonicalJSON { ["interval": interval, "start": start, "end": end] }
}
