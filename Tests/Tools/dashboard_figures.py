"""What dashboard.html must show of a kpi-summary.json, written again without the code that wrote the page."""
from decimal import ROUND_HALF_UP, Decimal

import figure_marks
from figure_marks import at

# The columns of the page's tables: title, path in a cell of the JSON, form, and the figures whose sum of 0 means `none`.
COLUMNS = [
    ("Trips", "trips", "count", None), ("Cancelled", "cancelled", "count", None), ("No-show", "noShow", "count", None),
    ("In-house", "inHouse", "count", None), ("Contracted", "contracted", "count", None),
    ("Unclassified", "unclassified", "count", None),
    ("In-house share", "inHouseShare", "share", ["inHouse", "contracted"]),
    ("Total cost", "totalCost", "dollars", None), ("Cost per trip", "costPerTrip", "dollars", ["costedTrips"]),
    ("Cost per loaded mile", "costPerLoadedMile", "dollars", "miles"),
    ("Average duration", "duration.mean", "time", ["duration.used"]),
    ("Response p90", "response.p90", "time", ["response.used"]),
]
# The key figures: cards and charts by month, in their order, by the id of the chart's figure.
KEY_FIGURES = {
    "chart-trips": "Trips", "chart-inHouseShare": "In-house share", "chart-costPerTrip": "Cost per trip",
    "chart-response-p90": "Response p90", "chart-duration-mean": "Average duration",
}
TIMES = ("Average duration", "Response p90")


def path_of(title):
    return next(column[1] for column in COLUMNS if column[0] == title)


def table_text(cell, title, is_release):
    """A figure as the page's tables write it, with its mark and, for a screen reader, the mark's words."""
    path = path_of(title)
    is_shown = at(cell, path) is not None
    sign = figure_marks.mark(cell, path) if is_shown else ""
    rounded = "≈ " if is_shown and is_release and title == "Response p90" else ""
    return rounded + text(cell, title) + sign + figure_marks.WORDS[sign]


def text(cell, title):
    """A figure by itself: `hidden` or `none` where the document has null."""
    _, path, form, parts = next(column for column in COLUMNS if column[0] == title)
    value = at(cell, path)
    if path == "totalCost" and value == 0 and cell["costedTrips"] == 0 and cell["trips"]:
        return "none"
    if value is None:
        return "none" if is_none(cell, path, parts) else "hidden"
    if form == "count":
        return f"{value:,}"
    if form == "share":
        return share_text(cell["inHouse"], cell["inHouse"] + cell["contracted"])
    if form == "dollars":
        return f"{'-' if value < 0 else ''}${abs(Decimal(str(value))):,.2f}"
    if form == "miles":
        return f"{Decimal(str(value)):,.1f}"
    return clock(value)


def share_text(part, whole):
    """Rounded once, from the counts: the share of the document is rounded already."""
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}%"


def is_none(cell, path, parts):
    """Whether a figure that is null is of no trips, and not hidden: what leaves out trips is hidden."""
    if parts is None or cell["suppressed"] or figure_marks.mark(cell, path):
        return False
    if parts == "miles":
        return cell["totalCost"] is not None and cell["loadedMiles"] is not None
    return all(at(cell, part) == 0 for part in parts)


def whole(seconds):
    return int(Decimal(str(seconds)).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def clock(seconds):
    minutes, rest = divmod(whole(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def in_words(value, title, cell=None):
    """A figure in running text: times in units, shares in per cent. A share without a cell is a target."""
    if title == "In-house share":
        if cell:
            return text(cell, title)
        units = round(value * 10_000)
        return f"{units // 100}.{units // 10 % 10}%" if units % 10 == 0 else f"{units // 100}.{units % 100:02}%"
    if title not in TIMES:
        path = path_of(title)
        cell = {}
        part = cell
        for key in path.split(".")[:-1]:
            part = part.setdefault(key, {})
        part[path.split(".")[-1]] = value
        return text(cell, title)
    seconds = whole(value)
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


class Summary:
    """A kpi-summary.json with its cells at hand."""
    def __init__(self, document):
        self.document = document
        self.cells = {(c["month"], c["region"], c["tripType"]): c for c in document["cells"]}
        self.filters = document["filters"]
        months = {c["month"] for c in document["cells"]} - {"All"} | set(document["withheldMonths"])
        self.months = calendar(min(months), max(months)) if months else []
        self.is_release = document.get("audience") != "staff" and not document["privacy"]["statement"].startswith("INTERNAL")
        self.latest = document["headline"]["month"] if "headline" in document else (document["months"] or [None])[-1]
        self.charts = {(c["measure"], c["region"], c["tripType"]): c for c in document.get("controlCharts", [])}

    def row(self, place, titles=None):
        """The figures of a cell as texts; a withheld month has none to show."""
        titles = titles or [column[0] for column in COLUMNS]
        cell = self.cells.get(place)
        if cell is None:
            return ["hidden" if place[0] in self.document["withheldMonths"] else "none"] * len(titles)
        return [table_text(cell, title, self.is_release) for title in titles]

    def groups(self, month="All", region="All", trip_type="All"):
        return [[r, t] + self.row((month, r, t))
                for r in self.filters["regions"] if region in ("All", r)
                for t in self.filters["tripTypes"] if trip_type in ("All", t)]

    def by_month(self, region="All", trip_type="All", titles=None):
        return [[m] + self.row((m, region, trip_type), titles) for m in self.months]

    # Key figures

    def key_text(self, title, month, region, trip_type):
        """A figure on a card; None where there is none."""
        place, path = (month, region, trip_type), path_of(title)
        cell = self.cells.get(place)
        if cell is None:
            return "hidden" if month in self.document["withheldMonths"] else None
        value = at(cell, path)
        if value is None:
            return None if text(cell, title) == "none" else "hidden"
        rounded = "≈ " if self.is_release and title == "Response p90" else ""
        return rounded + in_words(value, title, cell) + figure_marks.mark(cell, path)

    def is_of_few(self, title, month, region, trip_type):
        """Whether a share or percentile is of fewer than 11 trips."""
        parts = next(column[3] for column in COLUMNS if column[0] == title)
        counts = [at(self.cells[month, region, trip_type], part) for part in parts or []]
        return bool(counts) and None not in counts and sum(counts) < 11

    def mean(self, title, month, region, trip_type):
        """Twelve months together and how many months these are; None for fewer than three, and for a percentile."""
        path, months = path_of(title), calendar(before(month, 11), month)
        last = self.cells.get((month, region, trip_type))
        cells = [self.cells.get((one, region, trip_type)) for one in months]
        cells = [cell for cell in cells if last and at(last, path) is not None and cell and at(cell, path) is not None
                 and figure_marks.is_comparable(cell, last, path)]
        if len(cells) < 3 or title == "Response p90":
            return None
        needed = {"In-house share": ["inHouse", "contracted"], "Cost per trip": ["totalCost", "costedTrips"],
                  "Average duration": ["duration.used"]}.get(title, [])
        if any(at(cell, one) is None for cell in cells for one in needed):
            return None
        total = lambda *paths: sum(Decimal(str(at(cell, one))) for cell in cells for one in paths)
        if title == "In-house share":
            return share_text(int(total("inHouse")), int(total("inHouse", "contracted"))), len(cells)
        if title == "Trips":
            exact, step = total("trips") / len(cells), "1"
        elif title == "Cost per trip":
            exact, step = total("totalCost") / total("costedTrips"), "0.01"
        else:
            weighed = sum(Decimal(str(at(cell, path))) * at(cell, "duration.used") for cell in cells)
            exact, step = weighed / total("duration.used"), "0.1"
        value = (exact / Decimal(step)).quantize(Decimal(1), rounding=ROUND_HALF_UP) * Decimal(step)
        return in_words(int(value) if title == "Trips" else float(value), title), len(cells)

    def key_facts(self, title, month, region, trip_type):
        """What a card has below its value: names and texts."""
        facts = []
        if month is not None:
            facts += [("Month before", self.key_text(title, before(month, 1), region, trip_type)),
                      ("Year before", self.key_text(title, before(month, 12), region, trip_type))]
            mean = None if self.is_under_way(month) else self.mean(title, month, region, trip_type)
            name = "12 months" if mean is None or mean[1] == 12 else f"{mean[1]} months"
            facts.append((name, mean and mean[0]))
        facts.append(("All months", self.key_text(title, "All", region, trip_type)))
        return [part for name, found in facts for part in (name, found or "–")]

    def target(self, title, region, trip_type):
        """What a card has of a target: its name and text; empty without one."""
        for one in self.document.get("targets", []):
            if (one["measure"], one["region"], one["tripType"]) == (path_of(title), region, trip_type):
                direction = "at least" if title == "In-house share" else "at most"
                months = f", met in {one['monthsMet']} of {one['monthCount']} month{'s' * (one['monthCount'] != 1)}"
                return ["Target", f"{direction} {in_words(one['target'], title)}" + (months if one["monthCount"] else "")]
        return []

    def is_under_way(self, month):
        return "headline" in self.document if self.latest is None else month > self.latest

    def verdict(self, title, month, region, trip_type):
        """Better, worse, higher or lower than usual, or as usual; None for a month that is in no chart."""
        chart = self.charts.get((path_of(title), region, trip_type))
        if chart is None or month is None:
            return None
        months = chart["monthCount"] + len(chart["monthsLeftOut"])
        if not before(chart["lastMonth"], months - 1) <= month <= chart["lastMonth"] or month in chart["monthsLeftOut"]:
            return None
        signal = next((one for one in chart["signals"] if one["month"] == month), None)
        if signal is None:
            return "about the same as usual"
        better = {None: "higher" if signal["direction"] == "high" else "lower", True: "better", False: "worse"}
        return f"{better[signal['isBetter']]} than usual"

    def point(self, title, month, region, trip_type):
        """What a chart says of one of its months."""
        found = self.key_text(title, month, region, trip_type)
        event = next((one for one in self.document.get("events", {}).get("counts", [])
                      if (one["month"], one["region"], one["kind"]) == (month, region, "All")), None)
        happened = ""
        if event:
            kinds = sorted((one for one in self.document["events"]["counts"] if (one["month"], one["region"]) == (month, region)
                            and one["kind"] != "All"), key=lambda one: -one["events"])
            named = [f"{one['kind']} {one['events']:,}" for one in kinds[:2]]
            others = sum(one["events"] for one in kinds[2:])
            named += [f"others {others:,}"] if others else []
            evacuations = event["evacuations"]
            happened = (f"; {event['events']:,} event{'' if event['events'] == 1 else 's'}" + (f" ({', '.join(named)})" if named else "")
                        + ("" if evacuations is None else f", {evacuations:,} evacuation{'' if evacuations == 1 else 's'}"))
        if found in (None, "hidden"):
            return f"{month}: {found or 'none'}{happened}"
        sign = figure_marks.mark(self.cells[month, region, trip_type], path_of(title))
        notes = [figure_marks.WORDS[sign].strip(), "under way" if self.is_under_way(month) else "",
                 self.verdict(title, month, region, trip_type) or ""]
        notes = ", ".join(note for note in notes if note)
        return f"{month}: {found.removesuffix(sign) if sign else found}" + (f" ({notes})" if notes else "") + happened


def before(month, count):
    year, number = map(int, month.split("-"))
    place = year * 12 + number - 1 - count
    return f"{place // 12}-{place % 12 + 1:02}"


def calendar(first, last):
    year, month = map(int, first.split("-"))
    months = []
    while not months or months[-1] != last:
        months.append(f"{year}-{month:02}")
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return months
