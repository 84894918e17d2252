#!/usr/bin/env python3
"""Every cell of a scan, computed by DuckDB from the rows of `tripkpi facts`.

Synthetic exports with corrections, voids and faults, as CSV, NDJSON, JSON, gzip and from standard input: the newest version of each
trip is found in SQL, and all cells must be those of `scan --internal`. Also: every value has the type of `--schema`, no
identifier of the export is in the rows, and a stream that ended early has no last line.

TRIPKPI names the program. Prints what fails, then "N passed, N failed".
"""
import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import duckdb  # noqa: E402
import duckdb_kpis  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The rules and lists of the synthetic exports.
os.environ.setdefault("TRIPKPI_CONFIG", str(ROOT / "Tests/Tools/fixtures/sample-settings.yaml"))
TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
STATUSES = ["completed", "cancelled", "no_show", "void"]
SOURCINGS = ["inHouse", "contracted", "unclassified"]
ROWS = 20_000
passed, failed = 0, 0


def check(right, what):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}")


def program(folder, *words, **options):
    environment = {**os.environ, "TRIPKPI_AUDIT_LOG": str(folder / "audit.jsonl"), "HOME": str(folder)}
    return subprocess.run([TRIPKPI, *map(str, words)], cwd=folder, env=environment, capture_output=True, check=False, **options)


def names(values, column):
    """SQL for the name of a code."""
    return f"case {column} " + " ".join(f"when {code} then '{value}'" for code, value in enumerate(values)) + " end"


def all_cells(path, summary, schema):
    """As `duckdb_kpis.run` makes them of an export."""
    columns = ", ".join(f"'{column['name']}': '{column['type']}'" for column in schema["columns"])
    script = f"""
create temp table facts as select * from read_csv('{path}', auto_detect = false, header = false, delim = '\t', quote = '',
    escape = '', comment = '#', columns = {{{columns}}});
create temp table newest as select * from facts
qualify row_number() over (partition by trip_key_high, trip_key_low
    order by updated_at desc nulls last, sequence desc nulls last, record_offset desc) = 1;
create temp table trip as
select printf('%d-%02d', n.month // 100, n.month % 100) as month, {names(STATUSES, 'n.status')} as status,
  {names(summary['regions'], 'n.region')} as region, {names(summary['tripTypes'], 'n.trip_type')} as type,
  {names(SOURCINGS, 'n.sourcing')} as sourcing, cost_cents as cents, loaded_hundredths as loaded_h,
  unloaded_hundredths as unloaded_h, {", ".join(f"{name}_seconds" for name in duckdb_kpis.INTERVALS)}
from newest as n;
"""
    measures = ", ".join(f"case when status = 'completed' then {name}_seconds end as {name}" for name in duckdb_kpis.INTERVALS)
    return duckdb_kpis.run(duckdb.connect(), script, measures=measures)


def last_line(path):
    lines = path.read_bytes().splitlines()
    return (json.loads(lines[-1][1:]), lines[:-1]) if lines and lines[-1].startswith(b"#") else (None, lines)


def fits(value, column):
    if value == b"":
        return column["isOptional"]
    bits = 63 if column["type"] == "BIGINT" else 31
    return -(1 << bits) <= int(value) < 1 << bits


def check_export(folder, export, schema, words, standard_input=False):
    name = export.name + (" from standard input" if standard_input else "")
    facts = folder / "facts.tsv"
    facts.unlink(missing_ok=True)
    if standard_input:
        data = export.read_bytes()
        made = program(folder, "facts", "-", "--key-file", "key/trips.key", *words, input=data)
        facts.write_bytes(made.stdout)
    else:
        made = program(folder, "facts", export, "--key-file", "key/trips.key", "--output", facts, *words)
    check(made.returncode == 0, f"{name}: ended with {made.returncode}: {made.stderr[-300:]}")
    if made.returncode != 0:
        return
    summary, rows = last_line(facts)
    check(summary is not None, f"{name}: there is no last line")
    if summary is None:
        return
    check(summary["read"] == summary["facts"] + summary["skipped"] + summary["rejected"], f"{name}: {summary}")
    check(summary["facts"] == len(rows), f"{name}: {len(rows)} rows, {summary['facts']} in the last line")
    columns = schema["columns"]
    values = [row.split(b"\t") for row in rows]
    check(all(len(row) == len(columns) for row in values), f"{name}: rows of other lengths")
    check(all(fits(value, column) for row in values for value, column in zip(row, columns)), f"{name}: a value does not fit")
    report = folder / "summary.json"
    scan = program(folder, "scan", export, "--internal", "--format", "json", "--output", report)
    check(scan.returncode == 0, f"{name}: scan ended with {scan.returncode}: {scan.stderr[-300:]}")
    checked, differences = duckdb_kpis.compare(all_cells(facts, summary, schema), report)
    check(checked > 1000 and not differences, f"{name}: {checked} numbers, differences: {differences[:5]}")
    document = json.loads(report.read_text())
    records = document["quality"]
    for ours, theirs in (("read", "read"), ("rejected", "rejected"), ("skipped", "skipped")):
        check(summary[ours] == records[theirs], f"{name}: {ours} {summary[ours]}, scan {records[theirs]}")


def read_by_ranges(folder, export, bytes_of_range):
    """The rows of an export read by ranges as docs/facts.md says, and how many were read twice."""
    size, rows, again, expected = export.stat().st_size, [], 0, None
    for start in range(0, size, bytes_of_range):
        words = ["facts", export, "--key-file", "key/trips.key", "--jobs", "1", "--range", f"{start}:{start + bytes_of_range}"]
        lines = program(folder, *words).stdout.splitlines()
        part = json.loads(lines[-1][1:])["part"]
        if expected not in (None, (part["start"], part["startIsResuming"])):
            again += 1
            lines = program(folder, *words, "--start", f"{expected[0]}{'+' if expected[1] else ''}").stdout.splitlines()
            part = json.loads(lines[-1][1:])["part"]
        rows += lines[:-1]
        expected = part["end"], part["endIsResuming"]
    return rows, again


def identifiers(export):
    """Ids of the export, which must be in no row."""
    found = set()
    with open(export, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for field in ("trip_id", "patient_id", "vehicle_id", "invoice_number"):
                if len(row.get(field) or "") >= 6:
                    found.add(row[field].encode())
    return found


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "key").mkdir(mode=0o700)
        key = folder / "key/trips.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        schema = json.loads(program(folder, "facts", "--schema").stdout)
        check(len(schema["columns"]) == 23 and schema["version"] == 1, "the schema has other columns")
        for ending in ("csv", "ndjson", "json"):
            words = ["--corrections-per-million", "60000", "--seed", "11", "--from", "2024-10", "--months", "5"]
            program(folder, "sample", "--messy", "--rows", ROWS, "--format", ending, "--no-structural-faults", "--output",
                    folder / f"trips.{ending}", *words)
        (folder / "trips.csv.gz").write_bytes(gzip.compress((folder / "trips.csv").read_bytes(), mtime=0))
        accepting = ["--max-reject", "20%"]
        for ending in ("csv", "ndjson", "json", "csv.gz"):
            check_export(folder, folder / f"trips.{ending}", schema, accepting)
        check_export(folder, folder / "trips.csv", schema, [*accepting, "--jobs", "1"], standard_input=True)

        facts = (folder / "facts.tsv").read_bytes()
        words = identifiers(folder / "trips.csv")
        tokens = set(facts.replace(b"\n", b"\t").split(b"\t"))
        check(len(words) > ROWS / 2, "the export has no identifiers to look for")
        check(not words & tokens, "an identifier is in the rows")

        one = program(folder, "facts", "trips.csv", "--key-file", "key/trips.key", "--jobs", "1", *accepting).stdout
        two = program(folder, "facts", "trips.csv", "--key-file", "key/trips.key", "--jobs", "4", *accepting).stdout
        check(sorted(one.splitlines()) == sorted(two.splitlines()), "the rows depend on the number of threads")
        check(one == facts, "the rows of standard input are not those of the file")

        # Quoted line ends, after which a guess is wrong.
        quoted = folder / "quoted.csv"
        with open(quoted, "w", encoding="utf-8") as file:
            file.write("trip_id,unit_notified_at,notes\n")
            for number in range(3000):
                file.write(f'N{number},2024-10-02 07:00:00,"a\nN{number},b, née\n"\n')
        plain = program(folder, "facts", quoted, "--key-file", "key/trips.key", "--jobs", "1", "--max-reject", "100%").stdout.splitlines()[:-1]
        rows, again = read_by_ranges(folder, quoted, quoted.stat().st_size // 15)
        check(len(plain) == 3000 and rows == plain, f"by ranges: {len(rows)} rows of {len(plain)}")
        check(again > 0, "no range was read twice, so nothing was tested")

        refused = program(folder, "facts", "trips.csv", "--key-file", "key/trips.key", "--max-reject", "0%", "--output", "none.tsv")
        check(refused.returncode == 65 and not (folder / "none.tsv").exists(), f"too many rejects: {refused.returncode}")
        stream = program(folder, "facts", "trips.csv", "--key-file", "key/trips.key", "--max-reject", "0%").stdout
        check(b"\n#" not in stream and not stream.startswith(b"#"), "a refused export has a last line")
        missing = program(folder, "facts", "trips.csv", "--key-file", "key/none.key")
        check(missing.returncode in (66, 78), f"without a key: {missing.returncode}")
        log = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
        check(any(entry.get("event") == "facts" for entry in log), "the audit log has no facts")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
