#!/usr/bin/env python3
"""`kill -9` at many instants of `tripkpi run`, each followed by a plain `run`.

Each time the store's digest, every published byte and the names of all files must be those of an undisturbed run, and
a reader that follows `current` of both audiences in a loop must see the old set or the new, whole. CHECK_KILLS says how many kills (24;
300 by hand), CHECK_SEED which. Even kills fall evenly over the run's time; odd ones, so that the short steps are hit
too, shortly after one line of the log, each line in turn. The last line is `N passed, N failed`.
"""
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

from nightly_site import Checks, differences, set_fault, steps, two_nights

KILLS = int(os.environ.get("CHECK_KILLS", "14"))
SEED = int(os.environ.get("CHECK_SEED", "3"))
ROWS = int(os.environ.get("CHECK_ROWS", "6000"))
RUN = ("run", "--log-format", "json")


class Reader(threading.Thread):
    """Reads the sets that `current` names for both audiences, over and over, wherever the check is at work."""
    def __init__(self, reports):
        super().__init__(daemon=True)
        self.reports, self.reads, self.faults, self.stopped = reports, 0, [], False

    def run(self):
        while not self.stopped:
            reports = self.reports
            fault = set_fault(reports)
            if reports is self.reports:  # else the copy was thrown away while it was read
                self.reads += 1
                self.faults += [fault] if fault else []
            time.sleep(0.0005)


class Timed:
    """A run in the making: the log's lines with the second at which each came."""
    def __init__(self, site):
        self.began = time.monotonic()
        self.process = site.start(*RUN)
        self.lines = []
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self):
        for line in self.process.stderr:
            self.lines.append((time.monotonic() - self.began, line))

    def wait_for_lines(self, count):
        while len(self.lines) < count and self.process.poll() is None:
            time.sleep(0.0002)

    def end(self):
        """Exit code, once all of the log is read."""
        code = self.process.wait()
        self.listener.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def undisturbed(start, folder):
    """The state after a run that nobody disturbs, its seconds, and at which of them each line of its log came."""
    site = start.copied(folder)
    timed = Timed(site)
    if timed.end() != 0:
        sys.exit("an undisturbed run failed:\n" + "".join(line for _, line in timed.lines)[-3000:])
    seconds = time.monotonic() - timed.began
    return site.state(), seconds, [at for at, _ in timed.lines]


def killed(site, number, seconds, marks, chance):
    """Kills one run; the step that the log named last."""
    timed = Timed(site)
    if number % 2 == 0 or not marks:
        time.sleep(max(0.0, timed.began + seconds * (number + chance.random()) / KILLS - time.monotonic()))
    else:
        line = (number // 2) % len(marks)
        timed.wait_for_lines(line + 1)
        time.sleep(chance.random() * max(0.0005, (marks + [seconds])[line + 1] - marks[line]))
    timed.process.send_signal(signal.SIGKILL)
    if timed.end() != -signal.SIGKILL:
        return "ended before the kill"
    return (steps(line for _, line in timed.lines) or ["before the first line"])[-1]


def leftovers(site, expected):
    """Files that a killed run leaves beside those of an undisturbed one, without their digits."""
    names = {str(path.relative_to(site.folder)) for path in site.folder.rglob("*") if not path.is_dir()}
    return sorted({"/".join("…" if part[:1].isdigit() else part for part in name.split("/"))
                   for name in names - set(expected["files"])})


def main():
    checks, chance = Checks(), random.Random(SEED)
    found, left = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tripkpi-kills-") as folder:
        folder = pathlib.Path(folder)
        start = two_nights(folder / "start", ROWS)
        expected, _, _ = undisturbed(start, folder / "warm")
        again, seconds, marks = undisturbed(start, folder / "undisturbed")
        checks.hold("two undisturbed runs", *differences(expected, again))
        reader = Reader(start.reports)
        reader.start()
        for number in range(KILLS):
            site = start.copied(folder / f"killed-{number}")
            reader.reports = site.reports
            step = killed(site, number, seconds, marks, chance)
            found[step] += 1
            left.update(leftovers(site, expected))
            code, _, messages = site.tripkpi("run", "--quiet")
            what = f"kill {number} in step '{step}'"
            if checks.hold(what, code and f"the next run ended with {code}: {messages[-500:]}"):
                checks.hold(what, *differences(expected, site.state()))
            reader.reports = start.reports
            time.sleep(0.01)
            subprocess.run(["rm", "-rf", str(site.folder)], check=True)
        reader.stopped = True
        reader.join()
        checks.hold(f"the reader, {reader.reads} reads", *reader.faults[:5])
        checks.hold("the reader", reader.reads < KILLS and "read too seldom to have seen anything")
    print(f"{KILLS} kills over {seconds:.2f} s, seed {SEED}; the last line of the log was then:")
    for step, count in found.most_common():
        print(f"  {count:4}  {step}")
    print("left by kills, gone or as usual after the next run: " + (", ".join(
        f"{name} ({count})" for name, count in left.most_common()) or "nothing"))
    print(f"{reader.reads} reads of the published set, {len(reader.faults)} torn or missing")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
