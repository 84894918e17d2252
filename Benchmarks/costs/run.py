#!/usr/bin/env python3
"""`tripkpi costs --detail` of a store, against the same cells written by a plain C program and by Python's XlsxWriter.

    run.py [--rows 1140000] [--runs 3] [--work FOLDER]

Needs tripkpi (TRIPKPI, else .build/release), cc, libxlsxwriter-dev, GNU time, XlsxWriter (Benchmarks/requirements.txt);
3 GB in the work folder. The cells are taken out of tripkpi's own workbook, so that all write the same; afterwards the
sheets of the C program must be tripkpi's to the byte. tripkpi also reads the store, adds up, judges and writes the
internal workbook; its first run gives ids to all trips and is told apart.
"""
import argparse
import html
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "store"))
from timed import timed  # noqa: E402

ROOT = HERE.parents[1]
ROW = re.compile(r"<row r=\"(\d+)\"[^>]*>(.*?)</row>", re.S)
CELL = re.compile(r'<c r="([A-M])\d+"[^>]*>(?:<is><t[^>]*>(.*?)</t></is>|<v>(.*?)</v>)</c>', re.S)


def sheet_parts(archive):
    names = [n for n in archive.namelist() if re.match(r"xl/worksheets/sheet\d+\.xml$", n)]
    return sorted(names, key=lambda name: int(re.sub(r"\D", "", name)))


def take_cells(workbook, path):
    """A line a row, a cell a column; how many rows, and how many sheets."""
    rows = 0
    with zipfile.ZipFile(workbook) as archive, open(path, "w", encoding="utf-8") as out:
        parts = sheet_parts(archive)
        for part in parts:
            with archive.open(part) as file:
                rest = ""
                while chunk := file.read(1 << 24):
                    # A character may be cut at the end of a chunk; the cells of the sample are ASCII.
                    rest += chunk.decode("utf-8", "ignore")
                    end = 0
                    for match in ROW.finditer(rest):
                        end = match.end()
                        if int(match[1]) <= 2:
                            continue
                        cells = [""] * 13
                        for column, text, number in CELL.findall(match[2]):
                            cells[ord(column) - 65] = html.unescape(text) or number
                        out.write("\t".join(cells) + "\n")
                        rows += 1
                    rest = rest[end:]
    return rows, len(parts)


def same_sheets(left, right):
    with zipfile.ZipFile(left) as a, zipfile.ZipFile(right) as b:
        if sheet_parts(a) != sheet_parts(b):
            return False
        for part in sheet_parts(a):
            with a.open(part) as one, b.open(part) as two:
                while True:
                    first, second = one.read(1 << 22), two.read(1 << 22)
                    if first != second:
                        return False
                    if not first:
                        break
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_140_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path)
    options = parser.parse_args()
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or pathlib.Path(temporary)
        for name in ("store", "key", "reports", "audit"):
            (work / name).mkdir(parents=True, exist_ok=True)
        (work / "tripkpi.yaml").write_text(
            "store: store/t.sqlite\nkey_file: key/t.key\nreports: reports\naudit_log: audit/a.jsonl\n")
        settings = ["--config", work / "tripkpi.yaml"]
        if not (work / "store/t.sqlite").exists():
            subprocess.run([tripkpi, "sample", "--messy", "--rows", str(options.rows), "--seed", "42", "--fields", "kpi",
                            "--no-structural-faults", "--output", work / "trips.csv"], check=True)
            subprocess.run([tripkpi, "load", work / "trips.csv", *settings], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        subprocess.run(["cc", "-O2", HERE / "lines.c", "-o", work / "lines", *subprocess.run(
            ["pkg-config", "--cflags", "--libs", "xlsxwriter"], check=True, capture_output=True,
            text=True).stdout.split()], check=True)
        ours = [tripkpi, "costs", "--internal", "--quiet", "--output", work / "costs.xlsx", "--detail",
                work / "ours.xlsx", *settings]
        first = timed(ours, cwd=work)
        print(f"first run, gives ids too: {first[0]:.1f} s, {first[2]:.0f} MiB", flush=True)
        rows, sheets = take_cells(work / "ours.xlsx", work / "cells.tsv")
        print(f"{rows} lines on {sheets} sheets, {(work / 'ours.xlsx').stat().st_size / 2**20:.0f} MiB", flush=True)
        plain = [work / "lines", work / "cells.tsv", work / "c.xlsx"]
        python = [sys.executable, HERE / "lines_xlsxwriter.py", work / "cells.tsv", work / "python.xlsx"]
        figures = {"tripkpi": [], "C": [], "XlsxWriter": []}
        for run in range(options.runs):
            # Who begins takes turns, so that a slower minute of the machine is nobody's.
            order = [("tripkpi", ours), ("C", plain)]
            for name, command in order if run % 2 == 0 else reversed(order):
                figures[name].append(timed(command, cwd=work))
        figures["XlsxWriter"].append(timed(python, cwd=work))
        print("| program | wall s (runs) | median | CPU s | peak MiB |\n|---|---|---|---|---|")
        for name, runs in figures.items():
            walls = ", ".join(f"{wall:.1f}" for wall, _, _ in runs)
            middle = [statistics.median(part) for part in zip(*runs)]
            print(f"| {name} | {walls} | {middle[0]:.1f} | {middle[1]:.1f} | {middle[2]:.0f} |")
        median = {name: statistics.median(wall for wall, _, _ in runs) for name, runs in figures.items()}
        print(f"tripkpi / C: {median['tripkpi'] / median['C']:.2f} (1.1 wanted); "
              f"XlsxWriter / tripkpi: {median['XlsxWriter'] / median['tripkpi']:.2f}")
        equal = same_sheets(work / "ours.xlsx", work / "c.xlsx")
        print("sheets of C and tripkpi: the same bytes" if equal else "sheets of C and tripkpi DIFFER")
        sys.exit(0 if equal else 65)


if __name__ == "__main__":
    main()
