"""The sample outputs of reports/sample are what the program writes now, to the byte.

Workbooks are compared by their members: another version of zlib packs the same bytes differently.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "reports" / "sample"
passed = failed = 0


def check(is_right, message):
    global passed, failed
    if is_right:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {message}")


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def contents(path):
    """Name and bytes of each part of a file, in order."""
    if path.suffix != ".xlsx":
        return [(path.name, path.read_bytes())]
    with zipfile.ZipFile(path) as archive:
        return [(member.filename, archive.read(member)) for member in archive.infolist()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder)
        subprocess.run([ROOT / "scripts" / "samples.sh", made], check=True, env=os.environ)
        check(files(COMMITTED) == files(made), f"other files: {set(files(COMMITTED)) ^ set(files(made))}")
        for name in files(made):
            before = contents(COMMITTED / name) if (COMMITTED / name).exists() else []
            after = contents(made / name)
            check([part for part, _ in before] == [part for part, _ in after], f"{name} has other parts")
            for (part, old), (_, new) in zip(before, after):
                check(old == new, f"{name}: {part} differs; if the change is intended, run `make samples`")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
