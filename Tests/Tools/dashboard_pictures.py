#!/usr/bin/env python3
"""Pictures of dashboard.html, to be looked at: wide and narrow, light and dark, forced colours, print.

    dashboard_pictures.py PAGE.html FOLDER [PREFIX]

`make(page, folder, prefix)` is the same for other scripts; it returns the files it wrote. Needs chromium, playwright
and, for the print, pdftoppm (Debian: poppler-utils; without it the PDF alone is written).
"""
import shutil
import subprocess
import sys
from pathlib import Path

from dashboard_browser import browser

# Name, width, what the browser says the reader prefers, what is chosen, and whether the whole page is taken.
VIEWS = [
    ("1280-light", 1280, {}, "", True),
    ("1280-dark", 1280, {"color_scheme": "dark"}, "", True),
    ("1280-chosen", 1280, {}, "#month=2025-03&region=North&type=Emergency", True),
    ("320-light", 320, {}, "", True),
    ("1280-forced-colours", 1280, {"forced_colors": "active"}, "", True),
    ("1280-top", 1280, {}, "", False),
    ("1280-dark-top", 1280, {"color_scheme": "dark"}, "#month=2025-03", False),
    ("320-top", 320, {}, "", False),
]


def make(page, folder, prefix="dash"):
    """Writes PNGs of a page, and its print, into a folder; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    address = Path(page).resolve().as_uri()
    written = []
    with browser() as opened:
        for name, width, prefers, chosen, is_whole in VIEWS:
            context = opened.new_context(viewport={"width": width, "height": 900}, **prefers)
            view = context.new_page()
            view.goto(address + chosen)
            path = folder / f"{prefix}-{name}.png"
            view.screenshot(path=path, full_page=is_whole)
            written.append(path)
            if name == "1280-light":
                pdf = folder / f"{prefix}-print.pdf"
                view.pdf(path=pdf, prefer_css_page_size=True)
                written.append(pdf)
            context.close()
    for old in folder.glob(f"{prefix}-print-*.png"):
        old.unlink()
    if shutil.which("pdftoppm"):
        subprocess.run(["pdftoppm", "-r", "60", "-png", str(pdf), str(folder / f"{prefix}-print")], check=True)
        written += sorted(folder.glob(f"{prefix}-print-*.png"))
    return written


if __name__ == "__main__":
    for path in make(sys.argv[1], sys.argv[2], *sys.argv[3:4]):
        print(path)
