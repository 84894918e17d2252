#!/usr/bin/env python3
"""A picture of the top of each sheet of a workbook: LibreOffice prints it, pdftoppm draws the first page of each sheet.

    workbook_pictures.py WORKBOOK.xlsx FOLDER PREFIX [--only SHEET]…

Needs soffice and poppler-utils. Each sheet is printed by itself, so a picture is found without looking at the print.
"""
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import openpyxl

warnings.filterwarnings("ignore", module="openpyxl")


def pages(path, folder):
    """The print of the whole workbook and, for each sheet, its first page."""
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf", "--outdir",
         str(folder), str(path)], check=True, capture_output=True, timeout=240)
    print_out = Path(folder) / (Path(path).stem + ".pdf")
    text = subprocess.run(["pdftotext", "-layout", str(print_out), "-"], check=True, capture_output=True, text=True)
    return print_out, text.stdout.split("\f")


def title_of(sheet):
    return str(sheet["A1"].value)


def make(path, folder, prefix, only=()):
    folder = Path(folder)
    written = []
    with tempfile.TemporaryDirectory() as scratch:
        print_out, texts = pages(path, scratch)
        page = 0
        for sheet in openpyxl.load_workbook(path):
            # The next page that begins with the sheet's title is its first one.
            while page < len(texts) and title_of(sheet) not in " ".join(texts[page].split("\n")[:6]):
                page += 1
            if page == len(texts):
                sys.exit(f"{path}: the sheet {sheet.title} is not in the print")
            if not only or sheet.title in only:
                name = re.sub(r"[^a-z0-9]+", "-", sheet.title.lower()).strip("-")
                target = folder / f"{prefix}-{name}"
                subprocess.run(
                    ["pdftoppm", "-r", "66", "-f", str(page + 1), "-l", str(page + 1), "-singlefile", "-png",
                     str(print_out), str(target)], check=True)
                written.append(target.with_suffix(".png"))
            page += 1
    return written


if __name__ == "__main__":
    wanted = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--only"]
    for picture in make(sys.argv[1], sys.argv[2], sys.argv[3], wanted):
        print(picture)
