#!/usr/bin/env python3
"""Each method by which the release before the partition disclosed small counts, tried on the release: costs by sourcing, cost per
mile, counts of records and warnings, missing event times, counts of missing values, a total alone, reports of a part, sets of
different nights and rollbacks, row files.

The populations have regions of one class, missing miles and event times, trips without region or type, and a month in
which only spill-over trips lie. In the series late trips, corrections and voided trips come night by night.

CHECK_WAYS says how many populations (4; 100 by hand), CHECK_NIGHTS how many nights (8; 24 by hand), CHECK_SEED which.
"""
import collections
import datetime
import gzip
import json
import os
import pathlib
import random
import sys
import tempfile
import warnings
from decimal import Decimal

import openpyxl

from check_attack import event_times, text_of_place, with_value
from nightly_site import Checks, Site
from release_attack import by_miles, confined, isolated, sums
from release_data import EVENTS, INTERVALS, Habits, Population, document, figures, key_of, months_from, row, run
from release_partition import MEASURES, Release

warnings.simplefilter("ignore")  # openpyxl, of extensions that it does not read
WAYS = int(os.environ.get("CHECK_WAYS", "4"))
NIGHTS = int(os.environ.get("CHECK_NIGHTS", "8"))
SEED = int(os.environ.get("CHECK_SEED", "7"))
DAY = 86_400
FIRST = 1_770_250_000  # 2026-02-05


def rough(seed, months=("2025-01", "2025-02", "2025-03"), mean=14):
    """Regions of one class, remainders, missing values, and a few trips of the month after the last."""
    rng = random.Random(f"ways {SEED} {seed}")
    data = Population(["North", "South", "East", "West"], ["Emergency", "Routine"])
    classes = {"North": "inHouse", "South": "contracted", "East": None, "West": None}
    habits = Habits(0.03, 0.04, 0.01, 0.02, 0.06, 0.7, 0.05, 10 ** 6, 0, 0)
    for month in months:
        for region in data.regions:
            for kind in data.types:
                for _ in range(rng.choice((0, mean // 3, mean, 2 * mean, 4 * mean))):
                    data.add(row(rng, len(data.rows), month, region, kind, habits, classes[region]))
    after = months_from(months[-1], 2)[1]
    for _ in range(4):
        data.add(row(rng, len(data.rows), after, "East", "Routine", habits))
    return data


def cells_of(summary):
    return {key_of(cell): figures(cell) for cell in summary["cells"]}


def released(folder, command, *words, form="json", **options):
    """What the command prints for release."""
    return run(folder, command, *words, "--audience", "release", "--format", form, **options)


# One way each: what is wrong, a line each.

def sums_by_sourcing(data, release, summary, **_):
    for measure in MEASURES:
        broken, small = isolated(sums([summary], measure), with_value(release, data.trips, measure))
        yield from (f"the {measure} of {trips} trips is {value:.2f}" for _, trips, value in broken)
        if small:
            yield f"{len(small)} columns of {measure} over 1 to 10 trips"


def cost_per_mile(data, release, summary, **_):
    without = sum(t.status == "completed" and t.cents is not None and not t.loaded for t in data.trips)
    if not 0 < without:
        yield "the population has no trips without miles"
    for part, dollars, tolerance in by_miles(summary):
        if abs(dollars) > tolerance:
            yield f"{text_of_place(part)}: {dollars:.2f} dollars are of other trips than those with miles"


def counts_of_records(data, release, summary, folder, path, text, **_):
    quality = summary["quality"]
    yield from (f"quality.{name} is shown" for name, value in quality.items()
                if isinstance(value, int) and value is not None)
    yield from (f"warnings.{name} is shown" for name, value in quality["warnings"].items() if value is not None)
    # Records that are no trips, and copies, change nothing at all.
    first = data.rows[0]
    more = [{**first, "trip_id": ""}, {**first, "trip_id": "x1", "status": "nonsense"}, dict(first),
            {**first, "trip_id": "x2", "status": "void"}, {**first, "updated_at": "2019-01-01 00:00:00", "cost": "1.00"}]
    again = released(folder, "scan", data.write(folder, "more.csv", data.rows + more), "--max-reject", "90%")
    if again != text:
        yield "rejected, void, unchanged or superseded records show in the document"
    words = [b"read", b"rejected", b"superseded"]
    lines = released(folder, "scan", path, form="csv").splitlines()
    yield from (f"the CSV has {word.decode()}" for word in words if any(word in name.split(b"_") for name in lines[0].split(b",")))


def missing_event_times(data, release, summary, folder, path, **_):
    for cell, seconds, some in event_times(summary, release, data.trips):
        yield f"{cell}: {seconds:.0f} s are of {some} trips"
    staff = document(run(folder, "scan", path, "--format", "json", "--audience", "staff"))
    if not list(event_times(staff, release, data.trips)):
        yield "teeth: the same does not break the document for staff"


def total_alone(folder, **_):
    """Months of 10 and 11 trips, of two types or classes."""
    habits = Habits()
    for name, parts in (("types", [("North", "Emergency", "inHouse", 5), ("North", "Routine", "inHouse", 6)]),
                        ("regions", [("North", "Emergency", "inHouse", 1), ("South", "Emergency", "contracted", 10)])):
        rng = random.Random(name)
        data = Population(["North", "South"], ["Emergency", "Routine"])
        for region, kind, sourcing, count in parts:
            for _ in range(count):
                data.add(row(rng, len(data.rows), "2025-02", region, kind, habits, sourcing))
        summary = document(released(folder, "scan", data.write(folder)))
        if summary["totalTrips"] != 11:
            yield f"11 trips of two {name}: the total is not shown"
        yield from (f"11 trips of two {name}: {key} lies in {bounds}" for key, bounds in confined([summary]).items())
        if released(folder, "scan", data.write(folder, rows=data.rows[:10]), expect=65) is not None:
            yield "10 trips are shown"
        yield from (f"11 trips of two {name}: {key_of(cell)} shows a part" for cell in summary["cells"]
                    if cell["trips"] not in (None, 0, 11))


def reports_of_parts(data, release, summary, folder, path, **_):
    """A cell of a report of a part says what the whole says of it, or what a union of groups of it is."""
    whole = cells_of(summary)
    everywhere = [("--region", name) for name in data.regions] + [("--type", name) for name in data.types]
    everywhere += [(*one, *other) for one in everywhere for other in everywhere if one < other and one[0] != other[0]]
    documents = [summary]
    for words in everywhere:
        for months in ((), ("--month", "2025-02")):
            text = released(folder, "report", path, *words, *months, expect=65)
            if not text:
                continue
            part = document(text)
            documents.append(part)
            chosen = {axis: words[words.index(option) + 1] if option in words else "All"
                      for axis, option in ((1, "--region"), (2, "--type"))}
            for key, own in cells_of(part).items():
                month = key[0] if key[0] != "All" or not months else months[1]
                same = whole.get((month, *(chosen[axis] if key[axis] == "All" else key[axis] for axis in (1, 2))))
                if same is not None and own != same:
                    names = [name for name in own.keys() | same.keys() if own.get(name) != same.get(name)]
                    yield f"{' '.join(words + months)} {key}: other {', '.join(sorted(names)[:4])} than in the whole"
    yield from (f"{name} lies in {bounds}" for name, bounds in list(confined(documents).items())[:3])


def page_and_workbook(summary, folder, path, **_):
    """The page holds the same document; no sheet has a count of records."""
    run(folder, "scan", path, "--audience", "release", "--output", "page.html")
    run(folder, "scan", path, "--audience", "release", "--output", "book.xlsx")
    page = (folder / "page.html").read_text()
    if '"read":null' not in page.replace(" ", ""):
        yield "the page does not hold quality.read as null"
    trips = {value for cell in summary["cells"] for name, value in cell.items()
             if name in ("trips", "cancelled", "noShow", "inHouse", "contracted", "unclassified", "costedTrips")}
    trips |= {group[name] for group in summary["groups"] for name in ("trips", "costedTrips") if name in group}
    sheets = openpyxl.load_workbook(folder / "book.xlsx")
    if "Data quality" in sheets.sheetnames:
        for line in sheets["Data quality"].iter_rows(values_only=True):
            if line[0] not in INTERVALS and any(isinstance(value, int) and not isinstance(value, bool) for value in line):
                yield f"Data quality: {[v for v in line if v is not None][0]} is shown"
    book = sheets["Region × type"]
    header = next(line for line in book.iter_rows(values_only=True) if line[:3] == ("Month", "Region", "Trip type"))
    counts = [place for place, name in enumerate(header) if name in
              ("Trips", "Cancelled", "No-show", "In-house", "Contracted", "Unclassified", "Costed trips")]
    for line in book.iter_rows(min_row=6, values_only=True):
        yield from (f"workbook {line[:3]}: a count that no cell and no group has" for place in counts
                    if isinstance(line[place], int) and line[place] not in trips)


def missing_counts(data, summary, folder, path, **_):
    """With the setting `missing_counts: omit` no figure counts trips that lack a value, or gives such a count back."""
    if not list(small_missing(summary)):
        yield "teeth: by default no count of 1 to 10 missing values is shown"
    data.missing = "omit"
    data.write(folder)
    # Of a region or a month without a group nothing is shown.
    texts = [released(folder, *words, expect=65) for words in
             (("scan", path), ("report", path, "--region", data.regions[0]), ("report", path, "--month", "2025-02"))]
    documents = [document(text) for text in texts if text is not None]
    data.missing = "publish"
    data.write(folder)
    for omitted in documents:
        yield from small_missing(omitted)


def small_missing(summary):
    """Counts of 1 to 10 missing values that cells or groups state, or that follow from a cost, a mean or a share."""
    completed = [group for group in summary["groups"] if "totalCost" in group]
    for cell in summary["cells"] + completed:
        trips, left = cell["trips"], cell.get("incompleteMeasures", ())
        if not trips:
            continue
        for name in INTERVALS:
            own = cell[name]
            if own["excluded"] in range(1, 11) or own["used"] is not None and name not in left and trips - own["used"] in range(1, 11):
                yield f"{text_of_place(cell)}: {name} is missing of {own['excluded']} trips"
            if own["mean"] is not None and own["used"] is None:
                yield f"{text_of_place(cell)}: {name} has a mean"
        costed = [cell["costedTrips"]] if cell["costedTrips"] is not None else []
        # It is shown where every trip with a cost has miles, and the reverse, which counts no missing value.
        if summary["privacy"].get("missingCounts") and cell["costPerLoadedMile"] is not None:
            yield f"{text_of_place(cell)}: costPerLoadedMile is shown"
        if cell["costPerTrip"] and cell["totalCost"]:
            costed += [n for n in range(max(1, trips - 10), trips)
                       if abs(cell["totalCost"] / n - cell["costPerTrip"]) <= Decimal("0.005")]
        if "cost" not in left and any(trips - n in range(1, 11) for n in costed):
            yield f"{text_of_place(cell)}: so many trips have no cost: {trips - costed[0]}"
    if summary["privacy"].get("missingCounts") and (summary["qualityShares"] or {}).get("tripsWithCost") is not None:
        yield "tripsWithCost is shown"


def same_without_counts(folder, **_):
    """Eleven populations in which 0 to 10 trips lack a cost and a time: with the setting every output is the same bytes, so
    whatever a reader computes from it is the same for each count; by default the outputs differ."""
    rng, habits = random.Random("missing"), Habits()
    data = Population(["North", "South"], ["Emergency"])
    for region, count in (("North", 70), ("South", 1000)):
        for _ in range(count):
            made = row(rng, len(data.rows), rng.choice(("2025-01", "2025-02")), region, "Emergency", habits, "inHouse")
            start = made["service_date"] + " 08:0"
            made |= {name: f"{start}{minute}:00" for minute, name in enumerate(EVENTS)} | {"cost": "120.00", "status": "completed"}
            data.rows.append(made)
    few = [made for made in data.rows if made["region"] == "North" and made["service_date"] < "2025-02"][:10]
    if len(few) < 10:
        yield "teeth: too few trips"
    for made in few:
        made["cost"] = "0.00"
    outputs = {}
    for data.missing in ("omit", "publish"):
        for missing in range(11):
            rows = [{**made, "on_scene_at": "", "cost": ""} if any(made is one for one in few[:missing]) else made
                    for made in data.rows]
            path = data.write(folder, "alike.csv", rows)
            for form in ("json", "csv", "ndjson", "table"):
                outputs[data.missing, form, missing] = released(folder, "scan", path, form=form)
            for form, words in (("html", ("scan",)), ("xlsx", ("scan",)), ("costs.xlsx", ("costs",))):
                run(folder, *words, path, "--audience", "release", "--output", f"alike.{form}")
                outputs[data.missing, form, missing] = (folder / f"alike.{form}").read_bytes()
                (folder / f"alike.{form}").unlink()
    for (setting, form, missing), output in outputs.items():
        differs = output != outputs[setting, form, 0]
        if setting == "omit" and differs:
            yield f"{form} with {missing} missing values is another one than with none"
        if setting == "publish" and missing and not differs:
            yield f"teeth: by default {form} with {missing} missing values is the one with none"


WAYS_OF_A_SCAN = (sums_by_sourcing, cost_per_mile, counts_of_records, missing_event_times, missing_counts, reports_of_parts,
                  page_and_workbook)


# Series.

class Nights:
    """A site to which exports come night by night, and what each night's sets show."""

    def __init__(self, folder):
        self.rng = random.Random(f"nights {SEED}")
        self.site = Site.made(folder, FIRST)
        self.site.set_lists(["North", "South", "East"], ["Emergency", "Routine"], more="trips_feed: safe-harbor\n")
        self.data = Population(["North", "South", "East"], ["Emergency", "Routine"])
        self.habits = Habits(0.03, 0.03, 0.01, 0.02, 0.08, 0.6, 0.03, 10 ** 6, 0, 0)
        self.waiting, self.changed = [], collections.defaultdict(set)
        for month in months_from("2025-11", 8):
            for region in self.data.regions:
                for kind in self.data.types:
                    for _ in range(self.rng.choice((3, 9, 14, 25, 60))):
                        self.waiting.append(row(self.rng, len(self.waiting), month, region, kind, self.habits))
        self.waiting.sort(key=lambda trip: trip["unit_notified_at"] or trip["service_date"])
        self.newest, self.files, self.sequence = {}, 0, 0

    def night(self, number):
        """New trips up to the night before, late ones, corrections and voided trips of months gone by."""
        self.site.epoch = FIRST + number * 13 * DAY
        today = datetime.datetime.fromtimestamp(self.site.epoch, datetime.timezone.utc).date().isoformat()
        come = [trip for trip in self.waiting if trip["service_date"] < today]
        late = [trip for trip in come if self.rng.random() < 0.02]
        new = [trip for trip in come if trip not in late]
        self.waiting = [trip for trip in self.waiting if trip not in new]
        self.changed.clear()
        for trip in self.rng.sample(sorted(self.newest), min(6, len(self.newest))):
            old = self.newest[trip]
            self.sequence += 1
            change = self.rng.choice(({"cost": "999.99"}, {"status": "void"}, {"region": "East"}, {"loaded_miles": "1.0"}))
            stamp = f"2026-01-01 {self.sequence // 3600:02d}:{self.sequence // 60 % 60:02d}:{self.sequence % 60:02d}"
            new.append({**old, **change, "updated_at": stamp})
        self.newest |= {trip["trip_id"]: trip for trip in new}
        self.files += 1
        self.data.write(self.site.inbox, f"night{self.files:03d}.csv", new)
        (self.site.inbox / "tripkpi.yaml").unlink()
        self.site.succeed("run", "--quiet")

    def published(self, audience):
        current = self.site.reports / audience / "current"
        return document((current / "kpi-summary.json").read_text()) if current.exists() else None


def series(checks, folder):
    nights, frozen, documents, released = Nights(folder / "site"), {}, [], set()
    pending = 0
    for number in range(NIGHTS):
        nights.night(number)
        what = f"night {number + 1}"
        release, staff = nights.published("release"), nights.published("staff")
        if release is None:
            continue
        documents.append(release)
        cells, faults = cells_of(release), []
        for key, own in cells.items():
            pending += own.pop("revisionPending")
            if key[0] != "All" and frozen.setdefault(key, own) != own:
                faults.append(f"{key} has changed since the month was released")
        missing = [key for key in frozen if key not in cells]
        months = {month for month in release["months"]}
        checks.hold(f"{what}: released figures stay", *faults[:3], missing and f"{len(missing)} cells are gone: {missing[0]}")
        checks.hold(f"{what}: released months stay", *sorted(released - months))
        released |= months
        scanned = document(run(nights.site.folder, "scan", *sorted(nights.site.inbox.glob("night*.csv")), "--format", "json",
                               "--audience", "staff"))
        now, then = cells_of(scanned), cells_of(staff)
        differing = [key for key in now if now[key] != then.get(key)]
        checks.hold(f"{what}: staff see the corrections at once", differing and f"{differing[0]} is not that of a scan")
        truth = {key: cell for key, cell in then.items() if key[0] in released}
        for key, own in cells.items():
            # A leaf by itself that staff see otherwise is marked.
            if key in truth and own.get("trips") is not None and own["complete"] and "All" not in key \
                    and own["trips"] != truth[key]["trips"]:
                flagged = next(c for c in release["cells"] if key_of(c) == key)["revisionPending"]
                if not flagged:
                    faults.append(f"{key} differs from the staff set and is not marked")
        checks.hold(f"{what}: marked as pending", *faults[:3])
    checks.hold("teeth: corrections came", not pending and "no cell was ever marked as pending",
                len(released) < 2 and "fewer than two months were released")
    checks.hold("all nights together", *(
        f"{name} lies in {bounds}" for name, bounds in list(confined(documents).items())[:3]))
    rows_of(checks, nights)
    rolling_back(checks, nights, frozen)


def rows_of(checks, nights):
    """Rows by year and type are no more than the released groups of that type; a release without rows is fine."""
    feed = nights.site.reports / "release/current/trips.ndjson.gz"
    if not feed.exists():
        print("the release has no row file")
        checks.hold("rows: they are in the staff set", not (nights.site.reports / "staff/current" / feed.name).exists()
                    and "there is no row file at all")
        return
    rows = collections.Counter()
    for line in gzip.decompress(feed.read_bytes()).decode().splitlines():
        entry = json.loads(line)
        if "header" not in entry:
            rows[str(entry["date"])[:4], entry["tripType"]] += 1
    shown = collections.Counter()
    for cell in nights.published("release")["cells"]:
        if cell["month"] != "All" and cell["region"] == "All" and cell["tripType"] != "All" and cell["trips"]:
            shown[cell["month"][:4], cell["tripType"]] += cell["trips"]
    checks.hold("rows", not rows and "there are no rows", *(
        f"{count} rows of {kind} in {year}, but groups of {shown[year, kind]} trips" for (year, kind), count in rows.items()
        if count > shown[year, kind]))


def rolling_back(checks, nights, frozen):
    site, before = nights.site, nights.published("release")
    site.succeed("publish", "--rollback")
    first = nights.published("release")
    site.succeed("publish", "--rollback")
    again = nights.published("release")
    checks.hold("rolling back twice", again != before and "the second rollback does not take back the first",
                first == before and "the first changes nothing")
    nights.night(NIGHTS)
    cells = cells_of(nights.published("release"))
    faults = []
    for key, own in cells.items():
        own.pop("revisionPending")
        if key[0] != "All" and key in frozen and frozen[key] != own:
            faults.append(f"{key} has changed")
    checks.hold("the night after the rollbacks", *faults[:3], *(f"{key} is gone" for key in list(frozen.keys() - cells)[:1]))


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(WAYS):
            data = rough(seed)
            release = Release(data.trips, data.regions, data.types)
            path = data.write(folder)
            text = released(folder, "scan", path)
            facts = {"data": data, "release": release, "summary": document(text), "text": text, "folder": folder,
                     "path": path}
            for way in WAYS_OF_A_SCAN:
                checks.hold(f"population {seed}, {way.__name__.replace('_', ' ')}", *list(way(**facts))[:3])
        checks.hold("total alone", *list(total_alone(folder=folder))[:5])
        checks.hold("missing counts: the same outputs", *list(same_without_counts(folder=folder))[:5])
        series(checks, folder)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
