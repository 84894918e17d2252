import KPIContract

/// Checks the sentences of a release: every number in them is a figure that the document shows.
///
/// Each digit of a sentence must be inside a name, a month or the text of a figure that the document has.
struct HeadlineAudit {
    private static let measures = ["trips", "inHouseShare", "costPerTrip", "response.p90", "duration.mean"]
    /// The only other numbers: of the name of a measure, and of the rule of control charts.
    private static let words = ["p90", "12 months"]

    private let document: KPISummaryV1
    /// The document's own: which months are over is no secret, and not in the groups.
    private let month: CalendarMonth?
    private let isShown: Bool

    /// - Parameter shown: the released months of the document.
    init(_ document: KPISummaryV1, shown: [String]) {
        self.document = document
        month = document.headline?.month.flatMap(CalendarMonth.init)
        let total = document.cells.first { $0.key == CellKey(month: document.headline?.month ?? "") }
        isShown = shown.contains(total?.month ?? "") && total?.suppressed == false
    }

    /// What is wrong; empty if nothing is.
    var findings: [String] {
        guard let headline = document.headline else { return ["headline is missing"] }
        var findings: [String] = []
        if headline.month != nil, !isShown { findings.append("headline is not of a month that is shown") }
        if month == nil, !headline.sentences.isEmpty { findings.append("headline has sentences of no month") }
        let known = texts
        for (place, sentence) in headline.sentences.enumerated() {
            if Self.hasOtherNumber(sentence, than: known) {
                findings.append("sentence \(place + 1) of headline has a number that no figure shown is")
            }
        }
        return findings
    }

    private static func hasOtherNumber(_ sentence: String, than texts: [String]) -> Bool {
        // Scalars: a name may begin with an accent, which then is one character with the blank before it.
        let scalars = Array(sentence.unicodeScalars), isNumber = scalars.map { $0.properties.numericType != nil }
        var isKnown = isNumber.map { !$0 }
        for text in texts.map({ Array($0.unicodeScalars) }) where !text.isEmpty && text.count <= scalars.count {
            for start in 0...(scalars.count - text.count)
            where scalars[start..<start + text.count].elementsEqual(text) {
                let end = start + text.count
                // A part of a longer number is not this number.
                let isPart =
                    (start > 0 && isNumber[start] && isNumber[start - 1])
                    || (end < scalars.count && isNumber[end - 1] && isNumber[end])
                if !isPart { for place in start..<end { isKnown[place] = true } }
            }
        }
        return isKnown.contains(false)
    }

    /// Everything with a digit that a sentence may have.
    private var texts: [String] {
        guard let month else { return Self.words }
        let names = document.filters.regions + document.filters.tripTypes
        // A signal may be of a month that the document does not show.
        let signals = (document.controlCharts ?? []).flatMap { $0.signals.map(\.month) }
        let months = document.months + signals + [month.name, month.advanced(by: -1).name]
        let near = [month.name, month.advanced(by: -1).name]
        let figures = document.cells.filter { near.contains($0.month) && $0.tripType == "All" }.flatMap { cell in
            Self.measures.compactMap { name in
                KPICatalog.description(named: name).flatMap { kpi in
                    kpi.shownFigure(cell).map { kpi.spacious($0, isRounded: false) }
                }
            }
        }
        return Array(Set(names + months + figures + Self.words))
    }
}

extension SummaryAudit {
    func checkHeadline(_ document: KPISummaryV1) {
        for finding in HeadlineAudit(document, shown: release.shownMonths).findings { require(false, finding) }
    }
}
