#!/usr/bin/env python3
"""Compare what two builds of tripkpi write: every form of every command, byte by byte.

  compare_programs.py PROGRAM FOLDER --record   record what PROGRAM makes
  compare_programs.py PROGRAM FOLDER            compare what PROGRAM makes with the record

Inputs are synthetic, made by PROGRAM itself from fixed seeds; clocks stand still (SOURCE_DATE_EPOCH). Messages on standard
error are compared too, but reported apart: texts may be reworded, bytes of results may not.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile

from nightly_site import OPEN_NIGHT, ROOT, SECOND_NIGHT, SETTINGS

DATA = pathlib.Path(os.environ.get("TRIPKPI_DATA", ROOT / "data"))


class Recorder:
    def __init__(self, program, folder):
        self.program, self.folder, self.outputs, self.texts = program, folder, {}, {}

    def run(self, *words, epoch=SECOND_NIGHT, cwd=None, keep=True, settings=()):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "SOURCE_DATE_EPOCH": str(epoch),
                       "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TRIPKPI_DATA": str(DATA), "COLUMNS": "100", **dict(settings)}
        words = list(map(str, words))
        done = subprocess.run([self.program, *words], cwd=cwd or self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True)
        name = " ".join(words).replace(str(self.folder), "FOLDER").replace(str(DATA), "DATA")
        number = 2
        while name in self.outputs:
            name, number = f"{' '.join(words)} #{number}", number + 1
        if keep:
            output = self.cleaned(done.stdout)
            if words[0] == "trips":  # Public ids are random, and order the rows.
                output = b"\n".join(sorted(re.sub(rb"[0-9a-f]{32}", b"ID", output).split(b"\n")))
            self.outputs[name] = f"exit {done.returncode}\n".encode() + output
            self.texts[name] = self.cleaned(done.stderr)
        return done

    def cleaned(self, text):
        text = text.replace(str(self.folder).encode(), b"FOLDER").replace(self.program.encode(), b"PROGRAM")
        text = re.sub(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"TIME", text)
        text = re.sub(rb"the key is now [0-9a-f]{16}", b"KEY", text)
        text = re.sub(rb"[\d.]+ GB of space free", b"SPACE", text)
        text = re.sub(rb"\b\d+(\.\d+)? (ms|s|MB|MiB|records/s|MB/s|GB/s)\b", b"N", text)
        text = re.sub(rb'"(seconds|milliseconds|duration_ms|wall_ms|memory_bytes|free_bytes)":[\d.]+', b"N", text)
        return text

    def file(self, path, name=None):
        path = pathlib.Path(path)
        self.outputs["file " + (name or str(path.relative_to(self.folder)))] = (
            path.read_bytes() if path.exists() else b"(none)")

    def tree(self, folder):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            name = str(path.relative_to(self.folder))
            if path.is_symlink():
                self.outputs["link " + name] = os.readlink(path).encode()
            elif path.is_file():
                mode = oct(path.stat().st_mode & 0o777)
                self.outputs["file " + name] = mode.encode() + b"\n" + self.cleaned_metrics(path)

    def cleaned_metrics(self, path):
        text = path.read_bytes()
        return re.sub(rb"(timestamp_seconds|duration_seconds)(\{[^}]*\})? [\d.]+", b"N", text) if path.suffix == ".prom" else text

    def store(self, path, name):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
            self.outputs[f"store {name} schema"] = "\n".join(
                str(r) for r in db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")).encode()
            # Inodes and times of the inbox's files, and what is made of them; the audit log has a random id.
            for table in set(tables) - {"inbox_files", "ledger_digest", "audit_entry"}:
                try:
                    rows = sorted(re.sub(r"\b\d{19}\b", "NANOSECONDS", repr(row)) for row in db.execute(f'SELECT * FROM "{table}"'))
                except sqlite3.OperationalError as error:
                    rows = [str(error)]
                self.outputs[f"store {name} {table}"] = "\n".join(rows).encode()


def scans(r):
    s = DATA / "samples"
    for form in ("table", "csv", "json", "ndjson"):
        for audience in ("release", "staff"):
            r.run("scan", s / "sample.csv.gz", "--format", form, "--audience", audience)
    for name in ("sample.csv", "sample.tsv", "sample.ndjson", "sample.json", "sample-utf16.csv"):
        r.run("scan", s / name, "--audience", "staff", "--format", "json")
    for name in ("kpi.xlsx", "kpi.html"):
        for audience in ("release", "staff"):
            out = r.folder / f"{audience}-{name}"
            r.run("scan", s / "sample.csv.gz", "--quiet", "--audience", audience, "--output", out)
            r.file(out)
    r.run("scan", s / "sample.csv.gz", "--quiet", "--accessible", "--audience", "release", "--output", r.folder / "accessible.xlsx")
    r.file(r.folder / "accessible.xlsx")
    r.run("scan", s / "sample.csv.gz", "--quiet", "--accessible", "--audience", "staff", "--output",
          r.folder / "accessible-staff.xlsx")
    r.file(r.folder / "accessible-staff.xlsx")
    r.run("scan", s / "sample.csv.gz", "--unique", "--format", "json", "--audience", "staff")
    r.run("scan", s / "sample.csv.gz", "--dry-run")
    r.run("report", s / "sample.csv.gz", "--month", "2024-03", "--audience", "release")
    r.run("report", s / "sample.csv.gz", "--fiscal-year", 2025, "--audience", "release")
    r.run("report", s / "sample.csv.gz", "--region", "North", "--format", "csv", "--audience", "staff")
    r.run("scan", s / "sample.csv", "--wrong")
    r.run("classify", "explain", s / "sample.csv", "0000000001")
    r.run("scan", r.folder / "absent.csv")
    for form in ("csv", "ndjson"):
        r.run("trips", s / "sample.csv", "--privacy", "limited-data-set", "--format", form)
    r.run("map", "suggest", s / "sample.csv")
    r.run("schema"), r.run("--help"), r.run("--version")
    for command in ("scan", "report", "costs", "trips", "query", "run", "load", "publish", "verify", "doctor", "key",
                    "quarantine", "classify", "map", "sample", "schema", "reidentify", "crosswalk"):
        r.run(command, "--help")
    for code in ("a", "b"):
        (r.folder / f"{code}.csv").write_text("unknown,header\n1,2\n")
    r.run("scan", "a.csv")
    r.run("map", "suggest", "a.csv")
    r.run("doctor")


def costs(r):
    s = DATA / "samples"
    for audience in ("release", "staff"):
        for accessible in (False, True):
            out = r.folder / f"costs-{audience}-{accessible}.xlsx"
            r.run("costs", s / "sample.csv.gz", "--quiet", "--audience", audience, "--output", out,
                  *(["--accessible"] if accessible else []))
            r.file(out)
    for accessible in ([], ["--accessible"]):
        detail = r.folder / f"lines{len(accessible)}.xlsx"
        r.run("costs", s / "sample.csv", "--internal", "--detail", detail, "--fiscal-year", 2026, *accessible)
        r.file(detail)


def samples(r):
    for options in (("--format", "csv"), ("--format", "json"), ("--format", "ndjson"), ("--format", "tsv"), ("--fields", "kpi"),
                    ("--encoding", "utf-16"), ("--encoding", "windows-1252"), ("--faulty-per-million", "100000")):
        r.run("sample", "--rows", 300, "--seed", 9, *options)
    out = r.folder / "sample.gz"
    r.run("sample", "--rows", 300, "--seed", 9, "--gzip", "--output", out)
    r.file(out)


def nights(r):
    for part in ("inbox", "metrics", "store", "reports/published"):
        (r.folder / part).mkdir(parents=True)
    (r.folder / "key").mkdir(mode=0o700)
    key = r.folder / "key/trips.key"
    key.write_bytes(hashlib.sha256(b"same bytes").digest())
    key.chmod(0o600)
    (r.folder / "tripkpi.yaml").write_text(SETTINGS)

    def sample(name, rows, seed, *options):
        r.run("sample", "--rows", rows, "--seed", seed, "--from", "2026-01", "--months", 3, "--fields", "kpi",
              "--output", r.folder / "inbox" / name, *options, keep=False)

    sample("trips-0.csv", 1500, 1), sample("trips-1.csv", 1500, 2)
    store = r.folder / "store/tripkpi.sqlite"
    r.run("run", "--dry-run", epoch=OPEN_NIGHT)
    r.run("run", epoch=OPEN_NIGHT)
    r.tree(r.folder / "reports"), r.store(store, "first")
    sample("trips-2.csv.gz", 1000, 3, "--gzip"), sample("trips-3.ndjson", 1000, 4, "--format", "ndjson")
    (r.folder / "inbox/broken.csv").write_text("trip_id,status\n1,2\n")
    lines = (r.folder / "inbox/trips-0.csv").read_text().splitlines()
    header = lines[0].split(",")
    changed = [lines[0]]
    for line in lines[1::7]:
        cells = line.split(",")
        if len(cells) == len(header):
            cells[header.index("updated_at")], cells[header.index("sequence")] = "2026-03-31 12:00:00", "99"
            changed.append(",".join(cells))
    (r.folder / "inbox/corrections.csv").write_text("\n".join(changed) + "\n")
    r.run("run", "--dry-run"), r.run("run")
    r.tree(r.folder / "reports"), r.store(store, "second"), r.tree(r.folder / "metrics")
    r.run("run"), r.run("publish"), r.run("publish", "--revise", epoch=SECOND_NIGHT + 40 * 86_400)
    r.tree(r.folder / "reports"), r.store(store, "third")
    r.run("verify"), r.run("verify", "--digest"), r.run("doctor")
    for form in ("table", "csv", "json", "ndjson"):
        for audience in ("release", "staff"):
            r.run("report", "--format", form, "--audience", audience)
    r.run("report", "--month", "2026-02", "--audience", "release"), r.run("report", "--month", "2026-02", "--audience", "staff")
    for audience in ("release", "staff"):
        out = r.folder / f"report-{audience}.xlsx"
        r.run("report", "--quiet", "--audience", audience, "--output", out)
        r.file(out)
        r.run("report", "--audience", audience, "--explain", "North", "Routine", "2026-02")
    for form in ("table", "csv", "json"):
        r.run("quarantine", "list", "--format", form)
    r.run("query"), r.run("query", "kpi_cells", "--param", "month=2026-02")
    for form in ("table", "csv", "json", "ndjson"):
        r.run("query", "kpi_cells", "--param", "month=2026-02", "--internal", "--format", form)
    r.run("query", "--internal", "--sql", "SELECT count(*) FROM stg_trips"), r.run("query", "--check")
    r.run("query", "--internal", "--sql", "DROP TABLE trips"), r.run("query", "--internal", "--sql", "SELECT x FROM y")
    for accessible in ([], ["--accessible"]):
        for audience in ("release", "staff"):
            out, lines = r.folder / f"store-costs-{audience}.xlsx", r.folder / f"store-lines-{audience}.xlsx"
            r.run("costs", "--audience", audience, "--output", out,
                  *(["--detail", lines] if audience == "staff" else []), *accessible)
            # The staff's workbooks name trips by public ids, which are random for each store.
            if audience == "release":
                r.file(out, f"{out.name} {accessible}")
    for privacy in ("safe-harbor", "limited-data-set"):
        for form in ("csv", "ndjson"):
            r.run("trips", "--privacy", privacy, "--format", form)
    r.run("classify", "apply", "--diff", DATA / "rules/sf-fire-calls.yaml", "--internal"), r.run("key", "fingerprint")
    r.run("quarantine", "waive", "0" * 64, "--reason", "none"), r.run("reidentify", "0000000000000000", "--reason", "none")
    r.run("key", "rotate"), r.run("verify")


def record(program):
    with tempfile.TemporaryDirectory(prefix="same-") as folder:
        results, texts = {}, {}
        for part in (scans, costs, samples, nights):
            place = pathlib.Path(folder, part.__name__)
            place.mkdir()
            r = Recorder(program, place)
            part(r)
            results.update({f"{part.__name__}: {k}": v for k, v in r.outputs.items()})
            texts.update({f"{part.__name__}: {k}": v for k, v in r.texts.items()})
        return results, texts


def first_difference(before, after):
    a, b = before.split(b"\n"), after.split(b"\n")
    for number, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return f"line {number + 1}:\n    - {x[:300]!r}\n    + {y[:300]!r}"
    return f"{len(a)} lines, now {len(b)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    outputs, texts = record(str(pathlib.Path(options.program).resolve()))
    folder = pathlib.Path(options.folder)
    if options.record:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        index = {}
        for kind, entries in (("outputs", outputs), ("texts", texts)):
            for number, (name, content) in enumerate(entries.items()):
                (folder / f"{kind}-{number}").write_bytes(content)
                index[f"{kind} {name}"] = f"{kind}-{number}"
        (folder / "index.json").write_text(json.dumps(index, indent=1))
        print(f"{len(outputs)} outputs recorded")
        return 0
    index = json.loads((folder / "index.json").read_text())
    failed = passed = texts_changed = 0
    for kind, entries in (("outputs", outputs), ("texts", texts)):
        names = {n.removeprefix(kind + " ") for n in index if n.startswith(kind + " ")}
        for name in sorted(names | entries.keys()):
            file = index.get(f"{kind} {name}")
            before = (folder / file).read_bytes() if file else None
            after = entries.get(name)
            if before == after:
                passed += 1
                continue
            detail = "was not there" if before is None else "is gone" if after is None else first_difference(before, after)
            print(f"{'DIFFERENT' if kind == 'outputs' else 'reworded'} {name}: {detail}")
            if kind == "outputs":
                failed += 1
            else:
                texts_changed += 1
    print(f"{texts_changed} messages reworded")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
