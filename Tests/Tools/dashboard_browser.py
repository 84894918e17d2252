"""The installed chromium, driven by playwright: what the checks and the pictures of dashboard.html run in."""
import shutil
from contextlib import contextmanager

from playwright.sync_api import sync_playwright


def executable():
    """The path of Debian's chromium, or None: playwright's own download is not used."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def browser():
    """A browser without a window; closed at the end."""
    with sync_playwright() as driver:
        # Root, as in containers, has no sandbox. Nothing but our own page is opened.
        opened = driver.chromium.launch(executable_path=executable(), args=["--no-sandbox", "--disable-gpu"])
        try:
            yield opened
        finally:
            opened.close()


def open_anew(page, address):
    """Opens the address as a link from elsewhere does. `goto` to another hash of the same page would only send it an event,
    and the next line could come before the event."""
    page.goto("about:blank")
    page.goto(address)
