"""Made-up populations for the attack, the Indiana sample as an export, and a masking that hides small counts alone."""
import csv
import datetime
import json
from dataclasses import dataclass, field

COLUMNS = ["trip_id", "updated_at", "status", "trip_type", "region", "service_date", "unit_notified_at", "en_route_at",
           "on_scene_at", "left_scene_at", "arrived_at", "completed_at", "hcpcs_modifiers", "loaded_miles",
           "unloaded_miles", "cost", "patient_id"]
STEPS = (("en_route_at", 90), ("on_scene_at", 700), ("left_scene_at", 900), ("arrived_at", 1200), ("completed_at", 1100))
INTERVALS = ("duration", "response", "turnout", "scene", "transport", "turnaround")


@dataclass
class Population:
    regions: list
    types: list
    words: str
    rows: list = field(default_factory=list)

    @property
    def settings(self):
        return f"regions: [{', '.join(self.regions)}]\ntrip_types: [{', '.join(self.types)}]\n"

    def write(self, path, rows):
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def write_export(folder, data):
    (folder / "tripkpi.yaml").write_text(data.settings, encoding="utf-8")
    data.write(folder / "trips.csv", data.rows)


def population(random, seed, months=None, base=None, regions=None, types=None):
    """Trips of one to fourteen months, one to six regions, one to four types; from hardly any in a cell to many."""
    months = months or random.choice((1, 2, 3, 4, 6, 12, 14))
    regions = [f"Region{n}" for n in range(1, 1 + (regions or random.randint(1, 6)))]
    types = [f"Type{n}" for n in range(1, 1 + (types or random.randint(1, 4)))]
    base = base or 10 ** random.uniform(-0.3, 1.7)
    base = min(base, 9000 / (months * len(regions) * len(types)))
    spread = random.choice((0.2, 0.8, 1.5))  # how unlike the cells are
    weight = lambda: random.lognormvariate(0, spread)
    weights = {name: weight() for name in (*regions, *types)}
    missing, other = random.choice((0.0, 0.01, 0.05, 0.3)), random.choice((0.0, 0.03, 0.15))
    in_house, unclassified = random.choice((0.1, 0.5, 0.9, 1.0)), random.choice((0.0, 0.02, 0.2))
    unassigned = random.choice((0.0, 0.0, 0.01, 0.05))
    patients = random.choice((0, 0, 15, 100, 5000))
    data = Population(regions, types, f"{months} x {len(regions)} x {len(types)}, about {base:.1f} in a cell")
    first = 2025 * 12 + random.randrange(12)
    for month in range(first, first + months):
        for region in regions:
            for kind in types:
                count = poisson(random, base * weights[region] * weights[kind])
                for _ in range(min(count, 2000)):
                    data.rows.append(trip(random, len(data.rows), month, region, kind, missing, other,
                                          in_house, unclassified, unassigned, patients))
    return data


def poisson(random, mean):
    if mean > 50:
        return max(0, round(random.gauss(mean, mean ** 0.5)))
    count, left = 0, random.expovariate(1.0)
    while left < mean:
        count, left = count + 1, left + random.expovariate(1.0)
    return count


def trip(random, number, month, region, kind, missing, other, in_house, unclassified, unassigned, patients):
    when = datetime.datetime(month // 12, month % 12 + 1, random.randint(1, 28), random.randrange(24),
                             random.randrange(60), random.randrange(60))
    row = {"trip_id": f"{number:07d}", "updated_at": "2026-01-01 00:00:00", "trip_type": kind, "region": region,
           "service_date": when.date().isoformat(), "unit_notified_at": str(when), "status": "completed"}
    if random.random() < unassigned:
        row["region"] = "?"
    if random.random() < unassigned:
        row["trip_type"] = "?"
    if random.random() < other:
        row["status"] = random.choice(("cancelled", "no_show", "void"))
    for name, median in STEPS:
        when += datetime.timedelta(seconds=int(random.lognormvariate(0, 0.5) * median))
        row[name] = "" if random.random() < missing / 3 else str(when)
    row["hcpcs_modifiers"] = (
        "" if random.random() < unclassified else "QN" if random.random() < in_house else "QM")
    if random.random() >= missing:
        row["cost"] = f"{random.lognormvariate(6, 0.6):.2f}"
    if random.random() >= missing:
        row["loaded_miles"] = f"{random.lognormvariate(2, 0.7):.1f}"
        row["unloaded_miles"] = f"{random.lognormvariate(1.5, 0.7):.1f}"
    if patients:
        row["patient_id"] = f"P{random.randrange(patients)}"
    return row


def indiana_rows(rows):
    """The sample by county, and by five groups of counties."""
    counties = sorted({row["INCIDENT_COUNTY"] for row in rows if row["INCIDENT_COUNTY"]})
    region_of = {county: f"Group{number % 5 + 1}" for number, county in enumerate(counties)}
    for name, regions, of in (("Indiana, counties x months", [f"County{n}" for n in range(1, len(counties) + 1)],
                               {county: f"County{n}" for n, county in enumerate(counties, 1)}),
                              ("Indiana, five regions x months", sorted(set(region_of.values())), region_of)):
        data = Population(regions, ["Scene", "Transfer"], name)
        for number, row in enumerate(rows):
            start = datetime.datetime.fromisoformat(row["INCIDENT_DT"]) + datetime.timedelta(hours=12)
            there = row["PROVIDER_TO_SCENE_MINS"]
            data.rows.append({
                "trip_id": str(number), "status": "completed", "service_date": row["INCIDENT_DT"],
                "region": of.get(row["INCIDENT_COUNTY"], "?"),
                "trip_type": "Transfer" if "Transfer" in row["CHIEF_COMPLAINT_DISPATCH"] else "Scene",
                "unit_notified_at": str(start),
                "on_scene_at": str(start + datetime.timedelta(minutes=float(there))) if there else "",
                "hcpcs_modifiers": {"Fire Department": "QN", "Governmental, Non-Fire": "QN", "Hospital": "QM",
                                    "Private, Nonhospital": "QM"}.get(row["PROVIDER_TYPE_STRUCTURE"], "")})
        yield name, data


def primary_only(internal, minimum=11):
    """An unsuppressed summary with its small counts hidden, and what gives them away inside their own cell; no more."""
    summary = json.loads(internal)
    small = lambda count: 1 <= count < minimum
    for cell in summary["cells"]:
        mask(cell, small)
    totals = {c["month"]: c for c in summary["cells"] if c["region"] == c["tripType"] == "All" and c["month"] != "All"}
    shown = [month for month, cell in totals.items() if not cell["suppressed"]]
    summary["months"] = shown
    summary["chartData"] = [totals[month]["trips"] for month in shown]
    summary["withheldMonths"] = [month for month in totals if month not in shown]
    summary["comparisons"] = []
    codes = summary["quality"]["warnings"]
    summary["quality"]["warnings"] = {code: None if small(count) else count for code, count in codes.items()}
    return json.dumps(summary)


def mask(cell, small):
    def hide(*names):
        for name in names:
            cell[name] = None

    uncosted = cell["trips"] - cell["costedTrips"]
    classes = [cell[name] for name in ("inHouse", "contracted", "unclassified")]
    if small(cell["trips"]):
        cell["suppressed"] = cell["sourcingSuppressed"] = True
        for name, value in cell.items():
            if isinstance(value, dict):
                cell[name] = dict.fromkeys(value)
            elif name not in ("month", "region", "tripType", "suppressed", "sourcingSuppressed"):
                cell[name] = None
        return
    costed = cell["costedTrips"]
    hide(*(name for name in ("cancelled", "noShow") if small(cell[name])))
    if any(map(small, classes)):
        cell["sourcingSuppressed"] = True
        hide("inHouse", "contracted", "unclassified", "inHousePercent", "inHouseShare", "inHouseCost", "contractedCost")
    if small(costed) or small(uncosted):
        hide("costedTrips", "totalCost", "inHouseCost", "contractedCost")
        if small(costed):
            hide("costPerTrip", "costPerLoadedMile")
    for name in INTERVALS:
        interval = cell[name]
        if small(interval["used"]):
            cell[name] = dict.fromkeys(interval)
        elif small(interval["excluded"]):
            interval["used"] = interval["excluded"] = None
