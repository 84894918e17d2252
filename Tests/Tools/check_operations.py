#!/usr/bin/env python3
"""Hold what operators meet to their own tools: promtool, systemd-analyze, jq, and an installation in a folder of its own.

What needs a tool that this machine lacks, and that scripts/bootstrap.sh could not install, is skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nightly_site import ROOT, Checks

UNITS = sorted((ROOT / "data" / "systemd").glob("tripkpi*"))
# Of 100; systemd calls up to 20 "OK", and an unhardened service has 96.
HIGHEST_EXPOSURE = 10
# In tenths: 2.0, since it answers on a port.
HIGHEST_EXPOSURE_OF_API = 20

checks = Checks()
# Where scripts/bootstrap.sh puts promtool.
os.environ["PATH"] += f"{os.pathsep}{ROOT / '.build/tools'}"


def expect(what, is_right, detail=""):
    checks.hold(what, None if is_right else detail.strip() or "it does not hold")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **options)


def has(tool, package, what):
    if shutil.which(tool):
        return True
    checks.skip(what, f"there is no {tool} (Debian: {package})")
    return False


def check_metrics():
    if not has("promtool", "prometheus", "promtool check metrics"):
        return
    text = (ROOT / "Tests/OperationsTests/Snapshots/tripkpi.prom").read_text()
    result = run("promtool", "check", "metrics", input=text)
    expect("promtool check metrics", result.returncode == 0, result.stdout + result.stderr)
    # The check itself can fail.
    wrong = run("promtool", "check", "metrics", input=text.replace("_seconds", "_days"))
    expect("promtool notices a unit that is not a base unit", wrong.returncode != 0)


def check_log():
    line = (ROOT / "Tests/OperationsTests/Snapshots/run.jsonl").read_text()
    if shutil.which("jq"):
        result = run("jq", "-er", '.event, (.read == .added + .rejected), (keys_unsorted | join(" "))', input=line)
        answer = result.stdout.split("\n")
    else:
        row = json.loads(line)
        answer = [row["event"], str(row["read"] == row["added"] + row["rejected"]).lower(), " ".join(row)]
    expect("a line of the log is an object", answer[:2] == ["export.loaded", "true"], str(answer))
    expect("its keys are in their order", answer[2].startswith("ts level event run_id file "), str(answer))


def check_units():
    if not has("systemd-analyze", "systemd", "the systemd units"):
        return
    with tempfile.TemporaryDirectory() as folder:
        for unit in UNITS:
            # verify looks for the program; any will do.
            Path(folder, unit.name).write_text(unit.read_text().replace("/usr/local/bin/tripkpi", "/bin/true"))
        for unit in UNITS:
            result = run("systemd-analyze", "verify", "--man=no", str(Path(folder, unit.name)))
            expect(f"systemd-analyze verify {unit.name}", result.returncode == 0, result.stdout + result.stderr)
        for name, highest in (("tripkpi.service", HIGHEST_EXPOSURE), ("tripkpi@.service", HIGHEST_EXPOSURE),
                              ("tripkpi-serve.service", HIGHEST_EXPOSURE_OF_API),
                              ("tripkpi-digest@.service", HIGHEST_EXPOSURE_OF_API)):
            service = str(Path(folder, name))
            result = run("systemd-analyze", "security", "--offline=yes", f"--threshold={highest}", "--no-pager", service)
            print([line for line in result.stdout.splitlines() if "Overall exposure" in line][-1].strip())
            expect(f"exposure of {name}", result.returncode == 0, result.stdout)


def directives(name, *left_out):
    """The lines of a unit's [Service] that no setting of the site changes, without those of the keys left out."""
    text = (ROOT / "data/systemd" / name).read_text().split("[Service]", 1)[1]
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [line for line in lines if line.split("=", 1)[0] not in left_out]


def check_template():
    """tripkpi@.service is tripkpi.service for another command: the same user, key, folders and sandbox."""
    own = ("ExecStart", "Environment", "Restart", "RestartSec", "RestartPreventExitStatus")
    expect("tripkpi@.service has the sandbox of tripkpi.service",
           directives("tripkpi.service", *own) == directives("tripkpi@.service", *own),
           str(set(directives("tripkpi.service", *own)) ^ set(directives("tripkpi@.service", *own))))
    hidden = " ".join(line for line in directives("tripkpi-digest@.service")
                      if line.startswith(("InaccessiblePaths", "TemporaryFileSystem", "BindReadOnlyPaths", "DynamicUser")))
    for word in ("/etc/tripkpi/tripkpi.key", "TemporaryFileSystem=/var/lib/tripkpi:ro", "DynamicUser=yes", "published/release"):
        expect(f"the digest unit has {word}", word in hidden, hidden)
    names = re.findall(r"^OnFailure=(.*)$", (ROOT / "data/systemd/tripkpi.service").read_text(), re.MULTILINE)
    expect("the digest unit names the published sets", any(
        "TRIPKPI_REPORTS=/var/lib/tripkpi/reports/published" in line.removeprefix("Environment=").split()
        for line in directives("tripkpi-digest@.service")))
    expect("a failed run starts the digest", "tripkpi-digest@%n.service" in " ".join(names), str(names))


def seconds(text):
    """A time of systemd: 10min, 4h, 5s."""
    return sum(int(number) * {"s": 1, "min": 60, "h": 3600}[unit] for number, unit in re.findall(r"(\d+)(s|min|h)", text))


def check_start_limits():
    """A unit that fails for ever must reach its limit: only then systemd reports it."""
    for name in ("tripkpi.service", "tripkpi-serve.service"):
        text = (ROOT / "data/systemd" / name).read_text()
        value = {key: found[1] for key in ("StartLimitIntervalSec", "StartLimitBurst", "RestartSec", "TimeoutStartSec",
                                           "RestartPreventExitStatus")
                 if (found := re.search(rf"^{key}=(.*)$", text, re.MULTILINE))}
        missing = {"StartLimitIntervalSec", "StartLimitBurst"} - set(value)
        expect(f"{name} has a limit of starts", not missing, str(missing))
        if missing:
            continue
        # Type=exec: the start itself takes no time.
        longest = seconds(value["RestartSec"]) + seconds(value.get("TimeoutStartSec", "0s"))
        expect(f"{name} reaches it", int(value["StartLimitBurst"]) * longest < seconds(value["StartLimitIntervalSec"]), str(value))
        expect(f"{name} does not repeat 73", "73" in value["RestartPreventExitStatus"].split(), str(value))
    for page in ("docs/nightly.md", "docs/operations.md", "docs/alerts.md", "data/systemd/README.md"):
        expect(f"{page} has reset-failed", "systemctl reset-failed" in (ROOT / page).read_text())


def check_installation():
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DESTDIR": folder, "PREFIX": "/opt/tripkpi"}
        environment.pop("TRIPKPI_DATA", None)
        installed = run(str(ROOT / "scripts/install.sh"), "install", env=environment)
        expect("install", installed.returncode == 0, installed.stderr)
        size = Path(folder, "opt/tripkpi/bin/tripkpi").stat().st_size
        expect("the installed program is small, without symbols", size < 40_000_000, f"it has {size} bytes")
        root = Path(folder, "opt/tripkpi")
        own = {name: value for name, value in environment.items() if not name.startswith("TRIPKPI")}
        own["LC_ALL"] = "C.UTF-8"
        doctor = run(str(root / "bin/tripkpi"), "doctor", env=own, cwd=folder)
        expect("doctor of the installed program", doctor.returncode == 0, doctor.stdout + doctor.stderr)
        share = str(root / "share/tripkpi")
        expect("its data folder is the installed one", share in doctor.stdout, doctor.stdout)
        service = (root / "lib/systemd/system/tripkpi.service").read_text()
        expect("the unit names the installed program", "ExecStart=/opt/tripkpi/bin/tripkpi run" in service)
        check_run(root, service, own)
        removed = run(str(ROOT / "scripts/install.sh"), "uninstall", env=environment)
        left = [str(path) for path in Path(folder).rglob("*") if path.is_file()]
        expect("uninstall leaves nothing", removed.returncode == 0 and not left, "\n".join(left))


def check_run(root, service, environment):
    """The command of the installed unit, in a place of its own: a night with nothing but what was installed."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder)
        for part in ("etc", "state/inbox", "credentials", "textfile"):
            (site / part).mkdir(parents=True)
        key = site / "credentials/tripkpi.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o400)
        state, figures = site / "state", site / "textfile/tripkpi.prom"
        (site / "etc/tripkpi.yaml").write_text(
            f"inbox: {state}/inbox\nstore: {state}/store/tripkpi.sqlite\nreports: {state}/reports\n"
            f"metrics_file: {figures}\nzone: America/New_York\n", encoding="utf-8")
        program = str(root / "bin/tripkpi")
        made = run(program, "sample", "--rows", "500", "--output", str(state / "inbox/trips.csv"), env=environment)
        expect("a sample of the installed program", made.returncode == 0, made.stderr)
        command = re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)[1]
        command = command.replace("/opt/tripkpi/bin/tripkpi", program).replace("/etc/tripkpi", f"{site}/etc").split()
        settings = re.search(r"^Environment=(.*)$", service, re.MULTILINE)[1].replace("%d", str(key.parent)).split()
        night = {**environment, **dict(setting.split("=", 1) for setting in settings),
                 "CREDENTIALS_DIRECTORY": str(key.parent), "TRIPKPI_LOG_FORMAT": "json",
                 "TRIPKPI_RELEASE_APPROVAL": "never"}
        ran = run(*command, env=night, cwd=state)
        expect("the unit's command", ran.returncode == 0, ran.stdout + ran.stderr)
        for audience in ("release", "staff"):
            expect(f"it publishes for {audience}", (state / f"reports/{audience}/current/manifest.json").is_file())
        expect("it makes no key where one is given", not list(state.rglob("*.key")))
        events = [json.loads(line) for line in ran.stderr.splitlines()]
        names = [event["event"] for event in events]
        expect("its log tells the whole night", names[0] == "run.started" and names[-1] == "run.finished"
               and {"lock.taken", "export.loaded", "stage.done", "publish.done"} <= set(names), str(names))
        done = names.index("publish.done")
        expect("the run's id stands in every line once it is known",
               all(event.get("run_id") == events[done]["publication_id"] for event in events[done:]), ran.stderr)
        if has("jq", "jq", "jq reads the log"):
            result = run("jq", "-es", 'map(select(.event == "export.loaded")) | .[0].read > 0', input=ran.stderr)
            expect("jq reads the log", result.returncode == 0, result.stderr)
        if has("promtool", "prometheus", "promtool check metrics of the run"):
            result = run("promtool", "check", "metrics", input=figures.read_text())
            expect("promtool check metrics of the run", result.returncode == 0, result.stdout + result.stderr)
        expect("the figures are for the user and the group", figures.stat().st_mode & 0o777 == 0o640)
        doctor = run(*[word.replace("run", "doctor") if word == "run" else word for word in command], env=night,
                     cwd=state)
        expect("doctor finds nothing that fails", doctor.returncode == 0, doctor.stdout + doctor.stderr)


check_metrics()
check_log()
check_units()
check_template()
check_start_limits()
check_installation()
sys.exit(checks.end())
