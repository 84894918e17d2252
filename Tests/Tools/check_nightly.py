#!/usr/bin/env python3
"""A month restated by a late correction, from beginning to end: what the API serves and what an analyst sees.

Daily exports of three months but one day; run; a late correction of February; run; the same files once more; a dry
run; the correction withdrawn. What is published for staff must equal a `scan` of the same files each time; the release
must keep the figures of the night that released its months. With CHECK_STORY set, the figures are printed as a story. The last line is `N passed, N failed`.
"""
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from nightly_site import AUDIENCES, FIRST_NIGHT, SECOND_NIGHT, VALUES, Checks, Site, sample, set_fault, tree

MONTH, MISSING = "2026-02", "2026-03-17"
OF_THE_RUN = {"generatedAt", "runId", "restatements"}
PLAIN_COST = re.compile(r"\d+\.\d\d")  # some are written with a dollar sign or in parentheses
CORRECTIONS = "corrections_2026-04-01.csv"


def story(*words):
    if os.environ.get("CHECK_STORY"):
        print(*words)


def daily_exports(site, rows):
    """A file a day, without one day."""
    whole = site.folder / "whole.csv"
    sample(whole, rows, 11, "--faulty-per-million", 0, "--corrections-per-million", 0, "--no-structural-faults")
    days = {}
    with open(whole, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        for row in reader:
            days.setdefault((row["unit_notified_at"] or row["service_date"])[:10], []).append(row)
    for day, rows_of_day in days.items():
        if day != MISSING:
            write(site.inbox / f"trips_{day}.csv", reader.fieldnames, rows_of_day)
    whole.unlink()
    return reader.fieldnames, [row for day in sorted(days) if day.startswith(MONTH) for row in days[day]]


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def late_correction(path, names, february):
    """Sixty trips cost a dollar more, twenty were never made; by how many cents and trips the month changes."""
    completed = [row for row in february if row["status"] == "completed" and PLAIN_COST.fullmatch(row["cost"])]
    dearer, voided = completed[:60], completed[60:80]
    rows = [{**row, "cost": f"{float(row['cost']) + 1:.2f}", "updated_at": "2026-04-01 08:00:00"} for row in dearer]
    rows += [{**row, "status": "void", "updated_at": "2026-04-01 08:00:00"} for row in voided]
    write(path, names, rows)
    return len(dearer) * 100 - sum(round(float(row["cost"]) * 100) for row in voided), len(voided)


def cell(summary, month, region="All", trip_type="All"):
    return next(c for c in summary["cells"] if (c["month"], c["region"], c["tripType"]) == (month, region, trip_type))


def cents(amount):
    return round(amount * 100)


def numbers(value):
    """All numbers of a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def without(summary, keys):
    return {key: value for key, value in summary.items() if key not in keys}


def unequal(expected, actual):
    """The top-level keys in which two summaries differ."""
    names = sorted(k for k in expected.keys() | actual.keys() if expected.get(k) != actual.get(k))
    return names and f"differ in {', '.join(names)}"


def as_scanned(checks, name, site, audience):
    """What the set shows is what a `scan` of the inbox finds, and it shows more than a few cells."""
    files = sorted(path.relative_to(site.folder) for path in site.inbox.iterdir())
    words = ("scan", *files, "--quiet", "--format", "json", "--audience", audience)
    published, scanned = site.summary(audience), json.loads(site.succeed(*words)[0])
    # What became of the records is counted by file; the scan knows one load of all of them.
    found = unequal(without(published, OF_THE_RUN | {"quality"}), without(scanned, OF_THE_RUN | {"quality"}))
    checks.hold(f"{name}: published for {audience} against scanned", found)
    shown = sum(cell["trips"] is not None for cell in published["cells"])
    checks.hold(f"{name}: cells shown for {audience}", shown < 10 and f"only {shown}")


def as_released(checks, name, site, first, pending):
    """The release has the figures of the first night; cells of `pending` say that corrections wait for a revision."""
    old, new = json.loads(first["kpi-summary.json"]), site.summary("release")
    cells = lambda summary: [without(each, {"revisionPending"}) for each in summary["cells"]]
    checks.hold(f"{name}: released figures", cells(old) != cells(new) and "changed without a revision")
    marked = {each["month"] for each in new["cells"] if each["revisionPending"]}
    checks.hold(f"{name}: pending corrections", marked != pending and f"are of {sorted(marked)}, not of {sorted(pending)}")
    checks.hold(f"{name}: restatements of the release", new["restatements"] and f"are {new['restatements']}")


def first_run(checks, site):
    _, messages = site.succeed("run")
    checks.hold("run 1: what is published", set_fault(site.reports))
    checks.hold("run 1: no restatement", site.summary().get("restatements"))
    checks.hold("run 1: the missing day", MISSING not in messages and f"{MISSING} is not named: {messages[-600:]}")
    checks.hold("run 1: messages", VALUES.search(messages) and "hold a value of a record")
    for audience in AUDIENCES:
        as_scanned(checks, "run 1", site, audience)
    checks.hold("run 1: what is released", any(each["revisionPending"] for each in site.summary("release")["cells"])
                and "has corrections that wait")
    return {audience: site.current(audience) for audience in AUDIENCES}


def dry_run(checks, site, name, word):
    """Says what a run would do and does nothing."""
    before = tree(site.folder)
    output, messages = site.succeed("run", "--dry-run")
    changed = sorted(k for k in before.keys() | tree(site.folder).keys() if before.get(k) != tree(site.folder).get(k))
    checks.hold(f"{name}: dry run", changed and f"changed {changed[:5]}",
                word not in output + messages and f"does not say {word}: {(output + messages)[-400:]}")


def second_run(checks, site, first, effect_cents, voided):
    old, new = json.loads(first["kpi-summary.json"]), site.summary()
    before, after = cell(old, MONTH), cell(new, MONTH)
    story(f"{MONTH} in run 1: {before['trips']} trips, {before['totalCost']} dollars")
    story(f"{MONTH} in run 2: {after['trips']} trips, {after['totalCost']} dollars")
    checks.hold("run 2: trips", after["trips"] != before["trips"] - voided and "not fewer by the voided trips")
    checks.hold("run 2: cost", cents(after["totalCost"]) != cents(before["totalCost"]) + effect_cents
                and "is not what the corrections make of it")
    others = [c["month"] for c, d in zip(old["cells"], new["cells"]) if c["month"] not in ("All", MONTH) and c != d]
    checks.hold("run 2: other months", others and f"{sorted(set(others))} changed too")
    restated = new.get("restatements") or []
    story("restatements:", json.dumps(restated, indent=1))
    checks.hold("run 2: restatements", [entry.get("month") for entry in restated] != [MONTH] and f"are {restated}")
    shown = numbers(restated)
    for what, value in (("trips before", before["trips"]), ("trips after", after["trips"])):
        checks.hold(f"run 2: restated {what}", value not in shown and f"{value} is not among {shown}")
    checks.hold("run 2: what is published", set_fault(site.reports))


def analyst(checks, site, summary, name):
    """`report` from the store has the published figures, for the month and as a table."""
    audience = summary["audience"]
    output, _ = site.succeed("report", "--month", MONTH, "--format", "json", "--audience", audience)
    reported, published = json.loads(output), [each for each in summary["cells"] if each["month"] == MONTH]
    checks.hold(f"{name}: report for {audience}", unequal(cell(summary, MONTH), cell(reported, MONTH)),
                [each for each in reported["cells"] if each["month"] == MONTH] != published and "has other cells")
    table, _ = site.succeed("report", "--month", MONTH, "--audience", audience)
    story(f"report for {audience}, {name}:\n{table[:1500]}")
    checks.hold(f"{name}: report for {audience} as a table",
                f"{cell(summary, MONTH)['trips']:,}" not in table and "has not the trips")


def replay(checks, site):
    """The same exports under other names change nothing."""
    digest, published = site.digest(), tree(site.reports)
    for path in list(site.inbox.iterdir())[:20]:
        shutil.copyfile(path, site.inbox / f"again-{path.name}")
    site.succeed("run", "--quiet")
    checks.hold("replay", digest != site.digest() and "the store's digest changed",
                published != tree(site.reports) and "what is published changed")
    for path in site.inbox.glob("again-*"):
        path.unlink()


def withdraw(checks, site, first, epoch):
    """Without the correction all figures are those of run 1 again."""
    path = site.inbox / CORRECTIONS
    content = path.read_bytes()
    path.unlink()
    site.epoch = epoch
    site.succeed("load", "--withdraw", hashlib.sha256(content).hexdigest()[:12])
    site.succeed("publish")
    name = "withdrawn" if epoch > SECOND_NIGHT else "withdrawn in the same second"
    for audience in AUDIENCES:
        now = site.current(audience)
        checks.hold(f"{name}: cells for {audience}",
                    now["kpi-cells.csv"] != first[audience]["kpi-cells.csv"] and "differ from run 1")
        old, new = (json.loads(files["kpi-summary.json"]) for files in (first[audience], now))
        for summary in (old, new):
            summary["quality"].pop("freshness", None)  # counted from the time of the run
        checks.hold(f"{name}: summary for {audience}", unequal(without(old, OF_THE_RUN), without(new, OF_THE_RUN)))
    as_released(checks, name, site, first["release"], set())
    new = site.summary()
    months = [entry.get("month") for entry in new.get("restatements") or []]
    checks.hold(f"{name}: restatements", months != [MONTH] and f"are of {months}, not of {MONTH}")
    checks.hold(f"{name}: what is published", set_fault(site.reports))
    path.write_bytes(content)


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="tripkpi-story-") as folder:
        site = Site.made(pathlib.Path(folder) / "site", FIRST_NIGHT)
        names, february = daily_exports(site, rows=9000)
        dry_run(checks, site, "before anything", "make the store")
        first = first_run(checks, site)
        first_digest = site.digest()
        for audience in AUDIENCES:
            analyst(checks, site, site.summary(audience), "run 1")
        effect_cents, voided = late_correction(site.inbox / CORRECTIONS, names, february)
        dry_run(checks, site, "with a late correction", "load corrections_2026-04-01.csv")
        at_once = site.copied(pathlib.Path(folder) / "at-once", FIRST_NIGHT)
        site.epoch = SECOND_NIGHT
        _, messages = site.succeed("run")
        story(f"run 2 says:\n{messages}")
        checks.hold("run 2: messages", MONTH not in messages and f"{MONTH} is not named: {messages[-600:]}",
                    VALUES.search(messages) and "they hold a value of a record")
        second_run(checks, site, first["staff"], effect_cents, voided)
        as_scanned(checks, "run 2", site, "staff")
        as_released(checks, "run 2", site, first["release"], {"All", MONTH})
        for audience in AUDIENCES:
            analyst(checks, site, site.summary(audience), "run 2")
        replay(checks, site)
        withdraw(checks, site, first, SECOND_NIGHT + 86_400)
        checks.hold("withdrawn: store", site.digest() != first_digest and "its digest is not that of run 1")
        # All within one second, so that run and ids can collide.
        at_once.succeed("run", "--quiet")
        withdraw(checks, at_once, first, FIRST_NIGHT)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
