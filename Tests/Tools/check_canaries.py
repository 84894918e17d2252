#!/usr/bin/env python3
"""Canaries: texts and numbers that stand in exports and nowhere else, looked for in all that `tripkpi` leaves behind.

They are planted in every identifying column, in notes, in unmapped columns, in broken rows, headerless files, JSON keys
and file names. Then every command that meets an export or the store is run with both forms of log, also to fail and to be
killed (`kill -9`, a full disk, an abort that would leave a core), and all files of the private folder but the exports are
searched: outputs, messages, store, WAL, journal, temporary folder, metrics, published sets, audit log, cores; as they
are, unzipped, and in the forms of `canary_search.py`. First the search itself must find what is planted for it.

CHECK_CANARIES says how many (2000; 20000 by hand), CHECK_CANARY_KILLS how many kills (6). The last line is
`N passed, N failed`.
"""
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from canary_search import MARK, Canaries, search, search_bytes, teeth
from nightly_site import ROOT, SETTINGS, TRIPKPI, Checks, Site

COUNT = int(os.environ.get("CHECK_CANARIES", "2000"))
KILLS = int(os.environ.get("CHECK_CANARY_KILLS", "4"))
SEED = int(os.environ.get("CHECK_SEED", "7"))
MORE = """trips_feed: limited-data-set
crosswalk: {file: walk/trips.crosswalk, key_file: walkkey/crosswalk.key}
max_reject: 30%
max_unreadable: 100%
"""
# Columns of a plain file, and what is planted in them: T a text, N a number, a name of two texts, or what a trip needs.
PLAIN = {
    "trip_id": "T", "leg_id": "T", "updated_at": "2026-01-20 12:00:00", "status": "completed", "trip_type": "Emergency",
    "region": "North", "facility_id": "T", "service_date": "2026-01-{day}", "unit_notified_at": "2026-01-{day} 08:00:00",
    "completed_at": "2026-01-{day} 09:10:00", "provider_name": "Good Ambulance", "provider_npi": "N", "vehicle_id": "T",
    "contract_number": "", "invoice_number": "T", "hcpcs_code": "A0428", "hcpcs_modifiers": "QN", "cost": "120.50",
    "patient_id": "N", "patient_name": "T T", "patient_dob": "T", "patient_phone": "N", "patient_address": "N T Street",
    "patient_zip": "N", "origin": "N T Road", "destination": "T, T", "notes": "said T and N\nand T", "SSN": "N",
    "Guardian Name": "T", "Colour of hair": "T"}
VETRIDE = {
    "Trip ID": "T", "Trip Type": "Emergency", "Status": "Completed", "Estimated Pickup Time": "1/{day}/2026 8:00",
    "Start Time": "1/{day}/2026 8:10", "End Time": "1/{day}/2026 9:00", "Third Party": "Good Ambulance",
    "Contract Number": "", "Invoice Number": "T", "Loaded Mileage": "12.5", "Actual Cost": "99.10",
    "Passenger Member ID": "N", "Passenger": "T, T", "Date Of Birth": "T", "Phone Number": "N", "Pickup Address": "N T St",
    "Dropoff Address": "T", "Comments": "T; N", "VA Notes": "T", "Driver Photo Url": "https://T.example/T"}
# What stands in place of one value, so that the record is warned of, rejected or not understood.
SPOILED = ("service_date", "unit_notified_at", "completed_at", "cost", "status", "trip_type", "region", "updated_at")
FORMS = ("table", "csv", "json", "ndjson")


class Exports:
    """Writes exports full of canaries."""
    def __init__(self, canaries, chance):
        self.canaries, self.chance, self.rows = canaries, chance, 0

    def filled(self, pattern, place):
        self.rows += 1
        pattern = pattern.replace("{day}", str(10 + self.rows % 19))
        out = ""
        for index, letter in enumerate(pattern):
            alone = (pattern[index - 1:index] + pattern[index + 1:index + 2]).strip(" ,;:/.\n") == ""
            made = {"T": self.canaries.text, "N": self.canaries.number}.get(letter) if alone else None
            out += made(place) if made else letter
        return out

    def row(self, columns, name, spoiled=None):
        values = {column: self.filled(pattern, f"{name}, {column}") for column, pattern in columns.items()}
        if spoiled in values:
            values[spoiled] = self.canaries.text(f"{name}, {spoiled} spoiled")
        return values

    def rows_of(self, columns, name, count, spoil=True):
        for number in range(count):
            spoiled = SPOILED[number // 8 % len(SPOILED)] if spoil and number % 8 == 3 else None
            yield self.row(columns, name, spoiled)

    @staticmethod
    def line(values, delimiter=","):
        return delimiter.join('"' + value.replace('"', '""') + '"' if set('",;\n') & set(value) else value
                              for value in values)

    def csv(self, columns, name, count, header=True, broken=0, delimiter=",", spoil=True):
        lines = [self.line(columns, delimiter)] if header else []
        lines += [self.line(row.values(), delimiter) for row in self.rows_of(columns, name, count, spoil)]
        for number in range(broken):
            tokens = [self.canaries.text(f"{name}, broken {number}") for _ in range(4)]
            lines.append((",".join(tokens), f'"{tokens[0]}" {tokens[1]},"{tokens[2]}',
                          ",".join(tokens * 12), f"{tokens[0]},2026-13-45,{tokens[1]}")[number % 4])
        return "\n".join(lines) + "\n"

    def ndjson(self, name, count):
        lines = []
        for number, row in enumerate(self.rows_of(PLAIN, name, count)):
            text = self.canaries.text
            row[text(f"{name}, a key")] = text(f"{name}, below a key")
            row["patient"] = {"name": text(f"{name}, nested"), text(f"{name}, a nested key"): [text(f"{name}, a list")]}
            whole = json.dumps(row)
            lines.append(whole[:-7 - number % 40] if number % 9 == 4 else whole)
        return "\n".join(lines) + "\n"


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def plant(site, canaries, chance):
    """Exports in the inbox, and others that are given by name; about COUNT canaries."""
    exports = Exports(canaries, chance)
    rows = max(12, COUNT // 260)
    inbox, given = site.inbox, site.folder / "given"
    file_name = lambda ending: f"{canaries.text('a file name')} {canaries.number('a file name')}.{ending}"
    write(inbox / file_name("csv"), exports.csv(PLAIN, "plain", rows * 4, spoil=False))
    write(inbox / file_name("csv"), exports.csv(PLAIN, "spoiled", rows, broken=rows // 12))
    write(inbox / "vetride" / file_name("csv"), exports.csv(VETRIDE, "vetride", rows))
    write(inbox / file_name("ndjson"), exports.ndjson("ndjson", rows))
    write(inbox / file_name("json"), json.dumps(list(exports.rows_of(PLAIN, "json", rows)), indent=1))
    write(inbox / file_name("csv.gz"), gzip.compress(exports.csv(PLAIN, "gzip", rows).encode()))
    write(inbox / file_name("csv.gz"), gzip.compress(exports.csv(PLAIN, "gzip, cut off", rows).encode())[:-20])
    write(inbox / file_name("tsv"), exports.csv(PLAIN, "UTF-16", rows, delimiter="\t").encode("utf-16"))
    write(inbox / file_name("csv"), exports.csv(PLAIN, "headerless", rows, header=False))
    write(inbox / file_name("csv"), exports.csv(PLAIN, "too many rejects", rows // 3, broken=rows))
    write(inbox / f".{file_name('csv')}", exports.csv(PLAIN, "hidden file", 2))
    write(inbox / file_name("docx"), exports.csv(PLAIN, "other ending", 2))
    write(inbox / f"{canaries.text('a folder name')}/{file_name('csv')}", exports.csv(PLAIN, "in a strange folder", 2))
    write(given / file_name("csv"), exports.csv(PLAIN, "given", rows, spoil=False))
    write(given / file_name("csv"), exports.csv(VETRIDE, "given without a profile", rows))
    write(given / file_name("json"), json.dumps({"data": {canaries.text("a key"): canaries.text("below a key")}}))
    write(given / file_name("json"), '[{"trip_id": "' + canaries.text("broken JSON") + '", ')
    write(given / file_name("csv"), canaries.text("one line"))
    write(given / file_name("csv"), b"trip_id,notes\n\xff\xfe" + canaries.text("wrong bytes").encode() + b"\0\x01\n")
    while len(canaries.places) < COUNT:
        write(given / file_name("csv"), exports.csv(PLAIN, "more", 20))
        write(inbox / file_name("csv"), exports.csv(PLAIN, "more", 40, broken=2))


class Story:
    """Runs the program on a site, keeps all that it says, and searches."""
    def __init__(self, site, checks, canaries, codes=None):
        self.site, self.checks, self.canaries = site, checks, canaries
        self.said = site.folder / "said"
        self.said.mkdir(exist_ok=True)
        (site.folder / "tmp").mkdir(exist_ok=True)
        self.number = 0
        self.codes = {} if codes is None else codes

    def environment(self):
        return self.site.environment() | {"TMPDIR": str(self.site.folder / "tmp"), "SQLITE_TMPDIR": str(
            self.site.folder / "tmp")}

    def run(self, *words, stdin=b"", prefix=(), kill_after=None, signal_number=signal.SIGKILL):
        """Exit code; what was said is kept in a file, and searched at once so that a finding has its command."""
        self.number += 1
        process = subprocess.Popen([*prefix, TRIPKPI, *map(str, words)], cwd=self.site.folder, env=self.environment(),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if kill_after is not None:
            time.sleep(kill_after)
            process.send_signal(signal_number)
        output, messages = process.communicate(stdin)
        self.codes.setdefault(process.returncode, []).append(words)
        shown = [word if MARK not in str(word) else "…" for word in words]
        for stream, content in (("output", output), ("messages", messages)):
            write(self.said / f"{self.number}.{stream}", content)
            faults = [f"{place}: a canary of {self.canaries.place_of(around)}"
                      for place, around in search_bytes(content, stream)][:3]
            self.checks.hold(f"tripkpi {' '.join(map(str, shown))[:150]} ({process.returncode})", *faults)
        return process.returncode

    def search(self, when):
        faults = [f"{place}: a canary of {self.canaries.place_of(around)}"
                  for place, around in search(self.site.folder, leaving_out=("inbox", "given", "said"))]
        self.checks.hold(f"files after {when}", *faults[:5])


def commands(story):
    """Everything that meets exports or the store, to succeed or to fail."""
    site, run = story.site, story.run
    inbox, given = sorted(p for p in site.inbox.rglob("*") if p.is_file()), sorted((site.folder / "given").iterdir())
    canary = next(iter(story.canaries.places))
    for words in (("doctor",), ("run", "--dry-run"), ("run",), ("run", "--log-format", "json"), ("doctor",), ("verify",)):
        run(*words)
    without_strange_folder(site)
    for form in ("text", "json"):
        run("run", "--log-format", form)
    story.search("the first runs")
    for form in FORMS:
        run("report", "--release", "--format", form)
        run("report", "--format", form, "--output", f"internal.{form}")
    run("report", "--release", "--output", "report.xlsx")
    run("report", "--output", "internal.xlsx")
    run("report", "--release", "--output", "report.html")
    run("report", "--long")
    run("report", "--brief", "--format", "md")
    run("report", "--internal", "--accessible", "--output", "accessible.xlsx")
    run("costs", "--release", "--output", "costs.xlsx")
    run("costs", "--internal", "--output", "costs-internal.xlsx", "--detail", "costs-detail.xlsx")
    run("costs", "--internal", "--accessible", "--output", "costs-heard.xlsx", "--detail", "costs-heard-detail.xlsx")
    for path in sorted((ROOT / "queries").rglob("*.sql")):
        run("query", path.stem, "--internal", "--format", "csv")
        run("query", "--sql", f"SELECT * FROM {path.stem}", "--internal", "--format", "json")
    run("query", "--check")
    for form in ("table", "json"):
        run("quarantine", "list", "--format", form)
    run("quarantine", "list")
    failed = subprocess.run([TRIPKPI, "quarantine", "list", "--format", "json"], cwd=site.folder, check=False, text=True,
                            env=story.environment(), capture_output=True).stdout
    for sha256 in sorted(set(re.findall(r"[0-9a-f]{64}", failed)))[:4]:
        run("quarantine", "replay", sha256)
        run("quarantine", "waive", sha256, "--reason", "A test")
    for privacy in ("safe-harbor", "limited-data-set"):
        run("trips", "--privacy", privacy)
        for name in ("t.csv", "t.ndjson", "t.ndjson.gz"):
            run("trips", "--privacy", privacy, "--output", f"{privacy}-{name}")
    for number, path in enumerate(inbox[:14] + given[:10]):
        if not path.exists():
            continue
        run("scan", path, "--release", "--format", FORMS[number % 4], "--max-reject", "100%")
        run("scan", path, "--internal", "--output", f"scan-{number}.{('xlsx', 'json', 'csv')[number % 3]}")
        run("report", path, "--profile", "vetride", "--output", f"report-{number}.xlsx")
        run("scan", path, "--release", "--output", f"scan-{number}.html")
        run("costs", path, "--internal", "--output", f"costs-{number}.xlsx", "--detail", f"lines-{number}.xlsx")
        run("trips", path, "--privacy", ("safe-harbor", "limited-data-set")[number % 2], "--output", f"rows-{number}.csv")
        run("load", path, *(("--quiet",) if number % 2 else ()))
        run("classify", "explain", "-", path, stdin=canary.encode())
    whole = given[0].read_bytes()
    run("scan", "-", "--max-reject", "100%", stdin=whole)
    run("scan", site.inbox / canary / "missing.csv")
    run("load", site.inbox / f"{canary}.csv")
    run("load", site.inbox)
    run("load", inbox[0], "--replay")
    run("load", inbox[0], "--profile", "vetride", "--replay")
    run("classify", "explain", "-", stdin=canary.encode())
    run("classify", "explain", canary)
    run("classify", "--diff", "sf-fire-calls", "--internal")
    run("classify", "--rules", "sf-fire-calls")
    run("query", "--sql", f"SELECT '{'x' * 3}' FROM nowhere", "--internal")
    run("key", "rotate")
    run("crosswalk", "check")
    run("publish")
    run("publish", "--list")
    run("publish", "--rollback")
    run("run", "--max-reject", "0%")
    run("verify")
    run("doctor")
    story.search("all commands")


def without_strange_folder(site):
    """No run gets past a subfolder that names no profile."""
    shutil.rmtree(next(folder for folder in site.inbox.iterdir() if folder.is_dir() and MARK in folder.name))


def failures(story, chance):
    """Killed, starved and broken runs on copies of the site before its first run."""
    start = story.site
    began = time.monotonic()
    code = story.run("run", "--quiet")
    story.checks.hold("the run that is to be killed", code != 65 and f"ends with {code}: it must meet bad exports only")
    seconds = time.monotonic() - began
    base = start.folder.parent
    for number in range(KILLS):
        site = fresh(base / "start", base / "killed")
        again = Story(site, story.checks, story.canaries, story.codes)
        form = ("text", "json")[number % 2]
        again.run("run", "--log-format", form, kill_after=seconds * chance.random())
        again.search(f"kill {number}")
        again.run("run", "--log-format", form)
        again.search(f"the run after kill {number}")
    limit = lambda size: ("prlimit", f"--fsize={size}", "--core=unlimited")
    for what, prefix, words in (
            ("a full disk, early", limit(40_000), ()), ("a full disk, late", limit(400_000), ()),
            ("no memory", ("prlimit", "--as=150000000", "--core=unlimited"), ()),
            ("no files", ("prlimit", "--nofile=12"), ()), ("wrong rules", (), ("--rules", "missing")),
            ("no store", (), ("--store", "/proc/none/store"))):
        site = fresh(base / "start", base / "killed")
        again = Story(site, story.checks, story.canaries, story.codes)
        again.run("run", *words, prefix=prefix)
        again.search(what)
    site = fresh(base / "start", base / "killed")
    again = Story(site, story.checks, story.canaries, story.codes)
    code = again.run("run", prefix=("prlimit", "--core=unlimited"), kill_after=seconds / 2, signal_number=signal.SIGABRT)
    cores = [path for path in site.folder.rglob("*core*") if path.is_file() and path.suffix not in (".yaml",)]
    story.checks.hold(f"an abort ({code})", cores and f"left a core: {cores[0].name}")
    again.search("an abort")


def fresh(start, folder):
    if folder.exists():
        shutil.rmtree(folder)
    subprocess.run(["cp", "-a", str(start), str(folder)], check=True)
    return Site(folder)


def main():
    checks, canaries, chance = Checks(), Canaries(), random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="tripkpi-canaries-") as folder:
        folder = pathlib.Path(folder)
        (folder / "teeth").mkdir()
        missed, planted = teeth(folder / "teeth")
        checks.hold("the search", missed and f"does not find {missed}")
        site = Site.made(folder / "start")
        (site.folder / "walkkey").mkdir(mode=0o700)
        (site.folder / "tripkpi.yaml").write_text(SETTINGS + MORE, encoding="utf-8")
        plant(site, canaries, chance)
        story = Story(fresh(site.folder, folder / "site"), checks, canaries)
        commands(story)
        # The whole way once more: a canary that is put where outputs are must be found there.
        canary = chance.choice(list(canaries.places))
        write(story.site.folder / "reports/plant.json", json.dumps({"a": canary.upper()}))
        checks.hold("teeth", not list(search(story.site.folder, leaving_out=("inbox", "given")))
                    and "a planted canary is not found")
        without_strange_folder(site)
        failures(Story(fresh(site.folder, folder / "site2"), checks, canaries, story.codes), chance)
        print(f"{len(canaries.places)} canaries, {sum(map(len, story.codes.values()))} commands, {planted} forms; exit codes "
              + ", ".join(f"{code}: {len(words)}" for code, words in sorted(story.codes.items())))
        if os.environ.get("CHECK_STORY"):
            for code, all_words in sorted(story.codes.items()):
                for words in all_words:
                    print(code, *("…" if MARK in str(word) else word for word in words))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
