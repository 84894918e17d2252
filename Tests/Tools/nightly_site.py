"""A private place in which the nightly run works, for the checks that kill it, starve it and tell its story.

A site is a folder with `tripkpi.yaml`, an inbox, a store, a key and published reports, all named by relative paths: a
copy of it is the same site. Runs get an environment of their own, so that nothing of the caller's settings is seen.
"""
import functools
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRIPKPI = str(pathlib.Path(os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")).resolve())
# SOURCE_DATE_EPOCH: 2026-04-01 and the day after. The months of the samples, January to March, are over.
FIRST_NIGHT, SECOND_NIGHT = 1_775_086_400, 1_775_172_800
# 2026-03-26: March is open.
OPEN_NIGHT = 1_774_500_000
AUDIENCES = ("release", "staff")
# Checks release at once, also where they start the program themselves; check_nightly.py has the approval of a release.
os.environ["TRIPKPI_RELEASE_APPROVAL"] = "never"
SETTINGS = """zone: America/New_York
inbox: inbox
store: store/tripkpi.sqlite
key_file: key/trips.key
reports: reports/published
metrics_file: metrics/tripkpi.prom
rules: sample
regions: [North, South, East, West]
trip_types: [Emergency, Routine]
"""
# The forms of identifiers in `tripkpi sample`: trip ids, patients, invoices, contracts, local times.
VALUES = re.compile(r"\b0\d{9}\b|SYN-\d+|INV-\d+|CT-\d+-\d+|2026-0[1-3]-\d\d \d\d:\d\d:\d\d")


class Site:
    def __init__(self, folder, epoch=SECOND_NIGHT):
        self.folder = pathlib.Path(folder)
        self.epoch = epoch
        self.prefix = []
        self.inbox, self.metrics = self.folder / "inbox", self.folder / "metrics"
        self.store = self.folder / "store/tripkpi.sqlite"
        self.lock = self.folder / "store/tripkpi.sqlite.lock"
        self.key = self.folder / "key/trips.key"
        self.reports = self.folder / "reports/published"

    @classmethod
    def made(cls, folder, epoch=FIRST_NIGHT):
        site = cls(folder, epoch)
        for part in (site.inbox, site.metrics, site.store.parent, site.key.parent, site.reports):
            part.mkdir(parents=True)
        site.key.parent.chmod(0o700)
        (site.folder / "tripkpi.yaml").write_text(SETTINGS, encoding="utf-8")
        return site

    def set_lists(self, regions, types, zone="America/New_York", more=""):
        """Other lists of regions and trip types, and another zone, in the settings; `more` is added to them."""
        path = self.folder / "tripkpi.yaml"
        others = [line for line in path.read_text(encoding="utf-8").splitlines()
                  if not line.startswith(("regions:", "trip_types:", "zone:"))]
        path.write_text("\n".join([
            f"zone: {zone}", *others, f"regions: [{', '.join(regions)}]", f"trip_types: [{', '.join(types)}]", more]), encoding="utf-8")

    def copied(self, folder, epoch=SECOND_NIGHT):
        """A copy with the same times and modes, as `cp -a` makes it."""
        if pathlib.Path(folder).exists():
            shutil.rmtree(folder)
        subprocess.run(["cp", "-a", str(self.folder), str(folder)], check=True)
        return Site(folder, epoch)

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "SOURCE_DATE_EPOCH": str(self.epoch),
                "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TRIPKPI_RELEASE_APPROVAL": "never",
                **{name: os.environ[name] for name in ("TRIPKPI_DATA", "LD_LIBRARY_PATH") if name in os.environ}}

    def start(self, *words, **options):
        """The running program; its output is text."""
        return subprocess.Popen([*self.prefix, TRIPKPI, *map(str, words)], cwd=self.folder, env=self.environment(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", **options)

    def tripkpi(self, *words):
        """Exit code, standard output, standard error."""
        with self.start(*words) as process:
            output, messages = process.communicate()
            return process.returncode, output, messages

    def succeed(self, *words):
        """Standard output and standard error; raises when the exit code is not 0."""
        code, output, messages = self.tripkpi(*words)
        if code != 0:
            raise AssertionError(f"tripkpi {' '.join(map(str, words))} ended with {code}:\n{messages[-2000:]}")
        return output, messages

    def digest(self):
        return self.succeed("verify", "--digest")[0].strip()

    def published(self, audience="staff"):
        """The folder of an audience's sets, with `current` and `runs`."""
        return self.reports / audience

    def current(self, audience="staff"):
        """Name → bytes of the set that an audience sees."""
        folder = (self.published(audience) / "current").resolve(strict=True)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    def summary(self, audience="staff"):
        return json.loads(self.current(audience)["kpi-summary.json"])

    def state(self):
        """What a run leaves for the next one and for readers: store digest, published tree, names of all files."""
        return {"store": self.digest(), "published": tree(self.reports), "files": sorted(tree(self.folder))}


@functools.cache
def has_office():
    """Whether LibreOffice is here to recalculate workbooks. It is installed first where that is possible."""
    if shutil.which("soffice") is None:
        subprocess.run([ROOT / "scripts/bootstrap.sh", "office"], stdin=subprocess.DEVNULL, check=False)
    return shutil.which("soffice") is not None


def written_by_tests(suite, **variables):
    """Has a suite of the built Swift tests write the samples that the variables name; what went wrong. The tests are started
    without `swift test`, which takes longer to look for them than they to run."""
    tests = ROOT / ".build/release/tripkpiPackageTests.xctest"
    made = subprocess.run([tests, "--testing-library", "swift-testing", "--filter", suite], env={**os.environ, **{
        name: str(folder) for name, folder in variables.items()}}, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return made.returncode and f"{suite} wrote nothing: {made.stdout[-1000:]}{made.stderr[-1000:]}"


def tree(folder):
    """Relative path → SHA-256, or where a link points to."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def differences(expected, actual):
    """One line for each part of two states that is not the same."""
    lines = []
    for part in expected:
        if expected[part] == actual[part]:
            continue
        if isinstance(expected[part], dict):
            names = sorted(n for n in expected[part].keys() | actual[part].keys()
                           if expected[part].get(n) != actual[part].get(n))
            lines.append(f"{part} differ in {', '.join(names[:6])}")
        elif isinstance(expected[part], list):
            left = sorted(set(actual[part]) - set(expected[part]))
            missing = sorted(set(expected[part]) - set(actual[part]))
            lines.append(f"{part}: left over {left[:6]}, missing {missing[:6]}")
        else:
            lines.append(f"{part} differs")
    return lines


def set_fault(reports):
    """What is torn or missing in the set of either audience that `current` names."""
    faults = {audience: audience_fault(reports / audience) for audience in AUDIENCES}
    return "; ".join(f"{audience}: {fault}" for audience, fault in faults.items() if fault) or None


def audience_fault(reports):
    """The same of one audience, read as a reader does: the link is followed once."""
    try:
        run = reports / os.readlink(reports / "current")
        manifest = json.loads((run / "manifest.json").read_bytes())
        for entry in manifest["files"]:
            content = (run / entry["name"]).read_bytes()
            if len(content) != entry["bytes"]:
                return f"{entry['name']} has {len(content)} bytes, the manifest says {entry['bytes']}"
            if hashlib.sha256(content).hexdigest() != entry["sha256"]:
                return f"{entry['name']} is not what the manifest says"
        return None if manifest["files"] else "the manifest names no files"
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def sample(path, rows, seed, *options):
    """A synthetic export of three months that has corrections, copies, voids and rejected records."""
    subprocess.run([TRIPKPI, "sample", "--messy", "--rows", str(rows), "--seed", str(seed), "--from", "2026-01", "--months", "3",
                    "--fields", "kpi", "--output", str(path), *map(str, options)],
                   check=True, stderr=subprocess.DEVNULL)
    give_ids(path, seed)


def give_ids(path, seed):
    """Gives the trips of a sample ids of its seed: two samples have other trips, and would have the same ids (`reused_ids`)."""
    path = pathlib.Path(path)
    content = path.read_bytes()
    packed = path.suffix == ".gz"
    text = re.sub(rb'(?m)(^"?|"trip_id": ?"?)0000(?=\d{6}\b)', rb"\g<1>%04d" % seed, gzip.decompress(content) if packed else content)
    path.write_bytes(gzip.compress(text, mtime=0) if packed else text)


def corrections(source, target, every=5, status=None, updated="2026-03-31 12:00:00"):
    """Writes newer versions of every n-th trip of a CSV export: their cost is a dollar more, or their status told."""
    import csv
    with open(source, newline="", encoding="utf-8") as file, open(target, "w", newline="", encoding="utf-8") as out:
        reader = csv.DictReader(file)
        writer = csv.DictWriter(out, reader.fieldnames, lineterminator="\n")
        writer.writeheader()
        for number, row in enumerate(reader):
            if number % every or None in row or None in row.values():  # too many fields, or too few
                continue
            row["updated_at"], row["sequence"] = updated, "99"
            row["status"] = status or row["status"]
            row["cost"] = f"{float(row['cost']) + 1:.2f}" if row["cost"].replace(".", "").isdigit() else row["cost"]
            writer.writerow(row)


def two_nights(folder, rows):
    """A site after its first publication, with a second night's exports waiting: trips, corrections, voids, copies.

    The first night releases January and February; the second one releases March.
    """
    site = Site.made(folder, OPEN_NIGHT)
    for number in range(2):
        sample(site.inbox / f"trips-{number}.csv", rows, seed=number + 1)
    site.succeed("run", "--quiet")
    for number in range(2, 4):
        sample(site.inbox / f"trips-{number}.csv", rows, seed=number + 1)
    sample(site.inbox / "trips-4.csv.gz", rows // 2, 5, "--gzip")
    sample(site.inbox / "trips-5.ndjson", rows // 2, 6, "--format", "ndjson")
    corrections(site.inbox / "trips-0.csv", site.inbox / "corrections-0.csv", every=5)
    corrections(site.inbox / "trips-1.csv", site.inbox / "corrections-1.csv", every=50, status="void")
    shutil.copyfile(site.inbox / "trips-2.csv", site.inbox / "trips-2-again.csv")
    return Site(site.folder)


def steps(lines):
    """The name of each line of a JSON log: its stage, else its event or message."""
    names = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            names.append(str(entry.get("stage") or entry.get("event") or entry.get("message") or "?"))
    return names


class Checks:
    """Counts what held and what did not, and prints the line that `scripts/test.sh` reads."""
    def __init__(self):
        self.passed = self.failed = 0
        self.began = time.monotonic()

    def hold(self, what, *faults):
        faults = [fault for fault in faults if fault]
        self.passed += not faults
        self.failed += bool(faults)
        for fault in faults:
            print(f"{what}: {fault}", flush=True)
        return not faults

    @staticmethod
    def skip(what, why):
        """Names what cannot be checked here; `scripts/test.sh` counts these lines."""
        print(f"skipped: {what}: {why}", flush=True)

    def end(self):
        print(f"{time.monotonic() - self.began:.0f} s")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
