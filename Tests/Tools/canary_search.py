"""Canaries, and the search for them in whatever form they may have taken.

A canary is a text or a number that stands in one place of an export and nowhere else. All texts begin with the same
letters and all numbers with the same digits and bytes, so that one pattern finds every one of them, and a part of one.
"""
import base64
import gzip
import io
import itertools
import pathlib
import re
import string
import zipfile
import zlib

MARK = "qzxjkvq"  # texts: this and seven letters and digits
FIRST_NUMBER = 0x51FACADE0000  # numbers: this and up to 65,535 more; 90137587220480 and so on
DIGITS = "901375872"  # how all of them begin
MAGIC = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip"}


class Canaries:
    """Makes canaries, and remembers where each was planted."""
    def __init__(self):
        self.places = {}
        self.codes = ("".join(code) for code in itertools.product(string.digits + string.ascii_lowercase, repeat=7))
        self.numbers = itertools.count(FIRST_NUMBER)

    def text(self, place):
        return self._planted(MARK + next(self.codes), place)

    def number(self, place):
        return self._planted(str(next(self.numbers)), place)

    def _planted(self, canary, place):
        self.places[canary] = place
        return canary

    def place_of(self, found):
        return next((place for canary, place in self.places.items() if canary in found.lower()), "a part of one")


def _base64_cores(text):
    """What base64 makes of a text wherever it begins, without the ends that what stands around it decides."""
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + text).rstrip(b"=")
        start, end = (0, 2, 3)[shift], len(text) + shift
        yield coded[start:end * 4 // 3 - (0 if end % 3 == 0 else 1)]


def _forms(text):
    """One canary's mark in all its forms, each a pattern and whether its letters' case counts."""
    plain = text.encode()
    yield re.escape(plain), False
    yield re.escape(plain[::-1]), False
    yield re.escape(plain.hex().encode()), False
    yield re.escape(plain.upper().hex().encode()), False
    yield b"".join(b"%%%02x" % byte for byte in plain), False
    yield b"[^0-9a-f]{1,4}".join(re.escape(b"%02x" % byte) for byte in plain), False  # hex with marks between
    yield b"\\x00".join(re.escape(b"%c" % byte) for byte in plain), False  # UTF-16 and UTF-32, either end first
    yield b"\\x00\\x00\\x00".join(re.escape(b"%c" % byte) for byte in plain), False
    for case in {plain, plain.upper(), plain.capitalize()}:
        for core in _base64_cores(case):
            yield re.escape(core), True
            yield re.escape(core.replace(b"+", b"-").replace(b"/", b"_")), True


def _pattern(forms):
    return re.compile(b"|".join(b"(?:%s)" % form if exact else b"(?i:%s)" % form for form, exact in forms))


_NUMBER_BYTES = (FIRST_NUMBER >> 16).to_bytes(4, "big")
PATTERN = _pattern([*_forms(MARK), *_forms(DIGITS), (re.escape(_NUMBER_BYTES), True),
                    (re.escape(_NUMBER_BYTES[::-1]), True)])


def _inner(content):
    """What is packed in some bytes: (name, bytes) of each part, as far as it can be unpacked."""
    kind = next((kind for magic, kind in MAGIC.items() if content.startswith(magic)), None)
    if kind == "gzip":
        inflater, whole = zlib.decompressobj(31), b""
        try:
            whole = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            try:
                whole = inflater.decompress(content)
            except zlib.error:
                pass
        yield "gunzipped", whole
    if kind == "zip":
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for name in archive.namelist():
                    yield name, name.encode() + b"\n" + archive.read(name)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError):
            return


def search_bytes(content, name, depth=0):
    """(place, what was found) for each canary in some bytes and in what is packed in them; at most ten a piece."""
    for match in itertools.islice(PATTERN.finditer(content), 10):
        around = content[max(0, match.start() - 40):match.end() + 40]
        yield f"{name}, byte {match.start()}", around.decode("latin-1")
    if depth < 4:
        for part, inner in _inner(content):
            yield from search_bytes(inner, f"{name}, {part}", depth + 1)


def search(folder, leaving_out=()):
    """(place, what was found) for each canary in the names and contents of all files of a folder."""
    folder = pathlib.Path(folder)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if name.parts[0] in leaving_out:
            continue
        try:
            own = str(name) + (f" -> {path.readlink()}" if path.is_symlink() else "")
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        except FileNotFoundError:  # of a process that still runs
            continue
        yield from search_bytes(own.encode("utf-8", "surrogateescape"), "a file's name")
        yield from search_bytes(content, str(name))


def teeth(folder):
    """Plants one canary in each form, in each kind of file, and names those that the search did not find."""
    import sqlite3
    text, number = MARK + "7a7b7c9", str(FIRST_NUMBER + 1234)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", f"<t>{text}</t>")
    plants = {f"as {case}": f"a {form} b".encode() for case, form in
              {"it is": text, "capitals": text.upper(), "title": text.title(), "reversed": text[::-1]}.items()}
    plants |= {f"base64 from {shift}": base64.b64encode(b"x" * shift + text.encode()) for shift in range(3)}
    plants |= {"base64 of capitals": base64.b64encode(b"{\"a\":\"" + text.upper().encode()),
               "hex": text.encode().hex().encode(), "hex of capitals": text.upper().encode().hex().upper().encode(),
               "hex with colons": text.encode().hex(":").encode(), "a C escape": repr(
                   "".join(f"\\x{byte:02x}" for byte in text.encode())).encode(),
               "percent": "".join(f"%{byte:02X}" for byte in text.encode()).encode(),
               "UTF-16": text.encode("utf-16"), "UTF-16BE": text.encode("utf-16-be"), "UTF-32": text.encode("utf-32"),
               "gzip": gzip.compress(text.encode()), "gzip, cut off": gzip.compress(text.encode() * 3)[:-6],
               "zip": packed.getvalue(), "zip in gzip": gzip.compress(packed.getvalue()),
               "a number": f"id={number}".encode(), "a number's bytes": int(number).to_bytes(8, "big"),
               "a number's bytes, little end first": int(number).to_bytes(8, "little"),
               "a number in base64": base64.b64encode(number.encode()), "a number in UTF-16": number.encode("utf-16")}
    folder = pathlib.Path(folder)
    for number_of, (what, content) in enumerate(plants.items()):
        (folder / f"plant-{number_of}").write_bytes(b"before\n" + content + b"\nafter" if what not in MAGIC.values(
        ) and not what.startswith(("gzip", "zip")) else content)
    with sqlite3.connect(folder / "plant.sqlite") as store:
        store.execute("CREATE TABLE t (a)")
        store.executemany("INSERT INTO t VALUES (?)", [(text,), (int(number),)])
    store.close()
    (folder / "plant-link").symlink_to(text)
    (folder / f"plant-{text}").write_bytes(b"")
    found = {place.split(",")[0] for place, _ in search(folder)}
    missed = [what for number_of, what in enumerate(plants) if f"plant-{number_of}" not in found]
    names = sum(1 for place, _ in search(folder) if place.startswith("a file's name"))
    return missed + [what for what, isMissed in (("SQLite", "plant.sqlite" not in found), ("names", names != 2)) if
                     isMissed], len(plants) + 2
