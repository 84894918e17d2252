"""The formulas of workbooks, calculated again by LibreOffice: those of all workbooks of a check in one start of it, which takes
longer than a workbook does."""
import re
import subprocess
import tempfile
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

from nightly_site import Checks, has_office

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TO_WORKBOOK = "xlsx:Calc MS Excel 2007 XML"


def converted(paths, form, folder):
    """The files as LibreOffice saves them in the other form, in their order; None: it saved none."""
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", form, "--outdir", f"{folder}/out",
         *map(str, paths)], check=True, capture_output=True, timeout=60 + 30 * len(paths))
    made = [Path(folder) / "out" / f"{Path(path).stem}.{form.split(':')[0]}" for path in paths]
    return [path if path.exists() else None for path in made]


def sheets(path):
    """Name and XML of each sheet; a part that is no sheet is not read."""
    with zipfile.ZipFile(path) as archive:
        names = [sheet.get("name") for sheet in xml.fromstring(archive.read("xl/workbook.xml")).iter(MAIN + "sheet")]
        return [(name, archive.read(f"xl/worksheets/sheet{number}.xml")) for number, name in enumerate(names, 1)]


def values(path):
    """By sheet and place: the formula of a cell, or None, and its value; only of cells with a formula or an error."""
    found = {}
    for name, content in sheets(path):
        for cell in xml.fromstring(content).iter(MAIN + "c"):
            formula, value, kind = cell.find(MAIN + "f"), cell.findtext(MAIN + "v"), cell.get("t", "n")
            if formula is not None or kind == "e":
                is_number = kind == "n" and value not in (None, "")
                found[name, cell.get("r")] = (None if formula is None else formula.text or "",
                                              float(value) if is_number else value or "", kind == "e")
    return found


def close(one, other):
    return isinstance(one, float) and isinstance(other, float) and abs(one - other) <= 1e-9 * max(1, abs(other))


class Recalculation:
    """Gathers workbooks; `finish` has them calculated, and holds each formula to the value that the workbook has with it."""
    def __init__(self):
        self.made, self.waiting = tempfile.TemporaryDirectory(prefix="tripkpi-formulas-"), []
        self.folder = Path(self.made.name)

    def add(self, path, name=None):
        """How many formulas there are. The workbook is copied: it may be written anew before the others are there."""
        cached, bare = values(path), self.folder / f"{len(self.waiting)}.xlsx"
        with zipfile.ZipFile(path) as archive, zipfile.ZipFile(bare, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
            for part in archive.namelist():
                content = archive.read(part)
                if part.startswith("xl/worksheets/"):
                    # Without the values, so that LibreOffice cannot pass those on.
                    content = re.sub(rb"(</f>|<f[^>]*/>)<v>[^<]*</v>", rb"\1", content)
                copy.writestr(part, content)
        self.waiting.append((name or Path(path).name, bare, cached))
        return sum(formula is not None for formula, *_ in cached.values())

    def finish(self, checks):
        """How many formulas were calculated."""
        count = 0
        if self.waiting and not has_office():
            for name, *_ in self.waiting:
                Checks.skip(f"formulas of {name}", "there is no soffice to recalculate them (Debian: libreoffice-calc)")
        elif self.waiting:
            made = converted([bare for _, bare, _ in self.waiting], TO_WORKBOOK, self.folder)
            for (name, _, cached), path in zip(self.waiting, made):
                count += compare(checks, name, cached, path)
        self.made.cleanup()
        return count


def compare(checks, name, cached, path):
    checks.hold(f"{name}: LibreOffice opens it", path is None and "it saved nothing")
    if path is None:
        return 0
    calculated, count = values(path), 0
    for (sheet, place), (formula, wanted, _) in cached.items():
        if formula is not None:
            count += 1
            _, got, _ = calculated.get((sheet, place), (None, None, False))
            checks.hold(f"{name}: {sheet}!{place} ={formula}", not (got == wanted or close(got, wanted))
                             and f"LibreOffice {got!r}, cached {wanted!r}")
    for (sheet, place), (_, value, is_error) in calculated.items():
        checks.hold(f"{name}: {sheet}!{place}", is_error and str(value))
    print(f"{name}: {count} formulas recalculated")
    return count


# Of the check that runs.
recalculation = Recalculation()
