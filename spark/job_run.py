"""A folder in which the job runs, for the demo and the tests: its inbox, lake and outputs, and a local scan beside them."""
import json
import os
import pathlib
import re
import subprocess
import zipfile
from hashlib import sha256

OUTPUTS = ("kpi-summary.json", "kpi-cells.csv", "dashboard.html", "kpi.xlsx")
AUDIENCES = ("staff", "release")


def environment(folder: pathlib.Path) -> dict[str, str]:
    """Of the program: nothing of the user's own, and one time in all outputs. No release waits for approval."""
    return {"SOURCE_DATE_EPOCH": "1790000000", "TRIPKPI_RELEASE_APPROVAL": "never",
            "TRIPKPI_AUDIT_LOG": str(folder / "audit.jsonl"), "HOME": str(folder)}


class Site:
    def __init__(self, folder: pathlib.Path, tripkpi: str):
        self.folder = folder.resolve()
        self.tripkpi = str(pathlib.Path(tripkpi).resolve())
        self.inbox, self.lake, self.out = self.folder / "inbox", self.folder / "lake", self.folder / "out"
        self.ages: dict[str, int] = {}
        self.inbox.mkdir(parents=True)
        self.key = self.folder / "tripkpi.key"
        self.key.touch(mode=0o600)
        self.key.write_bytes(os.urandom(32))
        self.config = self.folder / "tripkpi.yaml"
        self.config.write_text(
            "max_reject: 100%\nrules: sample\nregions: [North, South, East, West]\ntrip_types: [Emergency, Routine]\n")
        self.environment = environment(self.folder)

    @property
    def options(self) -> list[str]:
        """Of the job. Parts are short, so that samples are divided."""
        return [
            "--inbox", str(self.inbox), "--lake", str(self.lake), "--work", str(self.folder / "work"), "--out", str(self.out),
            "--program", self.tripkpi, "--key-file", str(self.key), "--config", str(self.config), "--part-bytes", "300000"]

    def run(self, *words: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.tripkpi, *map(str, words)], cwd=self.folder, env={**os.environ, **self.environment}, capture_output=True, check=False)

    def sample(self, name: str, *words: str) -> None:
        done = self.run("sample", *words, "--output", self.inbox / name)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())

    def state(self) -> dict:
        """The state of the lake in force."""
        return json.loads(sorted((self.lake / "state").glob("*.json"))[-1].read_text())

    @property
    def outputs(self) -> list[str]:
        return [f"{audience}/{name}" for audience in AUDIENCES for name in OUTPUTS]

    def exports(self) -> list[pathlib.Path]:
        """The files whose content is in the lake, each content once and of its oldest file, the oldest first."""
        files: dict[str, pathlib.Path] = {}
        for path in sorted(self.inbox.rglob("*")):
            if path.is_file():
                content = sha256(path.read_bytes()).hexdigest()
                if content not in files or path.stat().st_mtime_ns < files[content].stat().st_mtime_ns:
                    files[content] = path
        return sorted((files[export["sha256"]] for export in self.state()["exports"]), key=self.rank)

    def rank(self, path: pathlib.Path) -> tuple[int, int, int, str]:
        """Which of two exports is later, by what is read of the undivided file."""
        content = path.read_bytes()
        digest = sha256(content).hexdigest()
        if digest not in self.ages:
            done = self.run("facts", path, "--key-file", self.key)
            if done.returncode != 0:
                raise RuntimeError(done.stderr.decode())
            summary = json.loads(done.stdout.splitlines()[-1][1:])
            self.ages[digest] = summary.get("newestUpdate", summary.get("newestDay", 0) * 86_400_000_000)
        return self.ages[digest], path.stat().st_mtime_ns, len(content), digest

    def differing(self, revise: bool = False) -> list[str]:
        """The published files that differ from those of this machine alone, after a night of the job.

        Those of staff have the bytes of one scan of all exports; those of the release, of `tripkpi run` night after night, but for the
        id of the run. `refusal` is the exit code that the job must have had: not 0 if nothing may be released yet."""
        found = self.differing_from_scan(("staff",))
        reports = self.folder / "local/reports"
        store = ["--store", self.folder / "local/store.sqlite", "--reports", reports]
        done = self.run("run", "--inbox", self.inbox, *store, "--key-file", self.key)
        # 65: an export was refused; the others are published.
        if done.returncode not in (0, 65):
            raise RuntimeError(done.stderr.decode())
        if revise:
            done = self.run("publish", "--revise", *store, "--key-file", self.key)
            if done.returncode != 0:
                raise RuntimeError(done.stderr.decode())
        current = reports / "release/current"
        self.refusal = 0 if current.exists() else 65
        if not current.exists():
            return found + [f"release/{name}" for name in OUTPUTS if (self.out / "release" / name).exists()]
        for name in OUTPUTS:
            local = current / name
            if name == "kpi.xlsx":
                local = self.folder / "local/kpi.xlsx"
                done = self.run("report", *store, "--audience", "release", "--quiet", "--output", local)
                if done.returncode != 0:
                    raise RuntimeError(done.stderr.decode())
            run = json.loads((current / "manifest.json").read_text())["runId"]
            if without_run(local, run) != without_run(self.out / "release" / name, "scan"):
                found.append(f"release/{name}")
        return found

    def differing_from_scan(self, audiences: tuple[str, ...] = AUDIENCES) -> list[str]:
        """The published files that do not have the bytes of one scan of all exports: none for staff; none of a first night either, if all
        months are closed."""
        exports, found = self.exports(), []
        for audience in audiences:
            for name in OUTPUTS:
                local = self.folder / "local" / audience / name
                local.parent.mkdir(parents=True, exist_ok=True)
                done = self.run("scan", *exports, "--audience", audience, "--quiet", "--output", local)
                if done.returncode != 0:
                    raise RuntimeError(done.stderr.decode())
                if local.read_bytes() != (self.out / audience / name).read_bytes():
                    found.append(f"{audience}/{name}")
        return found


def without_run(path: pathlib.Path, run: str) -> dict[str, bytes]:
    """The bytes of a file, of a workbook those of its parts, without the id of the run that made it."""
    if path.suffix != ".xlsx":
        return {"": path.read_bytes().replace(run.encode(), b"RUN")}
    with zipfile.ZipFile(path) as parts:
        return {name: re.sub(rb"(>|Run )(report|scan)(<|&)", rb"\1RUN\3", parts.read(name)) for name in parts.namelist()}
