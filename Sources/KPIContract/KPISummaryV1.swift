/// `kpi-summary.json`, contract version 1: what `GET /kpi` serves.
///
/// Keys are written in the order of the properties here. Within version 1 keys are only ever added. A hidden value is
/// nil (`null`), with its cell's flag set; 0 means none.
public struct KPISummaryV1: Decodable, Sendable, Hashable {
    /// What this type writes. A document of version 1.0 decodes too: the keys added since are nil, and it is written
    /// again as it was.
    public static let version = "1.2"

    /// Major 1: keys are only ever added.
    public var contractVersion: String
    /// `staff` or `release`. Nil: a document of version 1.0.
    public var audience: String?
    /// RFC 3339, UTC.
    public var generatedAt: String
    /// The run that made this.
    public var runId: String
    /// The latest local date of a trip, `YYYY-MM-DD`; nil if there is no trip.
    public var dataThrough: String?
    /// The events, in order, of which the first present one decides a trip's month.
    public var monthEvent: String
    /// How dates were read: the zone, or that times were taken as printed.
    public var dateBasis: String
    /// Intervals that are not measured between the standard events. Nil, and no key: there are none, or the document is from
    /// before this key was added.
    public var intervalEvents: [IntervalEvents]?
    /// What the figures are restricted to, a phrase each: `only region North`. “All” in the document means all of that.
    /// Nil, and no key: everything.
    public var selection: [String]?
    /// Completed trips.
    public var totalTrips: Int
    /// Mean seconds; 0 over no trips.
    public var avgDuration: Tenths
    /// Whole percent, rounded half up; 0 over no classified trips.
    public var inHousePercent: Int
    /// Dollars per trip; 0 over no costed trips.
    public var cost: Cents
    /// Trips per month, oldest first, for `months`.
    public var chartData: [Double]
    /// As long as chartData.
    public var months: [String]
    /// Months whose total is hidden, and months withheld until they are closed: they are in neither `months` nor
    /// `chartData`.
    public var withheldMonths: [String]
    /// Released months, or for staff months that are over, of which days at the beginning or the end have no trips: they are
    /// not compared. Also those that the document does not show. Nil, and no key: there are none.
    public var partialMonths: [String]?
    /// The dashboard's cards, in order.
    public var kpiCards: [KPICard]
    /// What the dashboard can filter by.
    public var filters: FilterOptions
    /// Every combination of month, region and trip type, and every All; the first is All of everything.
    public var cells: [Cell]
    /// Groups of several regions and trip types that the release shows together. Nil: a document of version 1.0.
    public var mergedGroups: [MergedGroup]?
    /// Every group of the release, with its figures; staff: none. Nil, and no key: a document from before this key was added.
    public var groups: [Group]?
    /// Which of `avgDuration`, `inHousePercent` and `cost` are 0 because they cannot be published. Nil: a document of
    /// version 1.0.
    public var withheldHeadlines: [String]?
    /// What happened beside the trips. Nil, and no key: no events were read.
    public var events: Events?
    /// One for each month.
    public var comparisons: [Comparison]
    /// For the regions and trip types that have enough closed months. Nil, and no key: a document from before this key was
    /// added.
    public var controlCharts: [ControlChart]?
    /// What measures are to reach, and how often they did. Nil, and no key: no targets are set.
    public var targets: [Target]?
    /// What a reader should know first. Nil, and no key: a document from before this key was added.
    public var headline: Headline?
    /// Months whose figures differ from those published before, in order. Nil, and no key: a document from before this
    /// key was added.
    public var restatements: [Restatement]?
    /// What became of the records that were read.
    public var quality: Quality
    /// Release, of at least 1,000 records: shares in whole per cent. Nil: staff, fewer records, or a document of version
    /// 1.0.
    public var qualityShares: QualityShares?
    /// What is promised about the people behind the numbers.
    public var privacy: PrivacyStatement
    /// Which rules sorted the trips.
    public var rules: RuleSetStamp

    /// Every value as it is to be published; nothing is checked.
    public init(
        contractVersion: String, audience: String? = nil, generatedAt: String, runId: String, dataThrough: String?,
        monthEvent: String,
        dateBasis: String, intervalEvents: [IntervalEvents]? = nil, selection: [String]? = nil, totalTrips: Int,
        avgDuration: Tenths, inHousePercent: Int,
        cost: Cents,
        chartData: [Double], months: [String], withheldMonths: [String], partialMonths: [String]? = nil,
        kpiCards: [KPICard], filters: FilterOptions,
        cells: [Cell], mergedGroups: [MergedGroup]? = nil, groups: [Group]? = nil, withheldHeadlines: [String]? = nil,
        events: Events? = nil, comparisons: [Comparison], controlCharts: [ControlChart]? = nil,
        targets: [Target]? = nil, headline: Headline? = nil, restatements: [Restatement]? = nil, quality: Quality,
        qualityShares: QualityShares? = nil,
        privacy: PrivacyStatement, rules: RuleSetStamp
    ) {
        self.contractVersion = contractVersion
        self.audience = audience
        self.generatedAt = generatedAt
        self.runId = runId
        self.dataThrough = dataThrough
        self.monthEvent = monthEvent
        self.dateBasis = dateBasis
        self.intervalEvents = intervalEvents
        self.selection = selection
        self.totalTrips = totalTrips
        self.avgDuration = avgDuration
        self.inHousePercent = inHousePercent
        self.cost = cost
        self.chartData = chartData
        self.months = months
        self.withheldMonths = withheldMonths
        self.partialMonths = partialMonths
        self.kpiCards = kpiCards
        self.filters = filters
        self.cells = cells
        self.mergedGroups = mergedGroups
        self.groups = groups
        self.withheldHeadlines = withheldHeadlines
        self.events = events
        self.comparisons = comparisons
        self.controlCharts = controlCharts
        self.targets = targets
        self.headline = headline
        self.restatements = restatements
        self.quality = quality
        self.qualityShares = qualityShares
        self.privacy = privacy
        self.rules = rules
    }
}

extension KPISummaryV1 {
    /// The document as the bytes that are published: UTF-8, newline at the end.
    ///
    /// This is the only writer of the contract; the same summary gives the same bytes on every machine. Keys are in
    /// the order of the schema (`data/contract`), indented by two spaces; each card, cell, comparison and restatement is
    /// one line. Dollars have two decimals, miles and seconds one, shares four; counts are plain. A suppressed or
    /// undefined value is `null`, and its key is always there. Warnings are sorted by code. Documents from before a key
    /// was added are written as they were.
    public func canonicalJSON() -> [UInt8] { canonical.document }

    package var canonical: CanonicalJSON {
        [
            "contractVersion": contractVersion, "audience": audience.orAbsent, "generatedAt": generatedAt,
            "runId": runId, "dataThrough": dataThrough, "monthEvent": monthEvent, "dateBasis": dateBasis,
            "intervalEvents": intervalEvents.orAbsent,
            "selection": selection.orAbsent, "totalTrips": totalTrips, "avgDuration": avgDuration,
            "inHousePercent": inHousePercent, "cost": cost,
            "chartData": chartData, "months": months, "withheldMonths": withheldMonths,
            "partialMonths": partialMonths.orAbsent,
            "kpiCards": kpiCards.map { $0.canonical(withDirection: audience != nil) }, "filters": filters,
            "cells": cells.map { CanonicalJSON.object($0.canonicalMembers) }, "mergedGroups": mergedGroups.orAbsent,
            "groups": groups.orAbsent,
            "withheldHeadlines": withheldHeadlines.orAbsent, "events": events.orAbsent, "comparisons": comparisons,
            "controlCharts": controlCharts.orAbsent, "targets": targets.orAbsent, "headline": headline.orAbsent,
            "restatements": restatements.orAbsent, "quality": quality,
            "qualityShares": audience == nil ? CanonicalJSON.absent : qualityShares.canonical, "privacy": privacy,
            "rules": rules,
        ]
    }
}
