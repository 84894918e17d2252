#!/usr/bin/env python3
"""Opens dashboard.html in a browser and holds it to its summary, to readers' needs and to its promise to stay alone.

    check_dashboard.py            the samples, and the pages that DashboardSampleTests writes
    check_dashboard.py --all      every choice of every page, and every view; else a part of those that repeat others

- figures: every cell of kpi-summary.json, on the page without script and after each filter, against `dashboard_figures`;
- cards, points of the charts, bars and the CSV of a table: the same figures, for each choice;
- why a cell is not shown, or incomplete: the words of `tripkpi report --explain` for the same cell;
- axe-core: no violation, and each `incomplete` explained below, at 320, 768 and 1280 px, light, dark, forced colours, print
  and 200 % text, with the page in each of its states;
- the keyboard alone: order of stops, their size and outline, filters, sorting, links, the way back;
- no request, no error, nothing a policy had to stop; from file:// and from a server.
Needs chromium, playwright and axe-playwright-python; TRIPKPI names the program. Prints what fails, then
`N passed, N failed`; exit 1 if anything does. Without chromium the whole check is skipped.
"""
import csv
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from axe_playwright_python.sync_playwright import Axe

import dashboard_figures as figures
from dashboard_browser import browser, executable, open_anew
from nightly_site import AUDIENCES, Checks, Site, written_by_tests

ROOT = Path(__file__).resolve().parents[2]
# The rules of the synthetic exports.
os.environ.setdefault("TRIPKPI_RULES", "sample")
TRIPKPI = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
EVENTS = ["--events", str(ROOT / "data/samples/events.json"), "--events-profile", str(ROOT / "data/samples/safepassage.yaml")]
checks, AXE = Checks(), Axe()

# What axe cannot decide by itself, and why it is right.
EXPLAINED = {
    "color-contrast": "texts in drawings: axe does not know what an SVG paints behind them. The colours themselves are "
                      "held to 7:1 and 3:1 by `check_contrast`. The arrow of a trend is no text to axe; it is hidden from "
                      "readers of the screen, has the colour of the words beside it, and they say the same",
}
UNDECIDABLE = ("svg", "text", "chart-", ".tick", ".month", ".value", ".arrow")
# Pages of which every choice is made. The others differ from them in notices, targets or events, not in how a choice is shown.
WHOLE_PAGES = ("big", "internal", "hostile")
# Views that are looked at by default: each way of showing, each width, and what is narrow or large together.
SOME_VIEWS = ("1280 px, light", "1280 px, dark", "1280 px, print", "768 px, forced colours", "768 px, more contrast",
              "768 px, 200 % text", "320 px, light", "320 px, dark", "320 px, 200 % text")
# Width, what the browser is told, root font size, whether it is the medium print.
VIEWS = {
    f"{width} px, {name}": (width, *view) for width in (1280, 768, 320) for name, view in {
        "light": ({"color_scheme": "light"}, None, False), "dark": ({"color_scheme": "dark"}, None, False),
        "forced colours": ({"forced_colors": "active"}, None, False), "print": ({}, None, True),
        "200 % text": ({}, "200%", False), "more contrast": ({"contrast": "more"}, None, False),
    }.items()
}
TABLE = """table => [...table.tBodies[0].rows].map(row => [...row.cells].filter(cell => cell.className !== "trend").map(
    cell => cell.tagName === "TD" ? cell.textContent : cell.firstChild ? cell.firstChild.textContent : ""))"""


# All that the page shows of a choice, in one answer: the charts are told by their id, the bars by their selector.
READ = """([charts, bars]) => {
    const table = %s;
    // Without what only a screen reader says.
    const seen = e => [...e.childNodes].filter(node => !node.classList?.contains("visually-hidden")).map(node => node.textContent).join("");
    // The marks that a screen reader would say.
    const heard = card => [...card.querySelectorAll(".card-value, dd")].flatMap(e => [...e.childNodes])
        .filter(node => /[+^]/.test(node.textContent) && node.ariaHidden !== "true").map(node => node.textContent);
    const points = plot => {
        const press = key => plot.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
        const texts = [];
        press("Home");
        for (let month = 0; month <= Number(plot.ariaValueMax); month++) {
            texts.push(plot.ariaValueText);
            press("ArrowRight");
        }
        return texts;
    };
    const all = selector => [...document.querySelectorAll(selector)];
    return {
        tables: ["groups", "months"].map(id => table(document.getElementById(id))),
        points: charts.map(id => points(document.querySelector(`#${id} .plot`))),
        cards: all("#cards > li").map(card => [card.querySelector("h3").textContent, seen(card.querySelector(".card-value")),
            ...[...card.querySelectorAll("dt, dd")].map(seen)]),
        heard: all("#cards > li").map(heard),
        verdicts: all("#cards > li").map(card => card.querySelector(".card-verdict").textContent),
        bars: bars.map(chart => ({
            rows: all(`${chart} > .bars > li`).map(row => [row.querySelector("bdi").textContent, seen(row.querySelector(".bar-value"))]),
            barred: all(`${chart} > .bars > li:has(rect)`).map(row => row.querySelector("bdi").textContent),
            named: all(`${chart} > .legend`).map(one => one.textContent) })) };
}""" % TABLE
BARS = {"#chart-regions-response-p90": ("Response p90", "regions"), "#chart-regions-trips": ("Trips", "regions"),
        "#chart-types": ("Trips", "tripTypes")}


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def same(found, wanted, message):
    fault = None
    if found != wanted:
        pairs = [(a, b) for a, b in zip(found, wanted) if a != b] or [(len(found), len(wanted))]
        fault = f"{len(pairs)} differ, first: page {pairs[0][0]}, summary {pairs[0][1]}"
    checks.hold(message, fault)


def make_pages(folder):
    """Pages and their summaries, by name."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
    (folder / "targets.yaml").write_text(
        "targets:\n  - {measure: inHouseShare, value: 55%}\n  - {measure: costPerTrip, region: North, value: 700}\n"
        '  - {measure: response.p90, trip_type: Emergency, value: "14:00"}\n', encoding="utf-8")
    (folder / "omit.yaml").write_text("missing_counts: omit\n", encoding="utf-8")
    # A few unclassified trips of a month hide the costs and means of all its trips: one page has none.
    rest = "\n  - id: the-rest\n    reason: This site has no other trips.\n    when: {present: trip_id}\n    then: inHouse\n"
    (folder / "all.yaml").write_text((ROOT / "data/rules/default.yaml").read_text(encoding="utf-8") + rest, encoding="utf-8")
    for name, export, extra in (("big", "sample.csv.gz", ["--release"]), ("internal", "sample.csv.gz", []),
                                ("small", "sample.csv", ["--release"]),
                                ("omitted", "sample.csv.gz", ["--release", "--config", "omit.yaml"]),
                                ("targets", "sample.csv.gz", ["--config", "targets.yaml"]),
                                ("released-targets", "sample.csv.gz", ["--release", "--config", "targets.yaml", "--rules", "all.yaml"]),
                                ("events", "sample.csv.gz", ["--release", *EVENTS]), ("staff-events", "sample.csv.gz", EVENTS)):
        for form in ("html", "json"):
            command = [TRIPKPI, "scan", str(ROOT / "data/samples" / export), "--quiet", *extra,
                       "--output", str(folder / f"{name}.{form}")]
            made = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=folder)
            check(made.returncode == 0, f"{name}.{form} was not made: {made.stderr[-500:]}")
    checks.hold("the samples", written_by_tests("DashboardSampleTests", CHECK_DASHBOARD_SAMPLES=folder))
    return {page.stem: (page.as_uri(), figures.Summary(json.loads(page.with_suffix(".json").read_text())))
            for page in sorted(folder.glob("*.html"))}


# Of the setting in `make_pages`: measure, trip type, region or None, value, and whether more is better.
TARGETS = [("inHouseShare", "All", None, 0.55, True), ("costPerTrip", "All", "North", 700, False),
           ("response.p90", "Emergency", None, 840, False)]
COUNTS = {"inHouseShare": ["inHouse", "contracted"], "costPerTrip": ["costedTrips"], "response.p90": ["response.used"]}
TITLES = {"inHouseShare": "In-house share", "costPerTrip": "Cost per trip", "response.p90": "Response p90"}


def check_targets(opened, pages):
    """Targets counted again from the cells: the document, the table of the page, the line of a chart, the card."""
    for name in ("targets", "released-targets"):
        address, summary = pages[name]
        document, latest = summary.document, summary.latest
        wanted, rows = [], []
        for measure, trip_type, region, value, is_more_better in TARGETS:
            title = TITLES[measure]
            regions = ["All", *(one for one in document["filters"]["regions"][1:] if one != "Unassigned")]
            for place in [region] if region else regions:
                counted = {}
                for month in (one for one in document["filters"]["months"][1:] if one <= latest):
                    cell = summary.cells[month, place, trip_type]
                    figure = figures.at(cell, measure)
                    text = summary.key_text(title, month, place, trip_type)
                    counts = [figures.at(cell, count) for count in COUNTS[measure]]
                    few = None not in counts and sum(counts) < 11
                    # A rounded percentile does not say on which side of a near target the exact one is.
                    near = document["audience"] == "release" and measure == "response.p90" and abs((figure or 0) - value) <= 5
                    if figure is not None and "+" not in text and not few and not near:
                        counted[month] = figure
                met = sum(figure >= value if is_more_better else figure <= value for figure in counted.values())
                gap = round(counted[latest] - value, 4) if latest in counted else None
                wanted.append((measure, place, trip_type, value, len(counted), met, gap))
                share = f"{met} of {len(counted)} ({(200 * met + len(counted)) // (2 * len(counted))}%)" if counted else "–"
                rows.append((title, place, trip_type, share))
        found = [(one["measure"], one["region"], one["tripType"], one["target"], one["monthCount"], one["monthsMet"], one["gap"])
                 for one in document["targets"]]
        same(sorted(found, key=str), sorted(wanted, key=str), f"{name}: targets of the document")
        check(any(one[4] for one in wanted) and any(one[5] not in (0, one[4]) for one in wanted), f"{name}: some are met, some not")
        page = opened.new_page()
        open_anew(page, address + "#all")
        table = page.locator("#targets tbody tr").evaluate_all(
            "rows => rows.map(row => [0, 1, 2, 5].map(at => row.cells[at].textContent))")
        same(sorted(map(tuple, table)), sorted(rows), f"{name}: the table of targets")
        open_anew(page, address + "#region=North")
        for chart, is_there in (("chart-costPerTrip", True), ("chart-trips", False), ("chart-response-p90", False)):
            check((page.locator(f"#{chart} path.target").count() == 1) == is_there, f"{name}: {chart} has a target line: {is_there}")
        check("at most $700" in page.locator("#cards").text_content(), f"{name}: the card names the target")
        page.goto("about:blank")
        open_anew(page, address + "#region=North&type=Emergency")
        check(page.locator("#chart-response-p90 path.target").count() == 1, f"{name}: the line of a trip type's target")
        page.close()


def check_published(folder):
    """The page in a published set: the same store gives the same bytes, and `verify` knows another summary's page."""
    pages = []
    for name in ("one", "two"):
        site = Site.made(folder / name)
        site.succeed("sample", "--messy", "--rows", "2000", "--months", "3", "--from", "2026-01", "--seed", "5", "--fields", "kpi",
                     "--output", "inbox/trips.csv")
        site.succeed("run")
        pages.append({audience: site.current(audience).get("dashboard.html", b"") for audience in AUDIENCES})
    check(all(pages[0].values()) and pages[0] == pages[1], "published: the same store gives the same pages")
    check(pages[0]["release"] != pages[0]["staff"], "published: each audience has a page of its own")
    report = site.tripkpi("report", "--release", "--format", "html")
    check(site.succeed("verify")[0].count("dashboard.html holds kpi-summary.json") == len(AUDIENCES),
          "published: verify looks at both pages")
    check(report[0] == 0 and report[1].startswith("<!DOCTYPE html>"), "report --format html: a page on standard output")
    for audience in AUDIENCES:
        current = site.current(audience)
        manifest, summary = json.loads(current["manifest.json"]), json.loads(current["kpi-summary.json"])
        listed = {file["name"]: file["mediaType"] for file in manifest["files"]}
        check(listed.get("dashboard.html") == "text/html", f"published: the manifest lists {listed}")
        embedded = pages[1][audience].split(b'id="kpi-summary">')[1].split(b"</script>")[0]
        check(embedded == current["kpi-summary.json"] and summary["totalTrips"] > 0 and summary["audience"] == audience,
              f"published: the {audience} page embeds its summary")
        check((b'class="stamp"' in pages[1][audience]) == (audience == "staff"), f"published: the stamp of the {audience} page")


def choose(page, month="All", region="All", trip_type="All"):
    """Follows a deep link within the page."""
    wanted = {k: v for k, v in (("month", month), ("region", region), ("type", trip_type)) if v != "All"}
    # The page's own listener of the event was there first.
    page.evaluate("""hash => new Promise(done => {
        const before = location.hash;
        addEventListener("hashchange", () => setTimeout(done, 0), { once: true });
        location.hash = hash;
        if (location.hash === before) done();
    })""", "#" + urlencode(wanted) if wanted else "#all")
    # Where the listener waited for something else, what it says of the choice is still empty.
    if not page.text_content("#state"):
        page.wait_for_function("() => document.getElementById('state').textContent !== ''")


def table(page, selector):
    return page.eval_on_selector(selector, TABLE)


def check_static(opened, name, address, summary):
    """The page as it stands without script: the figures over everything."""
    context = opened.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    check(page.is_hidden("#controls") and page.is_visible("#no-script"), f"{name}: filters without a script")
    if summary.months:
        with_tables(page, name + ", static", summary)
        wanted = [[title, summary.key_text(title, summary.latest, "All", "All") or "–", *key_row(summary, title)]
                  for title in figures.KEY_FIGURES.values()]
        same(table(page, "#key-figures"), wanted, f"{name}: static key figures")
        check(page.is_hidden("#charts") and page.is_hidden("#cards"), f"{name}: nothing is drawn without a script")
    else:
        check(page.is_visible(".empty") and page.locator("#charts").count() == 0, f"{name}: the state without trips")
    same(page.locator(".headline li").all_inner_texts(), summary.document.get("headline", {}).get("sentences", []),
         f"{name}: sentences")
    stamps = page.locator(".stamp").all_inner_texts()
    is_internal = summary.document["privacy"]["statement"].startswith("INTERNAL")
    check(stamps == ["INTERNAL: contains small counts"] * (2 if is_internal else 0), f"{name}: stamps {stamps}")
    for month in summary.document["withheldMonths"]:
        check(any(month in text for text in page.locator(".notice summary").all_inner_texts()), f"{name}: withheld {month} is not named")
    context.close()


def key_row(summary, title):
    """The rest of a row of the static key figures."""
    facts = summary.key_facts(title, summary.latest, "All", "All")
    texts, names = facts[1::2], facts[0::2]
    texts[2] += "" if names[2] == "12 months" else f", of {names[2].split()[0]} months"
    return [*texts, summary.verdict(title, summary.latest, "All", "All") or ""]


def with_tables(page, name, summary, month="All", region="All", trip_type="All"):
    same(table(page, "#groups"), summary.groups(month, region, trip_type), f"{name}: by region and type")
    same(table(page, "#months"), summary.by_month(region, trip_type), f"{name}: by month")


def with_rows(page, name, summary, month="All", region="All", trip_type="All"):
    """Both tables, the points of each chart, the bars, and the cards, for a choice."""
    found = page.evaluate(READ, [list(figures.KEY_FIGURES), list(BARS)])
    same(found["tables"][0], summary.groups(month, region, trip_type), f"{name}: by region and type")
    same(found["tables"][1], summary.by_month(region, trip_type), f"{name}: by month")
    key_month = summary.latest if month == "All" else month
    wanted = []
    for place, (chart, title) in enumerate(figures.KEY_FIGURES.items()):
        points = [summary.point(title, one, region, trip_type) for one in summary.months]
        same(found["points"][place], points, f"{name}: {chart}")
        value = summary.key_text(title, key_month, region, trip_type) if key_month else None
        wanted.append([title, (value or "none")[0].upper() + (value or "none")[1:],
                       *summary.key_facts(title, key_month, region, trip_type), *summary.target(title, region, trip_type)])
        said, shown = summary.verdict(title, key_month, region, trip_type), found["verdicts"][place]
        check(said is None or shown.endswith(said), f"{name}: {title} is {said}")
        check(said is not None or "usual" not in shown, f"{name}: {title} has no verdict")
    same(found["cards"], wanted, f"{name}: cards")
    same(found["heard"], [[]] * len(wanted), f"{name}: marks that are read aloud")
    for (chart, (title, kind)), bars in zip(BARS.items(), found["bars"]):
        with_bars(bars, f"{name}: {chart}", summary, title, kind, month, region, trip_type)


def with_bars(found, name, summary, title, kind, month, region, trip_type):
    """The rows of a bar chart: largest first, with what is hidden named below."""
    def place(group, of):
        return (of, group, trip_type) if kind == "regions" else (of, region, group)

    groups, of = summary.filters[kind][1:], summary.latest if month == "All" else month
    path = figures.path_of(title)
    value = lambda group, of: figures.at(summary.cells.get(place(group, of)), path)  # noqa: E731
    if of is None or (month == "All" and all(value(group, of) is None for group in groups)):
        of = "All"
    few = [group for group in groups if value(group, of) is not None and summary.is_of_few(title, *place(group, of))]
    wanted = {group: summary.key_text(title, *place(group, of))
              for group in groups if value(group, of) is not None and group not in few}
    # Those of all trips first, largest first; then the others, in their own order, without a bar.
    partial = lambda group: "+" in summary.key_text(title, *place(group, of))  # noqa: E731
    rank = lambda group: (partial(group), groups.index(group) if partial(group) else -value(group, of))  # noqa: E731
    rows = found["rows"]
    checks.hold(name, dict(rows) != wanted and f"page {rows}, summary {wanted}",
                [rank(row[0]) for row in rows] != sorted(rank(row[0]) for row in rows) and "not in order")
    checks.hold(f"{name}: only figures of all trips have bars",
                sorted(found["barred"]) != sorted(row[0] for row in rows if not partial(row[0])) and f"bars of {found['barred']}")
    hidden = [group for group in groups if summary.key_text(title, *place(group, of)) == "hidden"]
    check(all(any(group in text for text in found["named"]) for group in hidden), f"{name} names what is hidden")
    check(all(any("not ranked" in text and group in text for text in found["named"]) for group in few),
          f"{name} names what is of few trips")


def check_filters(opened, name, address, summary, is_whole):
    """Every cell through the filters, and back; a part of the choices where the page is not whole."""
    context = opened.new_context()
    page = context.new_page()
    page.goto(address)
    months = summary.filters["months"]
    choices = [(region, trip_type) for region in summary.filters["regions"] for trip_type in summary.filters["tripTypes"]]
    if not is_whole:
        months, choices = months[::6], choices[::5]
    for month in months:
        choose(page, month=month)
        same(table(page, "#groups"), summary.groups(month), f"{name}: cells of {month}")
    for region, trip_type in choices:
        choose(page, region=region, trip_type=trip_type)
        with_rows(page, f"{name}: {region}, {trip_type}", summary, region=region, trip_type=trip_type)
    last = summary.filters["months"][-1]
    region, trip_type = summary.filters["regions"][1], summary.filters["tripTypes"][1]
    choose(page, last, region, trip_type)
    with_rows(page, f"{name}: {last}, {region}, {trip_type}", summary, last, region, trip_type)
    choose(page)
    with_rows(page, f"{name}: all again", summary)
    context.close()


def explained(export, settings, region, trip_type, month):
    """What `tripkpi report --explain` prints, as the page's paragraphs in a line; empty where it names no reason that the page has."""
    command = [TRIPKPI, "report", str(ROOT / "data/samples" / export), "--quiet", *settings, "--explain", region, trip_type, month]
    made = subprocess.run(command, capture_output=True, text=True)
    check(made.returncode == 0, f"report --explain: {made.stderr[-300:]}")
    # The page shows no mean that no cell has, so it does not explain one.
    lines = [line for line in made.stdout.splitlines() if not line.startswith("The mean of ")]
    is_plain = all(line == "What would show it:" or line.startswith("- See the staff figures") for line in lines[1:])
    return "" if is_plain else " ".join(line.removeprefix("- ") for line in lines)


def kind(cell):
    return (cell["suppressed"], cell["complete"], cell["sourcingBasis"], *cell["incompleteMeasures"], cell["trips"] == 0)


def check_explanations(opened, name, address, summary, export, *settings):
    """One cell of each kind that the document has, and each level of All."""
    context = opened.new_context()
    page = context.new_page()
    page.goto(address)
    why = page.locator("#why")
    check(page.locator("#state").get_attribute("role") == "status", f"{name}: what is chosen is announced")
    if page.locator("#why-box").is_visible():
        page.eval_on_selector("#why-box", "box => { box.open = true }")
    kinds, levels = {}, {}
    for place, cell in summary.cells.items():
        kinds.setdefault((cell["suppressed"], cell["complete"], len(cell["incompleteMeasures"]) > 3), place)
        levels.setdefault((kind(cell), *(part == "All" for part in place)), place)
    places = list(dict.fromkeys([("All", "All", "All"), *kinds.values(), *levels.values()]))[:12]
    kinds = {(c["suppressed"], c["complete"]) for c in map(summary.cells.get, places)}
    same(kinds, {(c["suppressed"], c["complete"]) for c in summary.cells.values()}, f"{name}: cells of each kind are explained")
    if name == "released-targets":
        same(kinds, {(True, False), (False, False), (False, True)}, f"{name}: kinds of cells")
    for month, region, trip_type in places:
        choose(page, month, region, trip_type)
        found, wanted = " ".join(why.locator("p").all_text_contents()), explained(export, settings, region, trip_type, month)
        label = f"{name}: why {month}, {region}, {trip_type}"
        checks.hold(label, None if found == wanted else f"page {found!r}, report {wanted!r}")
        cell = summary.cells[month, region, trip_type]
        check(found or not (cell["suppressed"] or not cell["complete"] or cell["incompleteMeasures"]), f"{label}: it is said")
        check(page.locator("#why-box").is_visible() == bool(found), f"{label}: and offered")
    context.close()


def check_static_why(opened, pages):
    """Staff have nothing to explain; a name that is markup stays a name."""
    context = opened.new_context()
    page = context.new_page()
    address, summary = pages["internal"]
    page.goto(address)
    for month, region, trip_type in list(summary.cells)[::97]:
        choose(page, month, region, trip_type)
        check(page.locator("#why").text_content() == "", f"internal: {month}, {region}, {trip_type} needs no explanation")
    address, summary = pages["hostile"]
    page.goto(address)
    hidden = [place for place, cell in summary.cells.items() if cell["suppressed"]]
    check(hidden, "hostile: a cell is hidden")
    for place in hidden[:20]:
        choose(page, *place)
        check(place[1] == "All" or place[1] in page.locator("#why").text_content(), f"hostile: {place} is explained")
    check(page.locator("#why :not(p)").count() == 0, "hostile: an explanation is text")
    context.close()


def check_events(opened, name, address, summary):
    """Each count in the table, and a mark for each month that has one."""
    context = opened.new_context()
    page = context.new_page()
    page.goto(address)
    counts = summary.document["events"]["counts"]
    wanted = [[one["month"], one["region"], one["kind"], f"{one['events']:,}",
               "hidden" if one["evacuations"] is None else f"{one['evacuations']:,}"] for one in counts]
    check(wanted, f"{name}: there are events")
    same(table(page, "#events"), wanted, f"{name}: table of events")
    for region in summary.filters["regions"]:
        choose(page, region=region)
        months = {one["month"] for one in counts if one["region"] == region and one["kind"] == "All"}
        marks = page.locator("#chart-trips .event").count()
        checks.hold(f"{name}: marks of {region}", marks != len(months & set(summary.months)) and f"{marks} for {len(months)} months")
        labels = page.locator("#chart-trips .event-label").all_text_contents()
        most = max((one["events"] for one in counts if one["region"] == region and one["kind"] == "All"), default=None)
        checks.hold(f"{name}: label of {region}", len(labels) != (0 if most is None else 1) and str(labels))
    context.close()


def check_links(opened, address, summary):
    """Deep links from outside, unknown names in them, and the way back."""
    month, region = summary.filters["months"][-1], summary.filters["regions"][1]
    context = opened.new_context()
    page = context.new_page()
    open_anew(page, f"{address}#{urlencode({'month': month, 'region': region, 'type': 'Emergency'})}")
    chosen = [page.input_value(f"#filter-{name}") for name in ("month", "region", "type")]
    check(chosen == [month, region, "Emergency"], f"deep link: {chosen}")
    with_rows(page, "deep link", summary, month, region, "Emergency")
    check(region in page.title(), "deep link: the title names the choice")
    open_anew(page, address + "#region=Nowhere&month=" + month)
    check("not here" in page.inner_text("#state") and page.input_value("#filter-region") == "All"
          and page.input_value("#filter-month") == month, "an unknown name in a link is said, and stands as All")
    open_anew(page, address)
    page.select_option("#filter-region", region)
    page.select_option("#filter-month", month)
    check(page.evaluate("location.hash") == f"#month={month}&region={region}", "the address says the choice")
    page.go_back()
    check(page.input_value("#filter-month") == "All" and page.input_value("#filter-region") == region, "back: one step")
    with_rows(page, "back", summary, region=region)
    page.go_back()
    check(page.input_value("#filter-region") == "All", "back: to the beginning")
    page.go_forward()
    check(page.input_value("#filter-region") == region, "forward")
    context.close()


STOP = """() => { const e = document.activeElement, box = e.getBoundingClientRect(), s = getComputedStyle(e);
    return { name: e.id || e.getAttribute("aria-label") || e.textContent.trim(), tag: e.tagName,
             height: box.height, isSeen: box.bottom > 0 && box.top < innerHeight && box.width > 0,
             outline: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 }; }"""


def check_keyboard(opened, address, summary):
    """No pointer: what is reached, in which order, and that it can be used."""
    context = opened.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    stops = []
    for _ in range(120):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop["tag"] == "BODY" or (stops and stop["name"] == stops[0]["name"]):
            break
        stops.append(stop)
    titles = [column[0] for column in figures.COLUMNS]
    by_group, by_month = ": sort the table by region and trip type", ": sort the table by month"
    where = ["Response p90", "In-house share", "Trips"]
    wanted = (["Skip to the figures", "About", "What is hidden", "Legal", "TRUST", "filter-summary", "filter-month",
               "filter-region", "filter-type", "filter-clear", "Copy link", "Why figures are hidden or incomplete, and what "
               "would show them"]
              + [text.split(":")[0] + ":" for text in page.locator(".notice:not([hidden]) summary").all_text_contents()]
              + [f"{title} by month: choose a month" for title in figures.KEY_FIGURES.values()]
              + [f"{title} by region, for each trip type" for title in where]
              + ["Download this table (CSV): by region and trip type", "Table by region and trip type"]
              + [title + by_group for title in ["Region", "Trip type", *titles]]
              + ["Groups of several regions or trip types", "Download this table (CSV): by month", "Table by month"]
              + [title + by_month for title in ["Month", *titles]] + ["Table of comparisons"])
    for stop in stops:
        if stop["tag"] == "SUMMARY" and stop["name"].startswith("Data through"):
            stop["name"] = "TRUST"
        if stop["tag"] == "SUMMARY" and stop["name"].split(":")[0] in ("Withheld", "Hidden", "Restated", "Old data"):
            stop["name"] = stop["name"].split(":")[0] + ":"
    same([stop["name"] for stop in stops], wanted, "keyboard: the order of stops")
    for stop in stops:
        fault = [] if stop["outline"] else ["no outline"]
        fault += [] if stop["isSeen"] else ["not in view"]
        fault += [] if stop["height"] >= 44 else [f"{stop['height']:.0f} px high"]
        checks.hold(f"keyboard: {stop['name']}", ", ".join(fault))
    open_anew(page, address)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    check(page.evaluate("document.activeElement.id") == "main", "keyboard: the skip link goes to the figures")
    page.keyboard.press("Tab")
    check(page.evaluate("document.activeElement.id") == "filter-summary", "keyboard: and on from there")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    region = summary.filters["regions"][1]
    check(page.input_value("#filter-region") == region, "keyboard: an arrow chooses a region")
    with_rows(page, "keyboard: after it", summary, region=region)
    check(page.evaluate("document.activeElement.id") == "filter-region", "keyboard: the place is kept")
    check(f"{region}, all trip types" in page.inner_text("#state"), "keyboard: the choice is announced")
    page.focus("#filter-clear")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('filter-region').value === 'All'")
    page.focus("#chart-trips .plot")
    first = page.text_content("#chart-trips .readout")
    page.keyboard.press("ArrowLeft")
    second = page.text_content("#chart-trips .readout")
    check(first.startswith(summary.latest) and second.startswith(figures.before(summary.latest, 1)),
          f"keyboard: an arrow goes to the month before: {first}, {second}")
    page.focus("#chart-regions-trips summary")
    page.keyboard.press("Space")
    # The rows are made when the browser says that it was opened.
    page.wait_for_function("() => document.querySelectorAll('#chart-regions-trips details .bars').length > 0")
    check(page.locator("#chart-regions-trips details .bars").first.is_visible(), "keyboard: each trip type opens")
    choose(page, region=region)
    check(page.is_visible("#chart-regions-trips details .bars"), "keyboard: and stays open after a choice")
    check(page.evaluate("document.activeElement.closest('figure')?.id") == "chart-regions-trips", "keyboard: and keeps the focus")
    choose(page)
    check_sorting(page, summary)
    context.close()


def check_sorting(page, summary):
    """All rows keep their places; the others are sorted among themselves."""
    for name, column, key in (("groups", 2, "Enter"), ("months", 1, "Space")):
        rows = table(page, f"#{name}")
        sums = [row if name == "groups" and "All" in row[:2] else None for row in rows]
        page.focus(f"#{name} th:nth-child({column + 1}) button")
        for direction in ("descending", "ascending"):
            page.keyboard.press(key)
            sorts = page.eval_on_selector_all(f"#{name} th[aria-sort]", "all => all.map(th => [th.cellIndex, th.ariaSort])")
            check(sorts == [[column, direction]], f"sorting {name}: aria-sort {sorts}")
            after = table(page, f"#{name}")
            check([row if one else None for row, one in zip(after, sums)] == sums, f"sorting {name}: All rows keep their places")
            found = [row[column] for row, one in zip(after, sums) if one is None]
            numbers = [int(re.sub(r"\D", "", text)) for text in found if text not in ("hidden", "none")]
            check(numbers == sorted(numbers, reverse=direction == "descending"), f"sorting {name}: {direction}")
            check(all(text in ("hidden", "none") for text in found[len(numbers):]), f"sorting {name}: hidden ones last")
            title = "By region and trip type" if name == "groups" else "By month"
            check(page.inner_text("#state").startswith(f"{title}: sorted by Trips"), f"sorting {name}: it is announced")
        same(sorted(after), sorted(rows), f"sorting {name}: the rows are the same")
        page.focus(f"#{name} th:nth-child(1) button")
        page.keyboard.press("Enter")
        same(table(page, f"#{name}"), rows, f"sorting {name}: the first column gives the first order")
        check(page.locator("[aria-sort]").count() == (1 if name == "groups" else 2), f"sorting {name}: one column a table")


def check_csv(opened, name, address, summary):
    """The files of both tables: the figures of the JSON, and names that no spreadsheet takes for a formula."""
    context = opened.new_context(accept_downloads=True)
    page = context.new_page()
    page.goto(address)
    for kind, names in (("groups", 2), ("months", 1)):
        with page.expect_download() as started:
            page.click(f"#{kind}-tools button")
        lines = list(csv.reader(Path(started.value.path()).read_text(encoding="utf-8").splitlines()))
        is_internal = lines[0][0].startswith("INTERNAL")
        check(is_internal == (summary.document.get("audience") == "staff"), f"{name}: {kind}.csv is stamped")
        lines = lines[1 + is_internal:]
        places = ([("All", region, kind) for region in summary.filters["regions"] for kind in summary.filters["tripTypes"]]
                  if kind == "groups" else [(month, "All", "All") for month in summary.months])
        faults = [len(lines) != len(places) and f"{len(lines)} lines for {len(places)}"]
        for line, place in zip(lines, places):
            cell = summary.cells.get(place)
            wanted = [part for part in place if kind == "groups"][1:] if kind == "groups" else [place[0]]
            faults.append([part.lstrip("'") for part in line[:names]] != wanted and f"names {line[:names]} of {place}")
            faults += [f"{line[:names]} is a formula" for part in line[:names] if part[:1] in tuple("=+-@\t\r")]
            for text, (title, path, *_rest) in zip(line[names:], figures.COLUMNS):
                value = cell and figures.at(cell, path)
                if value is None:
                    faults.append(text not in ("hidden", "none") and f"{place}, {title}: {text} for null")
                else:
                    found = float(text.rstrip("+^")) if text.rstrip("+^") not in ("hidden", "none") else None
                    faults.append(found != value and f"{place}, {title}: {text} for {value}")
        checks.hold(f"{name}: {kind}.csv", *faults[:5] if any(faults) else [None], *[fault for fault in faults if fault][:3])
    context.close()


def check_alone(opened, address, folder):
    """What the page asks for: itself. And what it may not do even if it wanted to."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        asked = []

        def do_GET(self):
            Handler.asked.append(self.path)
            super().do_GET()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served = f"http://127.0.0.1:{server.server_address[1]}/big.html"
    for place in (address, served):
        context = opened.new_context()
        page = context.new_page()
        requests, errors = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(place)
        page.select_option("#filter-region", "North")
        page.click("#months th:nth-child(2) button")
        page.click("#chart-trips .plot")
        page.wait_for_timeout(300)
        kind = place.split(":")[0]
        others = [url for url in requests if url != place and not url.startswith("data:")]
        check(not others, f"{kind}: it asked for {others}")
        check(not errors, f"{kind}: the browser complains: {errors}")
        stopped = page.evaluate("""async address => {
            const stopped = [];
            addEventListener("securitypolicyviolation", event => stopped.push(event.effectiveDirective));
            await fetch(address).catch(() => {});
            new Image().src = address;
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
            document.body.setAttribute("style", "color: red");
            document.body.setAttribute("onclick", "window.ran = 1");
            document.body.click();
            await new Promise(done => setTimeout(done, 300));
            return [...new Set(stopped), window.ran ?? "nothing ran"]; }""", served + "?x")
        wanted = {"connect-src", "img-src", "script-src-elem", "script-src-attr", "style-src-attr", "nothing ran"}
        check(wanted <= set(stopped), f"{kind}: the policy stopped only {stopped}")
        context.close()
    check(set(Handler.asked) == {"/big.html"}, f"a server was asked for {Handler.asked}")
    server.shutdown()


def check_axe(opened, name, address, choice, views):
    for view in views:
        width, prefers, text_size, is_print = VIEWS[view]
        # The policy would stop axe itself.
        context = opened.new_context(viewport={"width": width, "height": 900}, bypass_csp=True, **prefers)
        page = context.new_page()
        page.goto(address + choice)
        if is_print:
            page.emulate_media(media="print")
        if text_size:
            page.evaluate("size => { document.documentElement.style.fontSize = size }", text_size)
        found = AXE.run(page).response
        label = f"{name}, {view}"
        for violation in found["violations"]:
            nodes = [node["target"] for node in violation["nodes"]]
            checks.hold(f"axe, {label}", f"{violation['id']}: {violation['help']}; {len(nodes)}, first {nodes[0]}")
        if not found["violations"]:
            checks.hold(f"axe, {label}")
        for incomplete in found["incomplete"]:
            targets = [node["target"][-1] for node in incomplete["nodes"]]
            known = incomplete["id"] in EXPLAINED and all(
                any(part in target for part in UNDECIDABLE) for target in targets)
            checks.hold(f"axe, {label}: {incomplete['id']} is undecided for a reason that is known",
                        None if known else f"{len(targets)}, such as {targets[:3]}: {incomplete['nodes'][0]['any']}"[:600])
        page.eval_on_selector_all("details", "all => { for (const one of all) one.open = true }")
        small = page.evaluate("""() => [...new Set([...document.querySelectorAll("body *")].filter(one =>
            !one.closest(".visually-hidden, script, style") && one.getClientRects().length > 0
            && [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
            && parseFloat(getComputedStyle(one).fontSize) < 12).map(one => one.className + one.tagName))]""")
        check(is_print or not small, f"{label}: text under 12 px in {small}")
        over = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        check(is_print or over <= 0, f"{label}: {over} px wider than the window")
        context.close()


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_contrast(opened, address):
    """The colours by name: 7:1 (AAA) for what is text, 3:1 for what is drawn."""
    texts = [(c, s) for c in ("text", "bar", "accent", "error", "success", "edge") for s in ("surface", "ground")]
    texts += [("stamp-text", "error"), ("surface", "accent")]
    drawn = [("bar", "surface"), ("accent", "surface"), ("edge", "surface")]
    for name, prefers in {"light": {}, "dark": {"color_scheme": "dark"}, "more contrast": {"contrast": "more"},
                          "dark, more contrast": {"color_scheme": "dark", "contrast": "more"}}.items():
        context = opened.new_context(**prefers)
        page = context.new_page()
        page.goto(address)
        colour = lambda one: page.evaluate(  # noqa: E731
            "one => getComputedStyle(document.documentElement).getPropertyValue('--' + one).trim()", one)
        for pairs, least in ((texts, 7), (drawn, 3)):
            for front, back in pairs:
                ratio = contrast(colour(front), colour(back))
                # Better and worse stand on the cards only.
                if (front, back) in (("error", "ground"), ("success", "ground")):
                    continue
                check(ratio >= least, f"contrast, {name}: {front} on {back} is {ratio:.2f}:1")
        context.close()


def check_motion(opened, address):
    for reduced in ("reduce", "no-preference"):
        context = opened.new_context(reduced_motion=reduced)
        page = context.new_page()
        page.goto(address)
        time = page.eval_on_selector("#filter-clear", "e => getComputedStyle(e).transitionDuration")
        check((time == "0s") == (reduced == "reduce"), f"motion, {reduced}: {time}")
        context.close()


def main():
    if executable() is None:
        checks.skip("dashboard.html", "there is no chromium (Debian: chromium)")
        sys.exit(checks.end())
    is_all = "--all" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as made, browser() as opened:
        folder = Path(made)
        pages = make_pages(folder)
        check(set(pages) == {"big", "internal", "omitted", "small", "restated", "no-trips", "refunds", "hostile",
                             "events", "staff-events", "targets", "released-targets"}, f"pages: {sorted(pages)}")
        for name, (address, summary) in pages.items():
            check_static(opened, name, address, summary)
            if summary.months:
                check_filters(opened, name, address, summary, is_all or name in WHOLE_PAGES)
        check_published(folder)
        for name, export, *settings in (("big", "sample.csv.gz"), ("small", "sample.csv"),
                                        ("released-targets", "sample.csv.gz", "--rules", str(folder / "all.yaml"))):
            check_explanations(opened, name, *pages[name], export, *settings)
        for name in ("events", "staff-events"):
            check_events(opened, name, *pages[name])
        check_targets(opened, pages)
        check_static_why(opened, pages)
        for name in ("big", "internal", "hostile"):
            check_csv(opened, name, *pages[name])
        address, summary = pages["big"]
        check_links(opened, address, summary)
        check_keyboard(opened, address, summary)
        check_alone(opened, address, folder)
        check_contrast(opened, address)
        check_motion(opened, address)
        check_axe(opened, "big", address, "", VIEWS if is_all else SOME_VIEWS)
        chosen = "#month=2025-03&region=North&type=Emergency"
        check_axe(opened, "big, a hidden choice", address, chosen, ["320 px, light"])
        incomplete = next(place for place, cell in summary.cells.items() if not cell["complete"] and not cell["suppressed"])
        chosen = "#" + urlencode(dict(zip(("month", "region", "type"), incomplete)))
        check_axe(opened, "big, an incomplete choice", address, chosen, ["1280 px, dark"])
        for name in ("internal", "restated", "no-trips", "hostile", "events", "targets"):
            check_axe(opened, name, pages[name][0], "", ["320 px, dark"])
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
