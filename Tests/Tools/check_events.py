"""Events: counts against Python and DuckDB, points in polygons against shapely, the release rule, and canaries.

Reports get a canary in each identifying field. None may be found in the store's bytes, the published sets, the log, the audit
log or an answer, in whatever form.
"""
import collections
import csv
import datetime
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import zoneinfo

from canary_search import Canaries, search
from nightly_site import ROOT, TRIPKPI, Site

SAMPLES = ROOT / "data/samples"
WORDS = [  # of the sample's names
    ("Hazardous material", "gas leak"), ("Fire", "fire"), ("Flood", "flooded"), ("Storm", "high wind"),
    ("Landslide", "landslide"), ("Utility outage", "power line"), ("Crash", "crash"), ("Road closure", "road closed")]
passed = failed = 0


def check(is_right, message):
    global passed, failed
    if is_right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {message}")


def run(*words, folder=ROOT, **variables):
    environment = {**os.environ, "NO_COLOR": "1", "SOURCE_DATE_EPOCH": "1775086400", **variables}
    return subprocess.run([TRIPKPI, *map(str, words)], cwd=folder, env=environment, capture_output=True)


def rows_of(document):
    return {(c["month"], c["region"], c["kind"]): (c["events"], c["evacuations"]) for c in document["counts"]}


# Counts of leaves (month, region, kind, evacuation), to what staff and the release show


def expected(leaves, minimum):
    """Every count that may be shown, made from unions of parts: the rule of docs/events.md, in another form."""
    shown = {}
    months = sorted({leaf[0] for leaf in leaves})
    for month in months:
        own = {leaf[1:]: count for leaf, count in leaves.items() if leaf[0] == month}
        if sum(own.values()) < minimum:
            continue
        parts = divide([None, None, None], own, 0, minimum)
        regions = {p[0] for p, _ in parts} - {None} | {"All"}
        kinds = {p[1] for p, _ in parts} - {None} | {"All"}
        for region in regions:
            for kind in kinds:
                total, evacuations, is_whole, is_met = 0, 0, True, False
                for (r, k, flag), count in parts:
                    if region != "All" and r is not None and r != region or kind != "All" and k is not None and k != kind:
                        continue
                    is_met = True
                    is_whole = is_whole and (region == "All" or r == region) and (kind == "All" or k == kind)
                    total += count
                    evacuations = None if evacuations is None or flag is None else evacuations + flag * count
                if is_met and is_whole:
                    shown[month, region, kind] = (total, evacuations)
    return shown


def divide(name, own, step, minimum):
    if step == 3:
        return [(tuple(name), sum(own.values()))]
    groups = collections.defaultdict(dict)
    for leaf, count in own.items():
        groups[leaf[step]][leaf] = count
    if any(sum(group.values()) < minimum for group in groups.values()):
        return divide(name, own, step + 1, minimum)
    return [part for value, group in groups.items()
            for part in divide(name[:step] + [value] + name[step + 1:], group, step + 1, minimum)]


def leaves_of(reports, region_of, zone=None):
    leaves = collections.Counter()
    for report in reports:
        time = datetime.datetime.fromisoformat(report["createdAt"])
        month = (time.astimezone(zoneinfo.ZoneInfo(zone)) if zone else time).strftime("%Y-%m")
        kind = next((kind for kind, word in WORDS if word in report["name"].lower()), "Other")
        leaves[month, region_of(report), kind, report["toEvacuate"]] += 1
    return leaves


def diagonal_region(report):
    """The sample's regions by arithmetic: the square's triangles, and the lake."""
    x, y = report["lon"] - 10.5, report["lat"] + 30.5
    if abs(x) > 0.5 or abs(y) > 0.5:
        return "Unassigned"
    if abs(x) < 0.05 and -0.375 < y < -0.3125:
        return "Unassigned"
    return ("North" if y > 0 else "South") if abs(y) > abs(x) else ("East" if x > 0 else "West")


def check_sample():
    reports = json.loads((SAMPLES / "events.json").read_text())
    leaves = leaves_of(reports, diagonal_region)
    flags = ("scan", "--events", SAMPLES / "events.json", "--events-profile", SAMPLES / "safepassage.yaml")
    for audience, minimum in (("staff", 1), ("release", 11)):
        own = expected(leaves, minimum)
        answer = run(*flags, "--audience", audience, "--format", "json")
        document = json.loads(answer.stdout or "{}")
        check(rows_of(document) == own, f"{audience}: scan --events has other counts than Python")
        table = list(csv.DictReader(io.StringIO(run(*flags, "--audience", audience, "--format", "csv").stdout.decode())))
        check({(r["month"], r["region"], r["kind"]): (int(r["events"]), int(r["evacuations"]) if r["evacuations"] else None)
               for r in table} == own, f"{audience}: the CSV has other counts than Python")
        summary = run("scan", SAMPLES / "sample.csv.gz", *flags[1:], "--zone", "America/New_York", "--audience", audience,
                      "--format", "json")
        events = json.loads(summary.stdout or "{}").get("events", {"counts": []})
        local = expected(leaves_of(reports, diagonal_region, "America/New_York"), minimum)
        check(rows_of(events) == local, f"{audience}: kpi-summary.json has other counts than Python")
        table = run("scan", SAMPLES / "sample.csv.gz", *flags[1:], "--zone", "America/New_York", "--audience", audience, "--long")
        latest = local["2025-09", "All", "All"][0]
        check(f"What happened in 2025-09: {latest} events" in table.stdout.decode(), f"{audience}: no what happened")
        print(f"  {audience}: {len(own)} counts of {len(document.get('months', []))} months, {latest} events in 2025-09")
    check(f"events read {len(reports)} = accepted {len(reports)} + rejected 0".encode() in answer.stderr, "the equation")


# Points in polygons


def check_shapely(folder):
    try:
        import shapely
        from shapely.geometry import Point, Polygon, shape
    except ImportError:
        print("skipped: shapely: it is not installed")
        return
    rng = random.Random(7)

    def star(center, size, points):
        """A polygon around a center with its corners on a grid of a 64th of a degree."""
        from math import cos, pi, sin
        ring = []
        for place in range(points):
            angle, radius = 2 * pi * place / points, size * (0.35 + 0.65 * rng.random())
            ring.append((round((center[0] + radius * cos(angle)) * 64) / 64,
                         round((center[1] + radius * sin(angle)) * 64) / 64))
        return ring + ring[:1]

    features, polygons = [], []
    for index, region in enumerate(["North", "South", "East", "West"] * 5):
        center = (20 + rng.random() * 4, 40 + rng.random() * 4)
        rings = [star(center, 1.5, rng.randrange(5, 40)), star(center, 0.3, 6)]
        if index % 3:
            geometry = {"type": "Polygon", "coordinates": rings}
        else:
            other = [star((center[0] + 4, center[1]), 0.8, 9)]
            geometry = {"type": "MultiPolygon", "coordinates": [rings, other]}
        if not shape(geometry).is_valid:
            continue
        features.append({"type": "Feature", "properties": {"area": region}, "geometry": geometry})
        polygons.append((region, shape(geometry)))
    (folder / "areas.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    (folder / "areas.yaml").write_text(
        "kind: events\nsource: points\ncolumns: {date: day, kind: id, latitude: y, longitude: x}\n"
        "polygons: {file: areas.geojson, property: area}\n")
    points = [(round(18 + rng.random() * 14, 6), round(38 + rng.random() * 8, 6)) for _ in range(9000)]
    # On corners and in the middle of edges, which binary fractions have exactly, of first polygons too.
    for region, polygon in polygons:
        for part in getattr(polygon, "geoms", [polygon]):
            for ring in [part.exterior, *part.interiors]:
                for a, b in zip(ring.coords, ring.coords[1:]):
                    points += [a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)]
    corners = len(points) - 9000
    # A month for each batch of points, so that each region of each batch is a count; from 1971 on, since 1970-01-01 is no date.
    with open(folder / "points.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["day", "id", "y", "x"])
        for index, (x, y) in enumerate(points):
            rows.writerow([f"{1971 + index // 12 // 10}-{index // 10 % 12 + 1:02d}-01", "fire", repr(y), repr(x)])
    own = collections.Counter()
    for index, (x, y) in enumerate(points):
        # Our coordinates are ten-millionths of a degree; those of the points above are no finer, or on the grid.
        point = Point(round(x, 7), round(y, 7))
        region = next((name for name, polygon in polygons if polygon.covers(point)), "Unassigned")
        own[f"{1971 + index // 12 // 10}-{index // 10 % 12 + 1:02d}", region] += 1
    answer = run("scan", "--events", folder / "points.csv", "--events-profile", folder / "areas.yaml", "--audience", "staff",
                 "--format", "json")
    found = {(m, r): n for (m, r, k), (n, _) in rows_of(json.loads(answer.stdout or '{"counts": []}')).items()
             if r != "All" and k == "All"}
    differing = {key for key in own.keys() | found.keys() if own.get(key, 0) != found.get(key, 0)}
    check(not differing, f"shapely {shapely.__version__} disagrees in {len(differing)} of {len(own)} counts")
    print(f"  {len(points)} points, {corners} of them on corners and edges, {len(polygons)} polygons: "
          f"{len(differing)} of {len(own)} counts differ from shapely's")


# A site with canaries


def check_site(folder):
    import duckdb
    canaries, rng = Canaries(), random.Random(3)
    site = Site.made(folder / "site")
    profile = (SAMPLES / "safepassage.yaml").read_text().replace("regions.geojson", str(SAMPLES / "regions.geojson"))
    (site.folder / "profiles").mkdir()
    (site.folder / "profiles/reports.yaml").write_text(profile)
    (site.inbox / "reports").mkdir()
    sample = ["sample", "--messy", "--rows", "3000", "--from", "2026-01", "--months", "3", "--seed", "5", "--fields", "kpi",
              "--faulty-per-million", "0", "--zone", "America/New_York", "--output", site.inbox / "trips.csv"]
    check(run(*sample).returncode == 0, "sample")
    hostile = ["=HYPERLINK(\"http://x\")", "</script><b>", "\u202e", "\x00".replace("\x00", " "), "fire\nfire", "Ünïcode"]

    def report(index):
        month = rng.choice(["2026-01", "2026-02", "2026-02", "2026-03"])
        name = rng.choice(["Flooded street", "Brush fire", "Road closed"]) + " " + canaries.text("name")
        return {
            "name": name + rng.choice(hostile), "description": canaries.text("description") + rng.choice(hostile),
            "image": canaries.text("image"), "lat": float(f"-30.{rng.randrange(10)}1{canaries.number('lat')}"),
            "lon": float(f"10.{rng.randrange(10)}{canaries.number('lon')}"), "toEvacuate": rng.random() < 0.3,
            "createdAt": f"{month}-{rng.randrange(1, 28):02d}T10:00:00Z"}

    reports = [report(index) for index in range(300)]
    bad = {**report(0), "createdAt": canaries.text("a date that is none")}
    path = site.inbox / "reports/reports_2026-04-01.json"
    path.write_text(json.dumps(reports + [bad], ensure_ascii=False))

    def night(*words):
        return run(*words, folder=site.folder, TRIPKPI_DATA=str(ROOT / "data"))

    first = night("run")
    check(first.returncode == 0, f"run: {first.stderr.decode()[-500:]}")
    leaves = leaves_of(reports, diagonal_region)
    sets = {a: json.loads((site.reports / a / "current/kpi-summary.json").read_text()) for a in ("staff", "release")}
    for audience, minimum in (("staff", 1), ("release", 11)):
        # March may still get events: there is none of April, and its end is not 31 days past.
        own = {k: v for k, v in expected(leaves, minimum).items() if audience == "staff" or k[0] != "2026-03"}
        check(rows_of(sets[audience].get("events", {"counts": []})) == own, f"{audience}: the set has other counts")
        rows = list(csv.reader(open(site.reports / audience / "current/events.csv", newline="")))
        check([row[1:] for row in rows[1:]] == [[c["month"], c["region"], c["kind"], str(c["events"]),
              "" if c["evacuations"] is None else str(c["evacuations"])] for c in sets[audience]["events"]["counts"]],
              f"{audience}: events.csv has other counts than the JSON")
    check(sets["release"].get("events", {}).get("months"), "the release shows no month of events")
    check(sets["release"]["privacy"]["auditPassed"] is True, "the audit of the release did not pass")
    second = night("run")
    check(second.returncode == 0 and b"known by its content" in second.stderr, "the same export again changes something")
    check(night("verify", "store").returncode == 0 or night("verify").returncode == 0, "verify fails")

    table = night("query", "events", "--internal", "--format", "csv")
    mart = list(csv.DictReader(io.StringIO(table.stdout.decode())))
    (folder / "reports.json").write_text(json.dumps(
        [{"m": m, "r": r, "k": k, "e": bool(e), "n": n} for (m, r, k, e), n in leaves.items()]))
    sql = duckdb.sql(f"""SELECT m, r, k, sum(n)::INT, sum(CASE WHEN e THEN n ELSE 0 END)::INT
        FROM read_json('{folder}/reports.json') GROUP BY ALL ORDER BY ALL""").fetchall()
    check([(r["month"], r["region"], r["kind"], int(r["events"]), int(r["evacuations"])) for r in mart] == sql,
          f"the mart has other counts than DuckDB: {table.stdout[:200]} {table.stderr[:300]} {sql[:2]}")

    # An export with all reports replaces the one before; the release keeps what it has shown.
    later = reports[:-40] + [report(index) for index in range(60)]
    (site.inbox / "reports/reports_2026-04-02.json").write_text(json.dumps(later, ensure_ascii=False))
    third = night("run")
    check(third.returncode == 0, "the third run fails")
    staff = json.loads((site.reports / "staff/current/kpi-summary.json").read_text())
    release = json.loads((site.reports / "release/current/kpi-summary.json").read_text())
    check(rows_of(staff["events"]) == expected(leaves_of(later, diagonal_region), 1), "staff: the newest does not count alone")
    check(release["events"] == sets["release"]["events"], "the release of a month has changed")
    audience = night("report", "--audience", "release", "--format", "json")
    check(json.loads(audience.stdout)["events"] == release["events"], "report shows other events than the release")
    digest = night("load", "--withdraw", subprocess.run(
        ["sha256sum", str(site.inbox / "reports/reports_2026-04-02.json")], capture_output=True).stdout[:16].decode())
    check(digest.returncode == 0, f"withdraw: {digest.stderr.decode()[-300:]}")
    back = night("report", "--audience", "staff", "--format", "json")
    check(rows_of(json.loads(back.stdout)["events"]) == expected(leaves, 1), "withdrawn: the one before does not count")

    for place in (path, site.inbox / "reports/reports_2026-04-02.json"):
        place.rename(folder / place.name)
    answers = [first, second, third, table, audience, back, digest, night("quarantine", "list"), night("doctor"),
               night("report"), night("scan", "--events", folder / "reports_2026-04-01.json", "--events-profile", "reports",
                                      "--audience", "staff")]
    for index, answer in enumerate(answers):
        (site.folder / f"answer-{index}.txt").write_bytes(answer.stdout + answer.stderr)
    found = list(search(site.folder))
    check(not found, f"canaries found: {[place for place, _ in found[:3]]}")
    print(f"  {len(canaries.places)} canaries in {len(reports)} reports and one rejected: found {len(found)}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_sample()
        check_shapely(folder)
        check_site(folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
