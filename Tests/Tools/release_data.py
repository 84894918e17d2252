"""Made-up populations for the checks of the release: as an export, and as what each of its trips counts for."""
import csv
import datetime
import io
import json
import os
import random
import subprocess
from dataclasses import dataclass, field
from decimal import Decimal

from nightly_site import TRIPKPI
from release_partition import INTERVALS, Trip

COLUMNS = ("trip_id", "updated_at", "status", "trip_type", "region", "service_date", "unit_notified_at", "en_route_at",
           "on_scene_at", "left_scene_at", "arrived_at", "completed_at", "hcpcs_modifiers", "loaded_miles", "unloaded_miles",
           "cost", "patient_id")
EVENTS = COLUMNS[6:12]
STEPS = (90, 700, 900, 1200, 1100)
PAIRS = ((0, 5), (0, 2), (0, 1), (2, 3), (3, 4), (4, 5))  # of INTERVALS, by place in EVENTS
MODIFIERS = {"inHouse": "QN", "contracted": "QM", "unclassified": ""}
UPDATED = "2020-01-01 00:00:00"


@dataclass
class Population:
    regions: list
    types: list
    keep: str = "region"
    missing: str = "publish"
    rows: list = field(default_factory=list)
    trips: list = field(default_factory=list)
    settings: str = ""

    def add(self, row):
        self.rows.append(row)
        self.trips.append(counted(row, self.regions, self.types))

    def write(self, folder, name="trips.csv", rows=None):
        (folder / "tripkpi.yaml").write_text(
            f"regions: [{', '.join(self.regions)}]\ntrip_types: [{', '.join(self.types)}]\nkeep_margin: {self.keep}\n"
            + f"missing_counts: {self.missing}\n" + self.settings, encoding="utf-8")
        path = folder / name
        path.write_text(text_of(self.rows if rows is None else rows), encoding="utf-8")
        return path


def text_of(rows):
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def instant(text):
    return datetime.datetime.fromisoformat(text) if text else None


def counted(row, regions, types):
    """What the export's row counts for."""
    times = [instant(row.get(name)) for name in EVENTS]
    first = next((time for time in times if time), None)
    seconds = []
    for start, end in PAIRS:
        between = (times[end] - times[start]).total_seconds() if times[start] and times[end] else -1
        seconds.append(int(between) if 0 <= between <= 86_400 else None)
    place = lambda names, name: names.index(name) + 1 if name in names else 0
    hundredths = lambda name: int(Decimal(row[name]) * 100) if row.get(name) else None
    miles = lambda name: None if (hundredths(name) or 0) < 0 else hundredths(name)
    sourcing = {modifier: name for name, modifier in MODIFIERS.items()}[row.get("hcpcs_modifiers", "")]
    return Trip((first.date().isoformat() if first else row["service_date"])[:7], place(regions, row["region"]),
                place(types, row["trip_type"]), row["status"], sourcing, hundredths("cost"), miles("loaded_miles"),
                miles("unloaded_miles"), tuple(seconds), row.get("patient_id") or None)


def poisson(rng, mean):
    if mean > 50:
        return max(0, round(rng.gauss(mean, mean ** 0.5)))
    count, left = 0, rng.expovariate(1.0)
    while left < mean:
        count, left = count + 1, left + rng.expovariate(1.0)
    return count


@dataclass
class Habits:
    """How the trips of a month are: shares of what is missing or rare."""
    no_cost: float = 0.0
    no_miles: float = 0.0
    no_event: float = 0.0
    unassigned: float = 0.0
    other_status: float = 0.0
    in_house: float = 0.5
    unclassified: float = 0.0
    patients: int = 10 ** 6  # how many there are; 0: unnamed
    unnamed: float = 0.0
    spill: float = 0.0

    @staticmethod
    def any(rng):
        return Habits(rng.choice((0, 0.01, 0.05, 0.4)), rng.choice((0, 0.01, 0.05, 0.4)), rng.choice((0, 0.005, 0.03, 0.3)),
                      rng.choice((0, 0, 0.01, 0.05)), rng.choice((0, 0.05, 0.3)), rng.choice((0.03, 0.5, 0.9, 1.0, 0.0)),
                      rng.choice((0, 0.02, 0.2)), rng.choice((0, 12, 40, 10 ** 6, 10 ** 6)), rng.choice((0, 0, 0.1)),
                      rng.choice((0, 0, 0.02)))


def row(rng, number, month, region, kind, habits, sourcing=None):
    """One trip of a month, `YYYY-MM`."""
    year, of_year = map(int, month.split("-"))
    when = datetime.datetime(year, of_year, rng.randint(1, 28), rng.randrange(24), rng.randrange(60), rng.randrange(60))
    if rng.random() < habits.spill:
        when = datetime.datetime(year + of_year // 12, of_year % 12 + 1, 1) - datetime.timedelta(minutes=rng.randint(1, 60))
    chance = lambda share: rng.random() < share
    made = {"trip_id": f"{number:07d}", "updated_at": UPDATED, "status": "completed", "trip_type": kind, "region": region,
            "service_date": when.date().isoformat()}
    if chance(habits.other_status):
        made["status"] = rng.choice(("cancelled", "cancelled", "no_show", "void"))
    if chance(habits.unassigned):
        made["region"] = "?"
    if chance(habits.unassigned):
        made["trip_type"] = "?"
    for name, median in zip(EVENTS, (0, *STEPS)):
        when += datetime.timedelta(seconds=int(rng.lognormvariate(0, 0.5) * median))
        # A late first event takes a trip of the month's last hour into the next month.
        made[name] = "" if chance(habits.no_event if name != EVENTS[0] else habits.spill) else str(when)
    if habits.no_event and chance(0.003):
        made["completed_at"] = str(when - datetime.timedelta(days=rng.choice((1, -3))))
    made["hcpcs_modifiers"] = MODIFIERS[sourcing or (
        "unclassified" if chance(habits.unclassified) else "inHouse" if chance(habits.in_house) else "contracted")]
    if not chance(habits.no_cost):
        made["cost"] = f"{rng.lognormvariate(6, 0.6) * rng.choice((1,) * 200 + (-1,)):.2f}"
    if not chance(habits.no_miles):
        made["loaded_miles"] = f"{rng.lognormvariate(2, 0.7):.1f}"
    if not chance(habits.no_miles):
        made["unloaded_miles"] = f"{rng.lognormvariate(1.5, 0.7):.2f}"
    if habits.patients and not chance(habits.unnamed):
        made["patient_id"] = f"P{rng.randrange(habits.patients)}"
    return made


def months_from(first, count):
    year, month = map(int, first.split("-"))
    return [f"{year + (month - 1 + n) // 12}-{(month - 1 + n) % 12 + 1:02d}" for n in range(count)]


def population(seed, months=12, regions=None, types=None, base=None):
    """Months of trips, each with habits and volumes of its own; some have hardly any trip."""
    rng = random.Random(seed)
    data = Population([f"Region{n}" for n in range(1, 1 + (regions or rng.choice((1, 1, 2, 3, 4, 6))))],
                      [f"Type{n}" for n in range(1, 1 + (types or rng.choice((1, 2, 2, 3))))],
                      rng.choice(("region", "region", "type")))
    names = max(1, len(data.regions) * len(data.types))
    for month in months_from(f"{rng.randint(2019, 2022)}-{rng.randint(1, 12):02d}", months):
        habits, spread = Habits.any(rng), rng.choice((0.2, 1.0, 2.0))
        mean = base or rng.choice((0.3, 2, 6, 12, 30, 80))
        weight = {name: rng.lognormvariate(0, spread) for name in (*data.regions, *data.types)}
        only = rng.choice(data.regions) if rng.random() < 0.1 else None
        single_source = {name: rng.choice((None, "inHouse", "contracted")) for name in data.regions}
        for region in data.regions:
            for kind in data.types:
                if only not in (None, region) or rng.random() < 0.1:
                    continue
                count = min(poisson(rng, mean * weight[region] * weight[kind]), 1200 // names + 20)
                for _ in range(count):
                    data.add(row(rng, len(data.rows), month, region, kind, habits, single_source[region]))
    return data


# What the program says of it.

def run(folder, *words, environment=None, expect=0):
    """Standard output of the program in a folder that has its `tripkpi.yaml`; None if it ended with 65, as it may."""
    # Figures are for staff by default.
    if words[0] in ("scan", "report", "costs") and "staff" not in words:
        words = (*words, "--release")
    done = subprocess.run(
        [TRIPKPI, *map(str, words)], cwd=folder, capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "SOURCE_DATE_EPOCH": "1775086400", "NO_COLOR": "1",
             "TRIPKPI_RELEASE_APPROVAL": "never", "LC_ALL": "C.UTF-8", **{n: os.environ[n] for n in ("TRIPKPI_DATA", "LD_LIBRARY_PATH") if n in os.environ},
             **(environment or {})})
    if done.returncode == 65 and expect == 65:
        return None
    if done.returncode not in (0, expect):
        raise AssertionError(f"tripkpi {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return done.stdout if done.returncode == 0 else None


def document(text):
    return json.loads(text, parse_float=Decimal)


def key_of(cell):
    return cell["month"], cell["region"], cell["tripType"]


def figures(cell):
    """Name → value of a cell or group of the JSON, `duration.mean` and so on; what is null is left out."""
    found = {}
    for name, value in cell.items():
        if isinstance(value, dict):
            found |= {f"{name}.{part}": number for part, number in value.items() if number is not None}
        elif value is not None and name not in ("month", "region", "tripType"):
            found[name] = value
    return found
