extension KPISummaryV1 {
    /// What a reader should know first: the latest complete month, and in three sentences what changed, where, and since when.
    public struct Headline: Decodable, Sendable, Hashable {
        /// `YYYY-MM`: the last month that is over and shown. Nil: there is none.
        public var month: String?
        /// Plain English, of figures that are in `cells` and signals that are in `controlCharts`. Empty without a month.
        public var sentences: [String]

        /// Every value as it is to be published; nothing is checked.
        public init(month: String?, sentences: [String]) {
            self.month = month
            self.sentences = sentences
        }
    }
}

extension KPISummaryV1.Headline: CanonicalValue {
    package var canonical: CanonicalJSON { ["month": month, "sentences": sentences] }
}
