#!/usr/bin/env python3
"""Draws what a program printed on a terminal as an SVG.

    terminal_picture.py OUTPUT.svg [--lines N] -- COMMAND…

The command runs on a real (pseudo) terminal of 80 columns, so it prints what a person would see; bold is drawn as bold.
Each character has its cell of the grid, so that columns stand below each other in any font.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from html import escape

WIDTH, LINE, SIZE, MARGIN = 8.4, 18, 14, 16
COLUMNS = 80


def printed(command):
    """What the command writes to a terminal, its messages left out."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.DEVNULL, env=environment)
    os.close(follower)
    output = b""
    while True:
        try:
            part = os.read(leader, 1 << 16)
        except OSError:
            break
        if not part:
            break
        output += part
    if process.wait():
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return output.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


def drawn(lines, prompt):
    lines = [f"\x1b[1m$ {prompt}\x1b[0m", ""] + lines
    height = 2 * MARGIN + LINE * len(lines)
    width = 2 * MARGIN + WIDTH * COLUMNS
    texts = []
    for number, line in enumerate(lines):
        column, bold = 0, False
        for piece in re.split(r"(\x1b\[\d*m)", line):
            if piece.startswith("\x1b"):
                bold = piece == "\x1b[1m"
                continue
            # A run of words without wide gaps; each starts in its own cell.
            for match in re.finditer(r"\S+(?: \S+)*", piece):
                text = match.group()
                x = MARGIN + WIDTH * (column + match.start())
                y = MARGIN + LINE * (number + 0.75)
                texts.append(
                    f'<text x="{x:g}" y="{y:g}" textLength="{WIDTH * len(text):g}"'
                    + (' font-weight="bold"' if bold else "") + f">{escape(text)}</text>")
            column += len(piece)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">\n'
        f"<title>{escape(prompt)}</title>\n"
        '<rect width="100%" height="100%" rx="6" fill="#101418"/>\n'
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}" fill="#e8e8e8">\n'
        + "\n".join(texts) + "\n</g>\n</svg>\n")


def main():
    split = sys.argv.index("--")
    output, options, command = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    lines = printed(command)
    if "--lines" in options:
        count = int(options[options.index("--lines") + 1])
        lines = lines[:count] + ["…"] * (len(lines) > count)
    with open(output, "w", encoding="utf-8") as file:
        file.write(drawn(lines, " ".join([os.path.basename(command[0])] + command[1:])))


if __name__ == "__main__":
    main()
