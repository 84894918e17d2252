"""What one published set shows to an outsider."""
import collections
import csv
import gzip
import io
import json
from decimal import Decimal

ALL, UNASSIGNED = "All", "Unassigned"
INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")
SOURCING = ("inHouse", "contracted", "unclassified")
FAMILIES = ("status", "sourcing", "cost", "miles", *INTERVALS)
COUNTS = {"status": ("trips", "cancelled", "noShow"), "sourcing": SOURCING, "cost": ("costedTrips",), "miles": (),
          **{name: (f"{name}.used", f"{name}.excluded") for name in INTERVALS}}
SUMS = {"status": (), "sourcing": (), "cost": ("totalCost", "inHouseCost", "contractedCost"),
        "miles": ("loadedMiles", "unloadedMiles"), **{name: (f"{name}.sum",) for name in INTERVALS}}
EVERY_SUM = {figure for figures in SUMS.values() for figure in figures}
CSV_NAMES = {"noShow": "no_show", "inHouse": "in_house", "costedTrips": "costed_trips", "tripType": "trip_type",
             "inHousePercent": "in_house_percent", "inHouseShare": "in_house_share",
             "totalCost": "total_cost_dollars", "inHouseCost": "in_house_cost_dollars",
             "contractedCost": "contracted_cost_dollars", "costPerTrip": "cost_per_trip_dollars",
             "loadedMiles": "loaded_miles", "unloadedMiles": "unloaded_miles",
             "loadedMileRatio": "loaded_mile_ratio", "costPerLoadedMile": "cost_per_loaded_mile_dollars",
             **{name: name for name in ("trips", "cancelled", "contracted", "unclassified")}}
for _name in INTERVALS:
    CSV_NAMES |= {f"{_name}.{part}": f"{_name}_{part}{unit}" for part, unit in
                  (("used", ""), ("excluded", ""), ("mean", "_seconds"), ("p50", "_seconds"), ("p90", "_seconds"))}


class PublishedSet:
    """What one set shows: cell key → figure name → number (absent where null)."""

    def __init__(self, summary, cells_csv=None, name="set", rows=None):
        self.name = name
        self.summary = json.loads(summary, parse_float=Decimal)
        self.only_in_csv = []
        self.small_patients = []
        self.fingerprints = None  # see leaf_versions
        self.cells = {self.key(cell): flat(cell) for cell in self.summary["cells"]}
        self.minimum = self.summary["privacy"]["minimumCell"]
        if cells_csv:
            self.read_csv(cells_csv)
        self.group, self.rows, self.has_providers = None, collections.Counter(), False
        if rows:
            self.read_rows(gzip.decompress(rows).decode().splitlines())
        keys = list(self.cells)
        self.months, self.regions, self.types = (
            list(dict.fromkeys(key[axis] for key in keys if key[axis] != ALL)) for axis in range(3))

    @staticmethod
    def key(cell):
        return cell["month"], cell["region"], cell["tripType"]

    def read_csv(self, text):
        text = text.decode() if isinstance(text, bytes) else text
        for row in csv.DictReader(io.StringIO(text, newline="")):
            key = row["month"], row["region"], row["trip_type"]
            cell = self.cells.setdefault(key, {})
            if row.get("patients", "").isdigit() and 0 < int(row["patients"]) < self.minimum:
                self.small_patients.append(key)
            for name, column in CSV_NAMES.items():
                if row.get(column) and name not in cell and name != "tripType":
                    cell[name] = Decimal(row[column])
                    self.only_in_csv.append((key, name))

    def read_rows(self, lines):
        """`trips.ndjson.gz`: rows by year, trip type and class."""
        for entry in map(json.loads, lines):
            if "header" in entry:
                self.group = entry["header"].get("minimumGroup")
                continue
            self.rows[entry["date"][:4], entry["tripType"], entry["sourcing"]] += 1
            self.has_providers |= bool(entry["provider"])

    def leaves(self, key):
        month, region, kind = key
        return [(m, r, t) for m in (self.months if month == ALL else [month])
                for r in (self.regions if region == ALL else [region])
                for t in (self.types if kind == ALL else [kind])]

    def children(self, key):
        """The cells that a cell is the sum of, in each of the directions in which it is a sum."""
        for axis, values in enumerate((self.months, self.regions, self.types)):
            if key[axis] == ALL:
                yield [(*key[:axis], value, *key[axis + 1:]) for value in values]


def flat(cell):
    figures = {}
    for name, value in cell.items():
        if isinstance(value, dict):
            figures |= {f"{name}.{part}": number for part, number in value.items() if number is not None}
        elif value is not None and not isinstance(value, (str, bool)):
            figures[name] = value
    return figures


def is_shown(cell, figure):
    """Whether the cell tells the sum: itself, or as a mean over a count."""
    if not figure.endswith(".sum"):
        return figure in cell
    name = figure.removesuffix(".sum")
    return cell.get(f"{name}.used") == 0 or f"{name}.mean" in cell and f"{name}.used" in cell
