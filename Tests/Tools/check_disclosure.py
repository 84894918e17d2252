#!/usr/bin/env python3
"""Play an outsider against what tripkpi publishes, and hold what he learns to the truth.

Random populations, from very sparse to dense, are written as exports, scanned, and attacked by `attack.py`; so are the
Indiana sample by county and month, and the sets of a series of nights with corrections, each alone and all together.
A hidden count that is worked out, or bounded inside 1 to 10, or a sum over 1 to 10 trips that is exposed, is a failure.
So that the check has teeth, the same populations with primary suppression alone must be broken.

    check_disclosure.py                    # what `make test` runs: populations, some of them jointly, the teeth
    check_disclosure.py all                # everything
    check_disclosure.py populations        # only these; also: joint, indiana, nights, teeth, dominance
    check_disclosure.py file SUMMARY.json [CELLS.csv] [INTERNAL.json]    # one published set

Environment: TRIPKPI (the program), TRIPKPI_ATTACKS (populations; 300 before a release), TRIPKPI_SEED (the first one),
TRIPKPI_NIGHTS (12 before a release), OFF_COMMAND (a program, with its first words, that hides only small counts; the
teeth are tried on it instead of on our own masking), TRIPKPI_ATTACK_ZEROS=off (the outsider does not use that a
hidden cell has at least one trip, since 0 is shown), TRIPKPI_ATTACK_ROWS=1 (populations as if a row-level feed by
year, type and class were published with them), TRIPKPI_ATTACK_LIST=1 (print each finding with the truth),
TRIPKPI_SHARED (the folder with the Indiana sample; else shared/data beside the checkout).
The last line is `N passed, N failed`.
"""
import collections
import concurrent.futures
import csv
import gzip
import itertools
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time

import dominance
from attack import ALL, SOURCING, PublishedSet, attack
from published_set import COUNTS, INTERVALS, SUMS
from disclosure_data import indiana_rows, population, primary_only, write_export
from nightly_site import ROOT, TRIPKPI, Checks, Site

POPULATIONS = int(os.environ.get("TRIPKPI_ATTACKS", 16))
SEED = int(os.environ.get("TRIPKPI_SEED", 1))
NIGHTS = int(os.environ.get("TRIPKPI_NIGHTS", 6))
OFF_COMMAND = shlex.split(os.environ.get("OFF_COMMAND", ""))
LIST = bool(os.environ.get("TRIPKPI_ATTACK_LIST"))
# "0 is shown" is a public rule, so hidden trips are at least 1. Set to off, to see what is found without that.
ZEROS = os.environ.get("TRIPKPI_ATTACK_ZEROS") != "off"
ROWS = bool(os.environ.get("TRIPKPI_ATTACK_ROWS"))
SHARED = pathlib.Path(os.environ.get("TRIPKPI_SHARED", ROOT.parent / "shared/data"))
BROKEN = ("determined", "inside", "isolated")
HEAD = {"totalTrips": "trips", "avgDuration": "duration.mean", "inHousePercent": "inHousePercent",
        "cost": "costPerTrip"}
CARDS = {"totalTrips": "trips", "inHousePercent": "inHousePercent", "costPerTrip": "costPerTrip",
         "averageDuration": "duration.mean", "responseP90": "response.p90"}
FIRST_NIGHT = 1_775_000_000


ADDITIVE = {figure for figures in (*COUNTS.values(), *SUMS.values()) for figure in figures}


def less(total, parts):
    """A cell without some of its months: what adds up, and the means of intervals."""
    rest = {figure: total[figure] - sum(part.get(figure, 0) for part in parts) for figure in ADDITIVE if figure in total}
    for name in INTERVALS:
        seconds = lambda cell: float(cell.get(f"{name}.mean", 0)) * cell[f"{name}.used"]
        if rest[f"{name}.used"]:
            rest[f"{name}.mean"] = (seconds(total) - sum(map(seconds, parts))) / rest[f"{name}.used"]
    return rest


class Truth:
    """The figures of the same data without suppression."""

    def __init__(self, internal, published=None):
        """`published`: what is attacked; months that it leaves out of everything are no part of "All" here either."""
        self.cells = PublishedSet(internal, name="internal").cells
        shown = {key[0] for key in published.cells} if published else set()
        withheld = {key[0] for key in self.cells} - shown if published else set()
        for key in [key for key in self.cells if withheld and key[0] == ALL]:
            self.cells[key] = less(self.cells[key], [self.cells[month, *key[1:]] for month in withheld])

    def of(self, cells, figure):
        if figure.endswith(".sum"):
            name = figure.removesuffix(".sum")
            return sum(float(self.cells[key].get(f"{name}.mean", 0)) * self.cells[key][f"{name}.used"] for key in cells)
        return float(sum(self.cells[key][figure] for key in cells))

    def contributors(self, target):
        """How many trips a sum is over; where that is not told, at most so many."""
        figure = target.figure
        counted = {"totalCost": "costedTrips", "inHouseCost": "inHouse", "contractedCost": "contracted",
                   "loadedMiles": "trips", "unloadedMiles": "trips"}.get(figure, figure.replace(".sum", ".used"))
        return sum(self.cells[key][counted] for key in target.cells)

    def rows(self, published):
        """Rows of a feed in which each year, type and class has a multiple of the minimum."""
        trips = collections.Counter()
        for month, region, kind in published.leaves((ALL, ALL, ALL)):
            for name in SOURCING:
                trips[month[:4], kind, name] += self.cells[month, region, kind][name]
        return collections.Counter({key: count - count % published.minimum for key, count in trips.items()})

    def months(self, published):
        """A leaf is the same while all of its month is."""
        whole = {month: repr([self.cells[key] for key in self.cells if key[0] == month]) for month in published.months}
        return {leaf: whole[leaf[0]] for leaf in published.leaves((ALL, ALL, ALL))}

    def leaves(self, published):
        """A leaf is the same while it does not change itself, whatever becomes of its month."""
        return {leaf: repr(self.cells[leaf]) for leaf in published.leaves((ALL, ALL, ALL))}

    def may_be_small(self, target):
        return 1 <= self.contributors(target) < target.published.minimum


class Outcome:
    """What attacks found, by kind and figure."""

    def __init__(self):
        self.tally = collections.Counter()
        self.figures = collections.Counter()
        self.hidden = self.programs = self.seconds = 0
        self.faults = []
        self.lines = []

    def add(self, report, truths, seconds=0.0):
        self.hidden += report.hidden
        self.programs += report.programs
        self.seconds += seconds
        if report.infeasible:
            self.faults.append(f"the published figures contradict each other: {', '.join(report.infeasible)}")
        if report.given_up:
            self.faults.append(f"{report.given_up} programs were not solved")
        for finding in report.findings:
            truth = truths[finding.set_name].of(finding.cells, finding.figure) if truths else None
            if truth is not None and not is_near(finding, truth):
                self.faults.append(f"the attack is wrong: {line(finding, truth)}")
                continue
            self.tally[finding.kind] += 1
            self.figures[finding.kind, finding.figure] += 1
            if finding.kind in BROKEN or LIST:
                self.lines.append(line(finding, truth))

    @property
    def broken(self):
        return sum(self.tally[kind] for kind in BROKEN)

    def merge(self, other):
        self.tally += other.tally
        self.figures += other.figures
        self.hidden += other.hidden
        self.programs += other.programs
        self.seconds += other.seconds

    def words(self):
        found = ", ".join(f"{self.tally[kind]} {kind}" for kind in (*BROKEN, "small", "zero"))
        return f"{self.hidden} hidden counts: {found}; {self.programs} programs, {self.seconds:.1f} s"

    def by_figure(self):
        for kind in BROKEN:
            rows = [f"{figure} {count}" for (k, figure), count in sorted(self.figures.items()) if k == kind]
            if rows:
                yield f"  {kind}: {', '.join(rows)}"


def is_near(finding, truth):
    slack = 0.06 if finding.kind != "isolated" else 0.02 * abs(truth) + 0.5
    return finding.low - slack <= truth <= finding.high + slack


def line(finding, truth):
    cells = " + ".join("/".join(key) for key in finding.cells[:4]) + (" + …" if len(finding.cells) > 4 else "")
    bounds = f"{finding.low:g}" if finding.low == finding.high else f"{finding.low:g} to {finding.high:g}"
    return f"{finding.kind}: {finding.set_name} {cells} {finding.figure} = {bounds}" + (
        "" if truth is None else f" (it is {truth:g})")


def run(folder, command, *words, allowed=(0,)):
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "SOURCE_DATE_EPOCH": str(FIRST_NIGHT),
                   "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                   **{k: os.environ[k] for k in ("TRIPKPI_DATA", "LD_LIBRARY_PATH") if k in os.environ}}
    done = subprocess.run([*command, *map(str, words)], cwd=folder, env=environment, capture_output=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode not in allowed:
        raise AssertionError(f"tripkpi {words[0]} ended with {done.returncode}: {done.stderr.decode()[-600:]}")
    return done.stdout if done.returncode == 0 else None


def published(folder, command, name, *words):
    """The set as an outsider has it, and the truth; nothing where too few trips are to be published at all."""
    summary = run(folder, command, "scan", *words, "--format", "json", "--quiet", allowed=(0, 65))
    if summary is None:
        return None, None
    cells = run(folder, command, "scan", *words, "--format", "csv", "--quiet")
    internal = run(folder, [TRIPKPI], "scan", *words, "--format", "json", "--quiet", "--internal")
    return PublishedSet(summary, cells, name), internal


def direct(found):
    """What needs no attack."""
    for key, figure in found.only_in_csv:
        yield f"{found.name} {'/'.join(key)}: CSV shows {figure}, JSON does not"
    for key in found.small_patients:
        yield f"{found.name} {'/'.join(key)}: CSV shows a count of patients from 1 to {found.minimum - 1}"
    overall = found.cells[ALL, ALL, ALL]
    for name, figure in HEAD.items():
        if found.summary[name] != overall.get(figure, 0):
            yield f"{found.name}: the head's {name} is not what the overall cell shows"
    for card in found.summary["kpiCards"]:
        figure = CARDS[card["id"]]
        series = [found.cells[month, ALL, ALL].get(figure) for month in found.summary["months"]]
        if card["chartData"] != [value for value in series if value is not None]:
            yield f"{found.name}: the chart of card {card['id']} is not what the months' cells show"
        if (card["value"] in ("Hidden", "None")) != (figure not in overall):
            yield f"{found.name}: card {card['id']} shows what the overall cell does not, or hides what it shows"


def zeros(sets):
    """Whether what is hidden is known not to be 0: not in a set that shows nothing but the total of all."""
    return ZEROS and all(any(cell.get("trips", found.summary["totalTrips"]) != found.summary["totalTrips"]
                             for cell in found.cells.values()) for found in sets)


def attack_population(seed, command, is_masked=False, joint=False):
    """Outcome of one population; None where nothing is published."""
    data = population(random.Random(seed), seed)
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="tripkpi-attack-") as folder:
        write_export(pathlib.Path(folder), data)
        name = f"population {seed} ({data.words})"
        found, internal = published(folder, command, name, "trips.csv")
        if found is None:
            return None
        if is_masked:
            found = PublishedSet(primary_only(internal), name=name)
    truth = Truth(internal, found)
    if ROWS:
        found.group, found.rows = found.minimum, truth.rows(found)
    outcome.faults += [] if is_masked else direct(found)
    began = time.monotonic()
    report = attack([found], joint=joint, zeros_are_shown=zeros([found]), may_be_small=truth.may_be_small)
    outcome.add(report, {name: truth}, time.monotonic() - began)
    return outcome


def populations(checks, what, command, must_hold=True, joint=False, is_masked=False, count=POPULATIONS):
    began, total, unpublished, broken = time.monotonic(), Outcome(), 0, 0
    seeds = range(SEED, SEED + count)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(attack_population, seed, command, is_masked, joint) for seed in seeds]
        for seed, job in zip(seeds, jobs):
            try:
                outcome = job.result()
            except (AssertionError, RuntimeError) as error:
                checks.hold(f"{what}, seed {seed}", str(error))
                continue
            if outcome is None:
                unpublished += 1
                continue
            total.merge(outcome)
            broken += outcome.broken > 0
            shown = outcome.lines if LIST else outcome.lines[:3]
            checks.hold(f"{what}, seed {seed}", *outcome.faults,
                        f"{outcome.words()}\n    " + "\n    ".join(shown) if must_hold and outcome.broken else None)
    print(f"{what}: {count} populations, {unpublished} too small to be published, {broken} broken; {total.words()}; "
          f"{time.monotonic() - began:.0f} s in all")
    print(*total.by_figure(), sep="\n")
    return broken


def teeth(checks, count=min(POPULATIONS, 8)):
    """Where only small counts are hidden, the attack must find a good part of them."""
    command = OFF_COMMAND or [TRIPKPI]
    what = "primary suppression alone" + (f" ({' '.join(OFF_COMMAND)})" if OFF_COMMAND else "")
    broken = populations(checks, what, command, must_hold=False, is_masked=not OFF_COMMAND, count=count)
    checks.hold("teeth", None if broken * 2 >= count else f"only {broken} of {count} populations were broken")


def indiana(checks):
    source = SHARED / "indiana_ems_sample_2025.csv.gz"
    if not source.exists():
        print(f"Indiana: left out, there is no {source.name} in {SHARED}")
        return
    with gzip.open(source, "rt", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name, data in indiana_rows(rows):
        with tempfile.TemporaryDirectory(prefix="tripkpi-attack-") as folder:
            write_export(pathlib.Path(folder), data)
            began = time.monotonic()
            found, internal = published(folder, [TRIPKPI], name, "trips.csv")
            scanned = time.monotonic() - began
        if found is None:
            checks.hold(name, "nothing was published")
            continue
        truth, outcome = Truth(internal, found), Outcome()
        outcome.faults += direct(found)
        began = time.monotonic()
        report = attack([found], zeros_are_shown=zeros([found]), may_be_small=truth.may_be_small)
        outcome.add(report, {name: truth}, time.monotonic() - began)
        print(f"{name}: {len(found.cells)} cells, three scans {scanned:.1f} s; {outcome.words()}")
        print(*outcome.by_figure(), sep="\n")
        checks.hold(name, *outcome.faults, "\n    ".join(["broken", *outcome.lines[:5]]) if outcome.broken else None)


def nights(checks):
    """A publish a night, with late trips and corrections of earlier months; each set alone, then all together."""
    generator = random.Random(SEED)
    data = population(generator, SEED, months=4, base=6.0, regions=3, types=2)
    waiting = sorted(data.rows, key=lambda row: row["unit_notified_at"] or row["service_date"])
    size = len(waiting) // NIGHTS + 1
    sets, truths, loaded = [], {}, []
    with tempfile.TemporaryDirectory(prefix="tripkpi-attack-") as folder:
        site = Site.made(pathlib.Path(folder) / "site")
        with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as file:
            file.write(data.settings)
        for night in range(NIGHTS):
            site.epoch = FIRST_NIGHT + night * 86_400
            # The first night brings the first three months, so that the others restate them.
            rows = waiting[:len(waiting) * 2 // 3] if night == 0 else waiting[
                len(waiting) * 2 // 3 + (night - 1) * size // 3:len(waiting) * 2 // 3 + night * size // 3]
            changed = []
            for row in generator.sample(loaded, min(len(loaded), generator.choice((0, 1, 2, 3, 8)))):
                row = dict(row, updated_at=f"2026-05-{night + 1:02d} 08:00:00")
                match generator.choice(("cost", "void", "region", "status", "type")):
                    case "cost":
                        row["cost"] = f"{generator.uniform(100, 2000):.2f}"
                    case "void":
                        row["status"] = "void"
                    case "region":
                        row["region"] = generator.choice(data.regions)
                    case "status":
                        row["status"] = generator.choice(("cancelled", "no_show", "completed"))
                    case "type":
                        row["trip_type"] = generator.choice(data.types)
                changed.append(row)
            loaded += rows
            data.write(site.inbox / f"night-{night:02d}.csv", rows + changed)
            code, _, messages = site.tripkpi("run", "--quiet")
            if code != 0:
                checks.hold(f"night {night + 1}", f"run ended with {code}: {messages[-600:]}")
                return
            current, name = site.current(), f"night {night + 1}"
            sets.append(PublishedSet(current["kpi-summary.json"], current["kpi-cells.csv"], name,
                                     current.get("trips.ndjson.gz")))
            truths[name] = Truth(site.succeed("report", "--format", "json", "--internal", "--quiet")[0], sets[-1])
            outcome = Outcome()
            outcome.faults += direct(sets[-1])
            began = time.monotonic()
            report = attack([sets[-1]], zeros_are_shown=zeros(sets[-1:]), may_be_small=truths[name].may_be_small)
            outcome.add(report, truths, time.monotonic() - began)
            checks.hold(name, *outcome.faults,
                        f"{outcome.words()}\n    " + "\n    ".join(outcome.lines[:3]) if outcome.broken else None)
    print(f"{restated(sets)} cells show from one night to the next what fewer than {sets[0].minimum} more or fewer trips "
          "cost (not a failure: such a month is told as restated)")
    for what, fingerprints in (("unchanged months", Truth.months), ("unchanged leaves", Truth.leaves)):
        for each in sets:
            each.fingerprints = fingerprints(truths[each.name], each)
        outcome, began = Outcome(), time.monotonic()
        report = attack(sets, zeros_are_shown=zeros(sets),
                        may_be_small=lambda target: truths[target.published.name].may_be_small(target))
        outcome.add(report, truths, time.monotonic() - began)
        name = f"{NIGHTS} nights together, {what} known"
        print(f"{name}: {outcome.words()}")
        print(*outcome.by_figure(), sep="\n")
        if fingerprints == Truth.leaves:
            # Known from one set to the next: what a correction did not touch. That is more than the sets say
            # (docs/decisions/0013); what it would give away is told, and is not a failure.
            checks.hold(name, *outcome.faults)
            continue
        checks.hold(name, *outcome.faults,
                    "\n    ".join(["broken", *outcome.lines[:5]]) if outcome.broken else None)


def restated(sets):
    """Cells that two sets in turn show with 1 to 10 trips more or less, and their cost: the difference is theirs."""
    found = 0
    for before, after in itertools.pairwise(sets):
        for key, cell in after.cells.items():
            old = before.cells.get(key, {})
            if {"trips", "totalCost"} <= cell.keys() & old.keys():
                found += 1 <= abs(cell["trips"] - old["trips"]) < after.minimum and cell["totalCost"] != old["totalCost"]
    return found


def one_file(checks, summary, cells=None, internal=None):
    read = lambda path: pathlib.Path(path).read_text(encoding="utf-8") if path else None
    found, outcome = PublishedSet(read(summary), read(cells), "set"), Outcome()
    truth = Truth(read(internal), found) if internal else None
    began = time.monotonic()
    report = attack([found], zeros_are_shown=zeros([found]), may_be_small=truth.may_be_small if truth else lambda target: False)
    outcome.add(report, {"set": truth} if truth else None, time.monotonic() - began)
    print(outcome.words(), *outcome.by_figure(), *outcome.lines, sep="\n")
    checks.hold("set", *direct(found), *outcome.faults, "broken" if outcome.broken else None)


def main(words):
    checks = Checks()
    wanted = words[:1] or ["tests"]
    if wanted == ["file"]:
        one_file(checks, *words[1:])
    if wanted[0] in ("tests", "all", "populations"):
        populations(checks, "populations", [TRIPKPI])
    if wanted[0] in ("tests", "all", "joint"):
        count = POPULATIONS if wanted[0] == "joint" else min(POPULATIONS, 4)
        populations(checks, "populations, all relations at once", [TRIPKPI], joint=True, count=count)
    if wanted[0] in ("all", "indiana"):
        indiana(checks)
    if wanted[0] in ("tests", "all", "nights"):
        nights(checks)
    if wanted[0] in ("tests", "all", "dominance"):
        dominance.check(checks, POPULATIONS, SEED)
    if wanted[0] in ("tests", "all", "teeth"):
        teeth(checks)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
