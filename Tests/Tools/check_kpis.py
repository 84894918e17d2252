#!/usr/bin/env python3
"""Every KPI cell of tripkpi against the same cells computed by DuckDB in SQL (`duckdb_kpis.py`).

Runs the command named by TRIPKPI on the shipped samples, on synthetic exports with daylight saving and shuffled
versions, and on San Francisco's public file where ../shared is present. The last line is `N passed, N failed`.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from nightly_site import Checks

TOOLS = pathlib.Path(__file__).resolve().parent
ROOT = TOOLS.parents[1]
SHARED = pathlib.Path(os.environ.get("CHECK_SHARED", ROOT.parent / "shared"))
SAN_FRANCISCO = SHARED / "data/sf_fire_calls_2020-04.csv.gz"
ZONE = "America/New_York"


def agrees(tripkpi, folder, name, export, meaning, options, extra=()):
    """Whether all cells agree; says how many were compared."""
    summary = pathlib.Path(folder) / "summary.json"
    scan = [tripkpi, "scan", str(export), "--internal", "--quiet", "--format", "json", "--output", str(summary)]
    # The rules and lists of the synthetic exports, unless others are named.
    if "--rules" not in options:
        settings = pathlib.Path(folder) / "sample.yaml"
        settings.write_text("rules: sample\nregions: [North, South, East, West]\ntrip_types: [Emergency, Routine]\n")
        options = [*options, "--config", str(settings)]
    if subprocess.run(scan + options, check=False).returncode != 0:
        print(f"{name}: tripkpi failed")
        return False
    compare = [sys.executable, str(TOOLS / "duckdb_kpis.py"), meaning, str(export), "--summary", str(summary)]
    result = subprocess.run(compare + list(extra), check=False, capture_output=True, text=True)
    print(f"{name}: {(result.stdout.strip().splitlines() or ['no answer'])[-1].replace(str(summary), 'tripkpi')}")
    if result.returncode != 0:
        print(result.stdout[-1500:] + result.stderr[-1500:])
    return result.returncode == 0


def main():
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    results = []
    with tempfile.TemporaryDirectory() as folder:
        zone = ["--zone", ZONE]
        samples = ROOT / "data/samples"
        for sample in ["sample.csv", "sample.csv.gz"]:
            results.append(agrees(tripkpi, folder, sample, samples / sample, "canonical", zone, zone))
        made = pathlib.Path(folder) / "made.csv"
        for seed, options in [("1", []), ("2", ["--shuffled"]), ("3", ["--shuffled", "--fields", "kpi"])]:
            sample = [tripkpi, "sample", "--messy", "--rows", "40000", "--seed", seed, "--months", "26", "--from", "2023-10",
                      "--no-structural-faults", "--output", str(made)]
            if subprocess.run(sample + options, check=False, capture_output=True).returncode != 0:
                print(f"sample with seed {seed} could not be made")
                results.append(False)
                continue
            results.append(agrees(tripkpi, folder, f"40,000 synthetic records, seed {seed}", made, "canonical", zone, zone))
        if SAN_FRANCISCO.exists():
            meaning = ["--profile", "sf-fire-calls", "--rules", "sf-fire-calls"]
            results.append(agrees(tripkpi, folder, "San Francisco, April 2020", SAN_FRANCISCO, "sf", meaning))
        else:
            Checks.skip("San Francisco, April 2020", f"{SAN_FRANCISCO} is not there")
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
