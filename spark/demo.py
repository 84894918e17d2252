#!/usr/bin/env python3
"""What `make spark-demo` runs: two nights of samples on a Spark cluster on this machine, and the same exports on this machine alone.

Two exports come on the first night; on the second, one with corrections of the first and a copy. After each, the published files must
have the bytes of local runs.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

import job_run
from local_cluster import cluster

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main() -> int:
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    folder = ROOT / "reports/spark-demo"
    shutil.rmtree(folder, ignore_errors=True)
    site = job_run.Site(folder, tripkpi)
    site.sample("first.csv", "--rows", "20000", "--seed", "1")
    site.sample("second.ndjson", "--rows", "5000", "--seed", "2", "--format", "ndjson")
    with cluster(folder / "cluster") as spark:
        print(f"Spark: a master and two workers on {spark.url}", file=sys.stderr)
        for night in (1, 2):
            if night == 2:
                site.sample("third.csv", "--rows", "4000", "--seed", "1")
                shutil.copy(site.inbox / "first.csv", site.inbox / "again.csv")
            started = time.monotonic()
            done = subprocess.run(spark.submission(*site.options), env={**spark.environment, **site.environment}, check=False,
                                  stderr=subprocess.PIPE, text=True)
            print("\n".join(line for line in done.stderr.splitlines() if line.startswith("tripkpi-spark:")), file=sys.stderr)
            if done.returncode != 0:
                print(done.stderr[-3000:], file=sys.stderr)
                return 1
            differing = site.differing()
            print(f"night {night}: {time.monotonic() - started:.0f} s, {len(site.outputs)} files of two audiences, "
                  f"{'all with the bytes of local runs' if not differing else 'different: ' + ', '.join(differing)}")
            if differing:
                return 1
    print(f"The files: {folder.relative_to(ROOT)}/out. Spark has ended.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
