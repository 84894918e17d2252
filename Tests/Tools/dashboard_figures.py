"""What dashboard.html must show of a kpi-summary.json, written again without the code that wrote the page."""
from decimal import ROUND_HALF_UP, Decimal

import figure_marks
from figure_marks import at

# The columns of the page's tables: title, path in a cell of the JSON, form, and the figures whose sum of 0 means `none`.
COLUMNS = [
    ("Trips", "trips", "count", None), ("Cancelled", "cancelled", "count", None), ("No-show", "noShow", "count", None),
    ("In-house", "inHouse", "count", None), ("Contracted", "contracted", "count", None),
    ("Unclassified", "unclassified", "count", None),
    ("In-house share", "inHousePercent", "percent", ["inHouse", "contracted"]),
    ("Total cost", "totalCost", "dollars", None), ("Cost per trip", "costPerTrip", "dollars", ["costedTrips"]),
    ("Cost per loaded mile", "costPerLoadedMile", "dollars", "miles"),
    ("Average duration", "duration.mean", "time", ["duration.used"]),
    ("Response p90", "response.p90", "time", ["response.used"]),
]
# The charts: their columns of data, by the id of their figure.
MONTH_CHARTS = {
    "chart-trips": ["Trips"], "chart-in-house": ["In-house share"], "chart-cost": ["Cost per trip"],
    "chart-times": ["Average duration", "Response p90"],
}
CARDS = {"totalTrips": "Trips", "inHousePercent": "In-house share", "costPerTrip": "Cost per trip",
         "averageDuration": "Average duration", "responseP90": "Response p90"}


def table_text(cell, title):
    """A figure as the page's tables write it, with its mark and, for a screen reader, the mark's words."""
    path = next(column[1] for column in COLUMNS if column[0] == title)
    sign = "" if at(cell, path) is None else figure_marks.mark(cell, path)
    return text(cell, title) + sign + figure_marks.WORDS[sign]


def text(cell, title):
    """A figure by itself: `hidden` or `none` where the document has null."""
    _, path, form, parts = next(column for column in COLUMNS if column[0] == title)
    value = at(cell, path)
    if value is None:
        return "none" if is_none(cell, parts) else "hidden"
    if form == "count":
        return f"{value:,}"
    if form == "percent":
        return f"{value}%"
    if form == "dollars":
        return f"{'-' if value < 0 else ''}${abs(Decimal(str(value))):,.2f}"
    if form == "miles":
        return f"{Decimal(str(value)):,.1f}"
    return clock(value)


def is_none(cell, parts):
    if parts is None or cell["suppressed"]:
        return False
    if parts == "miles":
        # Sums over other trips have no quotient, but they are not none.
        return (cell["totalCost"] is not None and cell["loadedMiles"] is not None
                and not {"cost", "loadedMiles"} & set(cell.get("incompleteMeasures", [])))
    return all(at(cell, part) == 0 for part in parts)


def whole(seconds):
    return int(Decimal(str(seconds)).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def clock(seconds):
    minutes, rest = divmod(whole(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def card_text(cell, title):
    """The same on a card, where times are in words."""
    shown = text(cell, title)
    if shown in ("hidden", "none"):
        return shown.capitalize()
    if title not in ("Average duration", "Response p90"):
        return shown
    path = next(column[1] for column in COLUMNS if column[0] == title)
    seconds = whole(at(cell, path))
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

    def row(self, place, titles=None):
        """The figures of a cell as texts; a withheld month has none to show."""
        titles = titles or [column[0] for column in COLUMNS]
        cell = self.cells.get(place)
        if cell is None:
            return ["hidden" if place[0] in self.document["withheldMonths"] else "none"] * len(titles)
        return [table_text(cell, title) for title in titles]

    def groups(self, month="All", region="All", trip_type="All"):
        return [[r, t] + self.row((month, r, t))
                for r in self.filters["regions"] if region in ("All", r)
                for t in self.filters["tripTypes"] if trip_type in ("All", t)]

    def by_month(self, region="All", trip_type="All", titles=None):
        return [[m] + self.row((m, region, trip_type), titles) for m in self.months]


def calendar(first, last):
    year, month = map(int, first.split("-"))
    months = []
    while not months or months[-1] != last:
        months.append(f"{year}-{month:02}")
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return months
