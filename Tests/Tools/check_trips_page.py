#!/usr/bin/env python3
"""Opens trips.html of published sets in a browser, and compares it with trips.ndjson.gz of the same set.

    check_trips_page.py

- the rows of the page are the newest of the file, counted here; filters, pages of the list, links, the detail;
- no cost, patient or identifier of the export is in it; it makes no request;
- the keyboard alone; the focus after a turn; the table without script, text by text;
- axe-core at 320, 768 and 1280 px in four schemes, print and text at 200 %, contrast 7:1, no text under 12 px.
Needs chromium, playwright and axe-playwright-python; TRIPKPI names the program. Prints what fails, then
`N passed, N failed`; exit 1 if anything does. Without chromium the whole check is skipped.
"""
import collections
import csv
import gzip
import hashlib
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from dashboard_browser import browser, executable, open_anew
from nightly_site import Checks, Site

MOST, SIZE = 5000, 50
checks, AXE = Checks(), Axe()


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def same(found, wanted, message):
    checks.hold(message, None if found == wanted else f"page {str(found)[:200]}, file {str(wanted)[:200]}")


def published(folder, profile):
    """The page's path and the rows of the file, newest first."""
    site = Site.made(folder / profile)
    with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
        settings.write(f"trips_feed: {profile}\n")
    # More than the page takes, and few.
    rows, months, first = ("7000", "3", "2026-01") if profile == "limited-data-set" else ("3000", "12", "2024-01")
    site.succeed("sample", "--messy", "--rows", rows, "--months", months, "--from", first, "--seed", "7", "--output", "inbox/trips.csv")
    site.succeed("run")
    current = site.reports / "staff/current"
    lines = [json.loads(line) for line in gzip.decompress((current / "trips.ndjson.gz").read_bytes()).splitlines()]
    site.succeed("verify")
    manifest = json.loads((current / "manifest.json").read_text())
    check("trips.html" in [file["name"] for file in manifest["files"]], f"{profile}: the manifest names the page")
    check(not (site.reports / "release/current/trips.html").exists(), f"{profile}: the release has no rows")
    link = 'href="trips.html"'
    check(link in (current / "dashboard.html").read_text(encoding="utf-8"), f"{profile}: the dashboard has a link to the page")
    release = site.reports / "release/current/dashboard.html"
    check(not release.exists() or link not in release.read_text(encoding="utf-8"), f"{profile}: the release has no such link")
    check_verify(site, profile, current)
    trips = lines[1:]
    check_pages(profile, current / "trips.sqlite", trips)
    newest = [trips[place] for place in sorted(range(len(trips)), key=lambda place: trips[place]["date"], reverse=True)]
    return current / "trips.html", newest, lines[0]["header"], site.folder / "inbox/trips.csv"


def check_pages(profile, path, trips):
    """trips.sqlite has each row of the file once, in the order of lists, and each month is a range of it."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as pages:
        texts = dict(pages.execute("SELECT code, text FROM texts"))
        rows = pages.execute("SELECT id, date, title, provider, duration, distance, cost, privacy, type, region, sourcing, "
                             "response FROM trips ORDER BY place").fetchall()
        months = pages.execute("SELECT month, last - first + 1 FROM months").fetchall()
        check(pages.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{profile}: SQLite finds trips.sqlite intact")
        texts_of_rows = {code for row in rows for code in (row[2], row[3], row[7], row[8], row[9], row[10])} - {None}
        check(set(texts) == texts_of_rows, f"{profile}: texts that no row has")
    wanted = [(trip["id"], trip["date"], trip["title"], trip["provider"], trip["duration"], round(trip["distance"] * 100),
               None if trip["cost"] is None else round(trip["cost"] * 100), trip["privacy"], trip["tripType"], trip["region"],
               trip["sourcing"], trip["response"]) for trip in trips]
    wanted.sort(key=lambda row: row[0])
    wanted.sort(key=lambda row: row[1], reverse=True)
    found = [(row[0], row[1], texts[row[2]], texts[row[3]], *row[4:7], texts[row[7]], texts[row[8]],
              None if row[9] is None else texts[row[9]], texts[row[10]], row[11]) for row in rows]
    check(found == wanted, f"{profile}: trips.sqlite has the rows of trips.ndjson.gz")
    counts = collections.Counter(trip["date"][:7] for trip in trips)
    check(dict(months) == dict(counts), f"{profile}: trips of each month in trips.sqlite")


def check_verify(site, profile, current):
    """A row that is changed in one file alone is found, by whoever fixes the manifest too."""
    check_changed(site, profile, current, "trips.html")
    check_changed(site, profile, current, "trips.sqlite")


def check_changed(site, profile, current, name):
    page, manifest = current / name, current / "manifest.json"
    held = page.read_bytes(), manifest.read_bytes()
    mark = b'"tripType":"' if name == "trips.html" else b"Routine"
    at = held[0].rindex(mark) + (len(mark) if name == "trips.html" else 0)
    changed = held[0][:at] + b"X" + held[0][at + 1:]
    fixed = json.loads(held[1])
    for file in fixed["files"]:
        if file["name"] == name:
            file["sha256"] = hashlib.sha256(changed).hexdigest()
    page.write_bytes(changed)
    manifest.write_bytes(json.dumps(fixed, separators=(",", ":")).encode())
    code, output, _ = site.tripkpi("verify")
    told = [line for line in output.splitlines() if line.startswith("fail")]
    same((code, told), (65, [f"fail  trips: {name} does not match trips.ndjson.gz"]), f"{profile}: verify finds a changed row of {name}")
    page.write_bytes(held[0])
    manifest.write_bytes(held[1])


def time_text(seconds):
    if not seconds:
        return "not known"
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


def row_text(trip):
    return [trip["tripType"], trip["date"], trip["region"] or "not shown", trip["provider"] or "not shown",
            time_text(trip["duration"]), miles(trip)]


def miles(trip):
    return f"{trip['distance']:g} mile{'' if trip['distance'] == 1 else 's'}" if trip["distance"] else "not known"


def cells_of(page):
    """The texts of the table, without those that only a screen reader says."""
    return page.locator("#trips tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => [...cell.querySelectorAll('.visually-hidden')].reduce("
        "(text, hidden) => text.replace(hidden.textContent, ''), cell.textContent)))")


def check_rows(page, name, trips, count):
    """Filters and pages of the list against the file."""
    address = page.url.split("#")[0]
    table = lambda: cells_of(page)  # noqa: E731
    same(table(), [row_text(trip) for trip in trips[:SIZE]], f"{name}: the first page")
    extent = page.locator("#list-title + .of").text_content()
    check(f"{count:,}" in extent and (count <= MOST or f"{count - MOST:,} are in trips.ndjson.gz" in extent), f"{name}: {extent}")
    names = page.locator("#trips button.open").all_text_contents()
    same(len(set(names)), len(names), f"{name}: each button has a name of its own")
    kinds = {"month": lambda trip: trip["date"][:7], "type": lambda trip: trip["tripType"],
             "region": lambda trip: trip["region"] or "not shown"}
    for kind, value in kinds.items():
        counts = collections.Counter(map(value, trips))
        options = page.locator(f"#filter-{kind} option").all_text_contents()
        part = min(counts) if kind == "month" and count > len(trips) else None
        same(sorted(options), sorted(["All", *(f"{one} (part)" if one == part else one for one in counts)]), f"{name}: the choices of {kind}")
        for choice, wanted in counts.items():
            page.select_option(f"#filter-{kind}", choice)
            check(page.locator("#state").text_content().startswith(
                f"{wanted:,} of the {len(trips):,} trips on this page;" if count > len(trips) else f"{wanted:,} trip"), f"{name}: {kind} {choice}: {wanted}")
            same(table(), [row_text(trip) for trip in trips if value(trip) == choice][:SIZE], f"{name}: rows of {kind} {choice}")
        page.locator("#filter-clear").click()
    page.locator("#page-after").click()
    same(table(), [row_text(trip) for trip in trips[SIZE:2 * SIZE]], f"{name}: the second page")
    check(page.url.endswith("#page=2"), f"{name}: the address of the second page: {page.url[-20:]}")
    page.reload()
    same(table(), [row_text(trip) for trip in trips[SIZE:2 * SIZE]], f"{name}: the second page by its address")
    page.locator(".skip").evaluate("one => one.click()")
    page.reload()
    same(table(), [row_text(trip) for trip in trips[SIZE:2 * SIZE]], f"{name}: the second page after the skip link")
    open_anew(page, address + "#month=1999-01")
    check("that is not on this page" in page.locator("#state").text_content(), f"{name}: a month that is not there is said")
    open_anew(page, address + "#privacy-title")
    check(page.url.endswith("#privacy-title"), f"{name}: a link to a place stays")
    page.locator("#filter-clear").click()
    for _ in range(-(-len(trips) // SIZE) - 1):
        page.locator("#page-after").focus()
        page.keyboard.press("Enter")
        same(page.evaluate("document.activeElement.id"), "list-title", f"{name}: the focus after a turn")
    page.locator("#page-after").focus()
    page.keyboard.press("Enter")
    same(page.evaluate("document.activeElement.id"), "page-after", f"{name}: the last page's button keeps the focus")
    open_anew(page, address)


def check_keyboard(page, name, trips):
    """From the first row to its detail and back, with keys alone."""
    page.locator("#trips button.open").first.focus()
    page.keyboard.press("Enter")
    check(page.locator("#detail").evaluate("one => one.open"), f"{name}: Enter opens the detail")
    text = page.locator("#detail-text").text_content()
    trip = trips[0]
    same(text, trip["accessibilityLabel"], f"{name}: the detail")
    facts = page.locator("#detail-facts").text_content()
    response = page.locator("#detail-facts dt", has_text="Response").locator("+ dd").text_content()
    same(response, "not known" if trip["response"] is None else time_text(trip["response"]) if trip["response"] else "0 s", f"{name}: response")
    check("in-house" in facts or "contracted" in facts or "unclassified" in facts, f"{name}: sourcing in words")
    check(facts.count("••••••••") == 2 and "Cost" in facts and "Patient" in facts, f"{name}: cost and patient are masked")
    page.keyboard.press("Escape")
    check(not page.locator("#detail").evaluate("one => one.open"), f"{name}: Escape closes it")
    check(page.evaluate("document.activeElement.className") == "open", f"{name}: the focus is back on the row")


def check_axe(opened, name, address, some):
    """axe (A, AA) at three widths and in each scheme; contrast 7:1; no text under 12 px. `some`: a part of the views, for a page
    that differs from one that was seen in all of them in a few texts."""
    plain = {"color_scheme": "light"}
    views = [(width, kind, label, is_open) for width, is_open in ((320, True), (768, False), (1280, False)) for label, kind in (
        ("light", plain), ("dark", {"color_scheme": "dark"}), ("forced colours", {"forced_colors": "active"}),
        ("more contrast", {"contrast": "more"}))] + [(1280, plain, "print", False), (640, plain, "text at 200 %", True)]
    for width, kind, label, is_open in views[::5] + views[-1:] if some else views:
        context = opened.new_context(viewport={"width": width, "height": 900}, bypass_csp=True,
                                     device_scale_factor=2 if "200" in label else 1, **kind)
        page = context.new_page()
        if label == "print":
            page.emulate_media(media="print")
        page.goto(address)
        if is_open:
            page.locator("#trips button.open").first.click()
        rules = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
        if label in ("light", "dark", "more contrast"):
            rules["rules"] = {"color-contrast-enhanced": {"enabled": True}}
        found = AXE.run(page, options=rules).response["violations"]
        faults = [(one["id"], one["nodes"][0]["target"]) for one in found]
        checks.hold(f"axe, {name}, {width} px, {label}", faults and str(faults))
        over = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        check(label == "print" or over <= 0, f"{name}, {width} px: {over} px wider than the window")
        small = page.evaluate("""() => [...document.querySelectorAll('body *')].filter(one => one.childNodes.length && [...one.childNodes].some(
            node => node.nodeType === 3 && node.textContent.trim()) && one.getClientRects().length && !one.closest('.visually-hidden, script, style')
            && parseFloat(getComputedStyle(one).fontSize) < 12).map(one => one.outerHTML.slice(0, 60))""")
        checks.hold(f"text under 12 px, {name}, {width} px, {label}", small and str(small[:3]))
        context.close()


def check_private(name, path, export):
    """No cost, patient or trip id of the export is in the page."""
    text = path.read_text(encoding="utf-8")
    with open(export, newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    columns = [column for column in rows[0] if any(part in column.lower() for part in ("trip_id", "tripid", "patient", "invoice"))]
    check(bool(columns), f"{name}: the export has columns of identifiers")
    values = {row[column] for row in rows for column in columns if row[column] and len(row[column]) > 5}
    found = [value for value in values if value in text]
    check(not found, f"{name}: {len(found)} of {len(values)} identifiers in the page")
    check('"cost"' not in text and "cost\":" not in text, f"{name}: a cost in the page")


def main():
    if executable() is None:
        checks.skip("trips.html", "there is no chromium (Debian: chromium)")
        sys.exit(checks.end())
    with tempfile.TemporaryDirectory() as made, browser() as opened:
        for name in ("limited-data-set", "safe-harbor"):
            path, trips, header, export = published(Path(made), name)
            check_private(name, path, export)
            count = len(trips)
            trips = trips[:MOST]
            context = opened.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            requests, faults = [], []
            page.on("request", lambda request: requests.append(request.url))
            page.on("console", lambda message: faults.append(message.text))
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(path.as_uri())
            check("INTERNAL" in page.locator(".stamp").first.text_content(), f"{name}: the stamp")
            check(("PHI" in "".join(page.locator("header .stamp").all_text_contents())) == (name == "limited-data-set"), f"{name}: PHI at the top")
            check(header["statement"] in page.locator("main").text_content(), f"{name}: the profile's statement")
            check_rows(page, name, trips, count)
            check_keyboard(page, name, trips)
            check({url.split("#")[0] for url in requests} == {path.as_uri()}, f"{name}: requests {requests[:3]}")
            check(not faults, f"{name}: {faults[:2]}")
            context.close()
            context = opened.new_context(java_script_enabled=False)
            page = context.new_page()
            page.goto(path.as_uri())
            same(cells_of(page), [row_text(trip) for trip in trips[:SIZE]], f"{name}: rows without script")
            check(page.locator("#no-script").is_visible() and not page.locator("#controls").is_visible(), f"{name}: without script")
            context.close()
            check_axe(opened, name, path.as_uri(), some=name == "safe-harbor")
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
