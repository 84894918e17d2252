"""One run of a program: wall seconds, CPU seconds, peak MiB. GNU time starts it, as a program started by Python begins
with the peak of Python."""
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def timed(command, output=subprocess.DEVNULL, **options):
    """Exits with what the program said if it fails."""
    with tempfile.NamedTemporaryFile("r") as report:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        result = subprocess.run(["/usr/bin/time", "-o", report.name, "-f", "%M", *map(str, command)], check=False,
                                stdout=output, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **options)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if result.returncode != 0:
            sys.exit(f"{pathlib.Path(command[0]).name} {command[1]} ended with {result.returncode}: "
                     f"{result.stderr[-2000:].decode(errors='replace')}")
        peak = int(report.read().split()[-1])
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, peak / 1024
