"""Control charts: the lines and signals of kpi-summary.json, computed again with fractions from the document's own cells.

The rules are those of NHSRplotthedots (docs/kpis.md). With `--chance` it measures them on normal noise: signals of 100 months
that are chance alone, and how many months after a shift of one and of two standard deviations the latest month has a signal.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
# Measure: its parts per unit in the document, those of a line, the counts behind it, whether more is better.
MEASURES = {
    "trips": (1, 10, [], None),
    "inHouseShare": (10_000, 10_000, ["inHouse", "contracted"], True),
    "costPerTrip": (100, 100, ["costedTrips"], False),
    "duration.mean": (10, 10, ["duration.used"], False),
    "response.p90": (1, 10, ["response.used"], False),
}
# The entries of `incompleteMeasures` that each depends on.
PARTIAL = {"trips": {"trips"}, "inHouseShare": {"inHouse", "contracted"}, "costPerTrip": {"cost"}, "duration.mean": {"duration"},
           "response.p90": {"response"}}
passed = failed = 0


def check(is_right, message):
    global passed, failed
    if is_right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {message}")


# The chart, from a list of numbers with None for a month without one


def lines(values):
    known = [value for value in values if value is not None]
    steps = [abs(b - a) for a, b in zip(values, values[1:]) if a is not None and b is not None]
    if len(known) < 12 or not steps:
        return None
    mean, first = Fraction(sum(known), len(known)), Fraction(sum(steps), len(steps))
    kept = [step for step in steps if step < Fraction("3.267") * first]
    if not any(kept):
        kept = steps
    return mean, Fraction(sum(kept), len(kept))


def signals(values, step=1):
    found = lines(values)
    if not found or found[1] == 0:
        return [None] * len(values)
    mean, size = found
    limit = Fraction("2.66") * size
    away = [None if value is None else value - mean for value in values]
    outside = [a is not None and abs(a) > limit for a in away]
    close = [a is not None and abs(a) > limit * 2 / 3 and not out for a, out in zip(away, outside)]
    side = [0 if not a else 1 if a > 0 else -1 for a in away]
    trend, shift, pair = ([0] * len(values) for _ in range(3))
    for start in range(len(values) - 6):
        seven = values[start:start + 7]
        if None not in seven:
            up = all(a < b for a, b in zip(seven, seven[1:]))
            down = all(a > b for a, b in zip(seven, seven[1:]))
            if up or down:
                trend[start:start + 7] = [1] * 7
        if abs(sum(side[start:start + 7])) == 7:
            shift[start:start + 7] = [1] * 7
    for start in range(len(values) - 2):
        if abs(sum(side[start:start + 3])) == 3 and sum(close[start:start + 3]) >= 2:
            for place in range(start, start + 3):
                pair[place] = pair[place] or close[place]
    result = []
    for place, distance in enumerate(away):
        direction = None if distance is None else "high" if distance > 0 else "low"
        is_far = bool(distance) and abs(distance) >= step
        if is_far and outside[place]:
            result.append(("outsideLimits", direction))
        elif is_far and trend[place]:
            result.append(("trend", direction))
        elif is_far and pair[place]:
            result.append(("twoOfThree", direction))
        elif is_far and shift[place]:
            result.append(("shift", direction))
        else:
            result.append(None)
    return result


def half_up(value, parts):
    return float(Fraction((value * parts + Fraction(1, 2)).__floor__(), parts))


# What a document must have


def figure(cell, name):
    for part in name.split("."):
        cell = cell[part]
    return cell


def months_between(first, last):
    place, end = (int(text[:4]) * 12 + int(text[5:]) - 1 for text in (first, last))
    return [f"{month // 12:04}-{month % 12 + 1:02}" for month in range(place, end + 1)]


def is_usable(cell, measure):
    if cell["suppressed"] or PARTIAL[measure] & {*cell["incompleteMeasures"]}:
        return False
    counts = [figure(cell, name) for name in MEASURES[measure][2]]
    return not counts or sum(11 if count is None else count for count in counts) >= 11


def expected(document, open_from):
    cells = {(cell["month"], cell["region"], cell["tripType"]): cell for cell in document["cells"]}
    shown = sorted({month for month, _, _ in cells if month != "All" and month < open_from})
    step = 10 if document["audience"] == "release" else 1
    for region in document["filters"]["regions"]:
        for kind in document["filters"]["tripTypes"]:
            for measure, (unit, parts, _, is_more_better) in MEASURES.items():
                own = {month: cells[month, region, kind] for month in shown}
                with_figure = [month for month in shown if figure(own[month], measure) is not None]
                if not with_figure:
                    continue
                months = months_between(shown[0], with_figure[-1])
                by_month = {
                    month: round(figure(own[month], measure) * unit) for month in with_figure
                    if is_usable(own[month], measure)}
                usable = [month for month in months if month in by_month and (measure != "trips" or by_month[month] >= 11)]
                # The data may begin in the middle of a month.
                first = months.index(usable[0]) + (measure == "trips") if usable else len(months)
                months = months[first:]
                if not months:
                    continue
                values = [by_month.get(month) for month in months]
                found = lines(values)
                if not found or values[-1] is None:
                    continue
                mean, size = found
                if measure == "trips" and (mean + Fraction(1, 2)).__floor__() < 11:
                    continue
                limit = Fraction("2.66") * size
                yield {
                    "measure": measure, "region": region, "tripType": kind, "lastMonth": months[-1],
                    "monthCount": sum(value is not None for value in values),
                    "monthsLeftOut": [month for month, value in zip(months, values) if value is None],
                    "mean": half_up(mean / unit, parts), "lowerLimit": half_up((mean - limit) / unit, parts),
                    "upperLimit": half_up((mean + limit) / unit, parts),
                    "signals": [
                        {"month": month, "rule": signal[0], "direction": signal[1],
                         "isBetter": None if is_more_better is None else (signal[1] == "high") == is_more_better}
                        for month, signal in zip(months, signals(values, step if measure == "response.p90" else 1))
                        if signal],
                }


# Exports whose regions are noise, steps, slopes and gaps

MONTHS, REGIONS = 26, 90


def export(path, seed, is_closed):
    choose = random.Random(seed)
    months = months_between("2023-11", "2025-12")
    with open(path, "w") as file:
        file.write("trip_id,region,trip_type,status,service_date,vehicle_id,cost,unit_notified_at,on_scene_at,completed_at\n")
        number = 0
        for region in range(REGIONS):
            kind = region % 6
            for place, month in enumerate(months):
                later = max(0, place - 14)
                trips = choose.randint(18, 40) + (30 if kind == 1 and later else 0) + (3 * later if kind == 2 else 0)
                if kind == 3 and choose.random() < 0.15:
                    trips = choose.randint(0, 12)
                for _ in range(trips):
                    number += 1
                    day = f"{month}-{choose.randint(1, 28):02}"
                    if is_closed and number == 1:
                        day = f"{months[-1]}-31"
                    wait = choose.randint(200, 900) + (600 if kind == 4 and later else 0)
                    cost = choose.randint(20_000, 90_000) + (2_000 * later if kind == 5 else 0)
                    own = choose.random() < (0.3 if kind == 1 and later else 0.6)
                    minutes, seconds = divmod(wait, 60)
                    file.write(
                        f"SYN-{number},R{region:02},{'Emergency' if region % 2 else 'Transfer'},completed,{day},"
                        f"{'MED1' if own else 'AMR1'},{cost / 100:.2f},{day}T10:00:00,{day}T10:{minutes:02}:{seconds:02},"
                        f"{day}T11:{choose.randint(0, 59):02}:00\n")


RULES = """name: check
rules:
  - id: own
    reason: A vehicle of our own.
    when: {prefix: {vehicle_id: MED}}
    then: inHouse
  - id: others
    reason: A vehicle of a contractor.
    when: {prefix: {vehicle_id: AMR}}
    then: contracted
"""


def document(folder, audience):
    lists = "regions: [" + ", ".join(f"R{region:02}" for region in range(REGIONS)) + "]\ntrip_types: [Emergency, Transfer]\n"
    (folder / "tripkpi.yaml").write_text("zone: America/New_York\nrules: rules.yaml\n" + lists)
    (folder / "rules.yaml").write_text(RULES)
    made = subprocess.run(
        [TRIPKPI, "scan", "trips.csv", "--audience", audience, "--format", "json", "--config", "tripkpi.yaml"],
        cwd=folder, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1768000000"})
    if made.returncode:
        sys.exit(made.stderr.decode())
    return json.loads(made.stdout)


def chance():
    choose = random.Random(16)
    noise = lambda count: [round(choose.gauss(100_000, 10_000)) for _ in range(count)]
    found = latest = 0
    for _ in range(2000):
        made = signals(noise(24))
        found += sum(one is not None for one in made)
        latest += made[-1] is not None
    print(f"chance alone, 24 months: {found / 480:.1f} of 100 months have a signal; {latest / 20:.1f} of 100 latest months")
    for size in (1, 2):
        after = []
        for _ in range(1000):
            values, months = noise(24), 0
            while months < 36:
                months += 1
                values.append(round(choose.gauss(100_000 + size * 10_000, 10_000)))
                last = signals(values)[-1]
                if last and last[1] == "high":
                    break
            after.append(months)
        after.sort()
        print(f"shift of {size} sigma: found after {after[500]} months in the middle, {after[900]} in nine of ten")


def main():
    if "--chance" in sys.argv:
        return chance()
    charts = with_signal = 0
    # Without trips on its last days the last month is still open.
    for seed, audience, is_closed in ((1, "staff", True), (2, "staff", False), (3, "release", True)):
        with tempfile.TemporaryDirectory() as folder:
            export(pathlib.Path(folder) / "trips.csv", seed, is_closed)
            made = document(pathlib.Path(folder), audience)
        own = list(expected(made, "2026-01" if is_closed else "2025-12"))
        check(len(own) == len(made["controlCharts"]), f"{audience}: {len(made['controlCharts'])} charts for {len(own)}")
        for mine, theirs in zip(own, made["controlCharts"]):
            check(mine == theirs, f"{audience}: {theirs} for {mine}")
            charts += 1
            with_signal += bool(theirs["signals"])
    check(charts >= 1000 and with_signal >= 100, f"only {charts} charts, {with_signal} with a signal")
    print(f"{charts} charts, {with_signal} with signals")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
