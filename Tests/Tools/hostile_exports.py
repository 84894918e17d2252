"""Small made-up exports, each with one kind of damage that the test files of other projects hold.

No byte is copied from those projects: `SOURCES` says where each kind of damage was found, and every trip here is made
up. `KINDS` is the table; a kind makes its bytes when it is asked to, because some are large.
"""
import bz2
import gzip
import io
import json
import lzma
import random
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Callable, Optional

# Where each kind of damage was found, by the name that the table uses.
SOURCES = {
    "duckdb": "duckdb/duckdb: data/csv (afl, auto, comments, error, rejects, test, unquoted_escape), test/sql/copy/csv",
    "papaparse": "mholt/PapaParse: tests/test-cases.js, tests/*.csv",
    "rust-csv": "BurntSushi/rust-csv: csv-core/src/reader.rs",
    "pandas": "pandas-dev/pandas: pandas/tests/io/parser",
    "clickhouse": "ClickHouse/ClickHouse: tests/queries/0_stateless/data_csv",
    "csv-spectrum": "max-mapper/csv-spectrum: csvs",
    "csv-test": "gebi/csv-test: evil.csv",
    "rvl": "cmdrvl/rvl: tests/fixtures/corpus",
    "json-suite": "nst/JSONTestSuite: test_parsing",
    "gzip": "RFC 1952: members, header fields, trailers",
    "field": "faults that this project met itself",
}
HEADER = "trip_id,status,trip_type,region,unit_notified_at,completed_at,cost,loaded_miles,patient_id,notes"
NAMES = HEADER.split(",")
COUNT = 200  # one bad record is less than `max_reject` (1 %)
REGIONS = ["North", "South", "East", "West"]


@dataclass
class Kind:
    name: str
    source: str
    make: Callable[[], bytes]
    suffix: str = "csv"
    # Records that every reader of the file counts, as trips or as rejects; None: readers may differ.
    reads: Optional[int] = None
    # Whether a reader must refuse the file or say where records may have vanished.
    hides: bool = False


def trip(number):
    """One made-up trip, field by field."""
    day = number % 28 + 1
    return [f"ZZQ{number:05d}", "completed", ("Emergency", "Routine")[number % 2], REGIONS[number % 4],
            f"2026-02-{day:02d} 08:00:00", f"2026-02-{day:02d} 08:{30 + number % 29}:00", f"{100 + number % 50}.25",
            f"{number % 40}.5", f"ZZP{number % 90:04d}", f"made-up note {number}"]


def records(count=COUNT, delimiter=","):
    return [delimiter.join(trip(number)) for number in range(count)]


def text(lines, header=HEADER, end="\n", last=None):
    """Header and lines as bytes; `last` is what the last line ends with."""
    whole = end.join([header, *lines] if header is not None else lines)
    return (whole + (end if last is None else last)).encode("utf-8", "surrogatepass")


def field(name, value, at=100, count=COUNT, end="\n"):
    """An export in which one record has `value`, raw, in one field."""
    lines = records(count)
    fields = trip(at)
    fields[NAMES.index(name)] = value
    lines[at] = ",".join(fields)
    return text(lines, end=end)


def fields(name, value, count=COUNT):
    """An export in which every record has `value(number)`, raw, in one field."""
    lines = []
    for number in range(count):
        one = trip(number)
        one[NAMES.index(name)] = value(number)
        lines.append(",".join(one))
    return text(lines)


def line(value, at=100, instead=True, end="\n", count=COUNT):
    """An export with `value` as line `at`, instead of a record or before it."""
    lines = records(count)
    lines[at:at + instead] = [value]
    return text(lines, end=end)


def stray(*places, count=COUNT):
    """An export in which a quote opens the notes of the first of two records and closes those of the second."""
    lines = []
    for number in range(count):
        one = trip(number)
        for first, last in places:
            one[-1] = '"' + one[-1] if number == first else one[-1] + '"' if number == last else one[-1]
        lines.append(",".join(one))
    return text(lines)


def raw(content):
    return lambda: content


def encoded(codec, mark=b"", lines=None):
    return lambda: mark + text(lines or records()).decode().encode(codec, "replace")


def noise(count, seed=7):
    return random.Random(seed).randbytes(count)


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trips.csv", text(records()))
    return file.getvalue()


def members(*contents):
    return b"".join(gzip.compress(content, mtime=0) for content in contents)


def gzip_header(flags, more=b""):
    """A gzip file whose header has these flags and what goes with them."""
    whole = gzip.compress(text(records()), mtime=0)
    return whole[:3] + bytes([flags]) + whole[4:10] + more + whole[10:]


def raw_member(content):
    """A gzip member with a wrong CRC."""
    packer = zlib.compressobj(wbits=-15)
    body = packer.compress(content) + packer.flush()
    return b"\x1f\x8b\x08" + bytes(7) + body + struct.pack("<II", 1, len(content))


def as_object(number, **more):
    return {**dict(zip(NAMES, trip(number))), **more}


def array(*extra, count=COUNT):
    """A JSON array of trips, with raw elements after the tenth."""
    elements = [json.dumps(as_object(number)) for number in range(count)]
    return ("[" + ",\n".join(elements[:10] + list(extra) + elements[10:]) + "]\n").encode("utf-8", "surrogatepass")


def ndjson(*extra, count=COUNT, end="\n"):
    """One trip a line, with raw lines after the tenth."""
    lines = [json.dumps(as_object(number)) for number in range(count)]
    return (end.join(lines[:10] + list(extra) + lines[10:]) + end).encode("utf-8", "surrogatepass")


def member(key, value, at=10):
    """A raw JSON object that has one more key, or the same key again, with a raw value."""
    return json.dumps(as_object(at))[:-1] + f", {key}: {value}}}"


def with_value(key, value, at=300):
    """A raw JSON object in which `key` has a raw value."""
    one = as_object(at)
    one[key] = "@@"
    return json.dumps(one).replace('"@@"', value)


LF, CR, CRLF = "\n", "\r", "\r\n"
LONG = "long made-up note " * 12_000  # 216 KB
ALL_QUOTED = [",".join(f'"{value}"' for value in trip(number)) for number in range(COUNT)]
BOM = b"\xef\xbb\xbf"
WIDE = 400_000

QUOTES = [
    Kind("quoted delimiter", "csv-spectrum", lambda: field("notes", '"a, b"'), reads=COUNT),
    Kind("quoted line feed", "csv-spectrum", lambda: field("notes", '"a\nb"'), reads=COUNT),
    Kind("quoted CRLF", "csv-spectrum", lambda: field("notes", '"a\r\nb"', end=CRLF), reads=COUNT),
    Kind("quoted CR", "papaparse", lambda: field("notes", '"a\rb"'), reads=COUNT),
    Kind("escaped quotes", "csv-spectrum", lambda: field("notes", '"a ""b"" c"'), reads=COUNT),
    Kind("escaped quotes at both ends", "papaparse", lambda: field("notes", '"""a"""'), reads=COUNT),
    Kind("JSON in a field", "csv-spectrum", lambda: field("notes", '"{""a"": ""b, c""}"'), reads=COUNT),
    Kind("quotes and line feeds", "csv-spectrum", lambda: field("notes", '"a ""\nb"""'), reads=COUNT),
    Kind("quoted field that is empty", "papaparse", lambda: fields("notes", lambda _: '""'), reads=COUNT),
    Kind("quoted field of one blank", "rust-csv", lambda: field("notes", '" "'), reads=COUNT),
    Kind("quotes around a delimiter", "papaparse", lambda: field("notes", '""","""'), reads=COUNT),
    Kind("quotes left of a delimiter", "papaparse", lambda: field("notes", '""","'), reads=COUNT),
    Kind("quotes right of a delimiter", "papaparse", lambda: field("notes", '","""'), reads=COUNT),
    Kind("five quotes in a row", "papaparse", lambda: field("notes", '"a="""""""",b="""""'), reads=COUNT),
    Kind("quote inside a plain field", "papaparse", lambda: field("notes", 'a"b'), reads=COUNT),
    Kind("quote at the end of a plain field", "papaparse", lambda: field("status", 'completed"')),
    Kind("word in quotes in a plain field", "papaparse", lambda: field("notes", 'a "b" c'), reads=COUNT),
    Kind("blanks before the opening quote", "rust-csv", lambda: field("notes", '  "a, b"')),
    Kind("blanks after the closing quote", "papaparse", lambda: field("status", '"completed"  '), reads=COUNT),
    Kind("blanks around quotes at a line's end", "papaparse", lambda: field("notes", ' "a" '), reads=COUNT),
    Kind("text after the closing quote", "duckdb", lambda: field("status", '"completed"x')),
    Kind("text after the closing quote at a line's end", "duckdb", lambda: field("notes", '"a"b')),
    Kind("quote opened after a delimiter in quotes", "papaparse", lambda: field("status", '"a,"b')),
    Kind("quote that never closes", "duckdb", lambda: field("status", '"completed')),
    Kind("quote that never closes, in the first field", "duckdb", lambda: field("trip_id", '"ZZQ00100')),
    Kind("quote that never closes, first record", "duckdb", lambda: field("status", '"completed', at=0)),
    Kind("quote that never closes, last record", "duckdb", lambda: field("notes", '"a', at=COUNT - 1)),
    Kind("quote that never closes, then a quoted field", "duckdb",
         lambda: line('"ZZQ00100\n"ZZQ00101,completed')),
    Kind("quote as the last byte", "papaparse", lambda: text(records(), last='\n"')),
    Kind("quote as the last byte of the last field", "papaparse", lambda: text(records(), last='"')),
    Kind("one quote", "papaparse", raw(b'"')),
    Kind("two quotes", "rust-csv", raw(b'""')),
    Kind("two quotes on a line", "rust-csv", raw(b'""\n')),
    Kind("a thousand quotes", "duckdb", raw(b'"' * 1000)),
    Kind("a thousand and one quotes", "duckdb", raw(b'"' * 1001)),
    Kind("lines of quotes", "duckdb", raw(b'"\n' * 1000)),
    Kind("lines of quoted nothing", "duckdb", raw(b'"",""\n' * 1000)),
    Kind("backslash before a quote", "rust-csv", lambda: field("notes", r'"a\"b"')),
    Kind("backslash before a closing quote", "clickhouse", lambda: field("notes", '"a\\"'), reads=COUNT),
    Kind("backslash before a delimiter", "duckdb", lambda: field("notes", r"a\,b")),
    Kind("backslash before a line feed", "duckdb", lambda: field("notes", "a\\\nb")),
    Kind("backslash as the last byte", "duckdb", lambda: text(records(), last="\\")),
    Kind("single quotes", "clickhouse", lambda: fields("notes", lambda n: f"'a {n}'"), reads=COUNT),
    Kind("single quote that never closes", "clickhouse", lambda: field("notes", "'em good"), reads=COUNT),
    Kind("single quotes around a delimiter", "duckdb", lambda: field("notes", "'a, b'")),
    Kind("typographic quotes", "csv-test", lambda: field("notes", "“a”"), reads=COUNT),
    Kind("full-width quotes and commas", "csv-test", lambda: field("notes", "＂a，b＂"), reads=COUNT),
    Kind("all fields in quotes", "duckdb", lambda: text(ALL_QUOTED), reads=COUNT),
    Kind("all fields in quotes, CRLF", "duckdb", lambda: text(ALL_QUOTED, end=CRLF), reads=COUNT),
    Kind("header in quotes", "duckdb", lambda: text(records(), ",".join(f'"{n}"' for n in NAMES)), reads=COUNT),
    Kind("header with a quoted line feed", "pandas", lambda: text(records(), HEADER[:-5] + '"no\ntes"'), reads=COUNT),
    Kind("header with a quote that never closes", "pandas", lambda: text(records(), '"' + HEADER)),
    Kind("header with escaped quotes", "duckdb", lambda: text(records(), HEADER + ',"a ""b"""')),
    Kind("two stray quotes, 800 records apart", "field", lambda: stray((100, 900), count=2000), hides=True),
    Kind("two stray quotes, 3 records apart", "field", lambda: stray((100, 103), count=2000), hides=True),
    Kind("two stray quotes, in one record", "field", lambda: field("notes", '"a b"'), reads=COUNT),
    Kind("many pairs of stray quotes", "field",
         lambda: stray(*[(at, at + 4) for at in range(100, 1900, 40)], count=2000), hides=True),
    Kind("stray quotes over the last record", "field", lambda: stray((150, COUNT - 1)), hides=True),
    Kind("quote, then a NUL", "duckdb", lambda: field("notes", '"\0')),
    Kind("long quoted field", "duckdb", lambda: field("notes", f'"{LONG}"'), reads=COUNT),
    Kind("long quoted field with line feeds", "duckdb", lambda: field("notes", '"' + "a note\n" * 30_000 + '"')),
    Kind("long field of escaped quotes", "duckdb", lambda: field("notes", '"' + '""' * 50_000 + '"'), reads=COUNT),
    Kind("quote that never closes before 2 MB", "duckdb",
         lambda: field("notes", '"' + "never closed " * 160_000)),
    Kind("quoted field longer than a record may be", "duckdb", lambda: field("notes", '"' + "x" * 1_200_000 + '"')),
]

LINES = [
    Kind("CRLF", "csv-spectrum", lambda: text(records(), end=CRLF), reads=COUNT),
    Kind("CR", "clickhouse", lambda: text(records(), end=CR), reads=COUNT),
    Kind("CR and quoted line feeds", "csv-spectrum", lambda: field("notes", '"a\nb"', end=CR), reads=COUNT),
    Kind("mixed line ends", "duckdb", lambda: HEADER.encode() + b"\n" + b"".join(
        record.encode() + (b"\n", b"\r\n")[n % 2] for n, record in enumerate(records())), reads=COUNT),
    Kind("mixed line ends with CR", "duckdb", lambda: HEADER.encode() + b"\r\n" + b"".join(
        record.encode() + (b"\n", b"\r\n", b"\r")[n % 3] for n, record in enumerate(records()))),
    Kind("CR CR LF", "duckdb", lambda: text(records(), end="\r\r\n")),
    Kind("LF CR", "rust-csv", lambda: text(records(), end="\n\r")),
    Kind("no line end at the end", "duckdb", lambda: text(records(), last=""), reads=COUNT),
    Kind("CR at the end of a file with LF", "rust-csv", lambda: text(records(), last="\r"), reads=COUNT),
    Kind("blank lines between records", "rust-csv", lambda: text(records(), end="\n\n"), reads=COUNT),
    Kind("blank CRLF lines between records", "rust-csv", lambda: text(records(), end="\r\n\r\n"), reads=COUNT),
    Kind("blank mixed lines between records", "rust-csv", lambda: text(records(), end="\n\r\n\n"), reads=COUNT),
    Kind("100,000 blank lines at the end", "duckdb", lambda: text(records()) + b"\n" * 100_000, reads=COUNT),
    Kind("100,000 blank lines before the header", "duckdb", lambda: b"\n" * 100_000 + text(records())),
    Kind("blank lines before the header", "rvl", lambda: b"\n\r\n\n" + text(records()), reads=COUNT),
    Kind("2 MB of blanks on a line", "duckdb", lambda: line(" " * 2_000_000)),
    Kind("lines of blanks", "papaparse", lambda: line("   ")),
    Kind("lines of tabs", "papaparse", lambda: line("\t\t")),
    Kind("line feeds alone", "pandas", raw(b"\n" * 1000)),
    Kind("CRLFs alone", "rust-csv", raw(b"\r\n" * 1000)),
    Kind("CRs alone", "rust-csv", raw(b"\r" * 1000)),
    Kind("mixed blank lines alone", "rust-csv", raw(b"\r\n\n\r\n\n\r")),
    Kind("empty file", "papaparse", raw(b"")),
    Kind("one byte", "rust-csv", raw(b"a")),
    Kind("one blank", "rust-csv", raw(b" ")),
    Kind("one comma", "rust-csv", raw(b",")),
    Kind("commas alone", "papaparse", raw(b",,\n,,,\n" * 100)),
    Kind("one string", "papaparse", raw(b"Abc def")),
    Kind("header alone", "papaparse", lambda: text([]), reads=0),
    Kind("header alone, no line end", "papaparse", lambda: text([], last=""), reads=0),
    Kind("header and blank lines", "papaparse", lambda: text(["", "", ""]), reads=0),
    Kind("header and a line of blanks", "duckdb", lambda: text(["  "])),
    Kind("header and one record", "papaparse", lambda: text(records(1)), reads=1),
    Kind("header and one record, no line end", "papaparse", lambda: text(records(1), last=""), reads=1),
    Kind("form feed in a field", "duckdb", lambda: field("notes", "a\fb"), reads=COUNT),
    Kind("vertical tab in a field", "duckdb", lambda: field("notes", "a\vb"), reads=COUNT),
    Kind("next line (NEL) in a field", "pandas", lambda: field("notes", "a\u0085b"), reads=COUNT),
    Kind("line separator (U+2028) in a field", "pandas", lambda: field("notes", "a\u2028b"), reads=COUNT),
    Kind("unit and record separators", "rust-csv", lambda: "\x1e".join(
        ["\x1f".join(NAMES), *records(delimiter="\x1f")]).encode()),
]

WIDTHS = [
    Kind("record too short", "duckdb", lambda: line("ZZQ00100,completed"), reads=COUNT),
    Kind("record too long", "duckdb", lambda: line(",".join(trip(100)) + ",a,b"), reads=COUNT),
    Kind("record of one field", "duckdb", lambda: line("ZZQ00100"), reads=COUNT),
    Kind("records too short and too long", "duckdb",
         lambda: text([r + ",a" if n % 2 else r[:20] for n, r in enumerate(records())])),
    Kind("records without the last fields", "duckdb", lambda: text([r.rsplit(",", 4)[0] for r in records()])),
    Kind("all records end in a delimiter", "pandas", lambda: text([r + "," for r in records()])),
    Kind("header and records end in a delimiter", "field", lambda: text([r + "," for r in records()], HEADER + ","),
         reads=COUNT),
    Kind("header ends in a delimiter", "field", lambda: text(records(), HEADER + ",")),
    Kind("header ends in three delimiters", "field", lambda: text(records(), HEADER + ",,,")),
    Kind("header of four columns ends in a delimiter", "field", raw(b"id,name,lat,lon,\n1,name,0,0\n")),
    Kind("header ends in a delimiter, no record", "field", raw(b"trip_id,service_date,\n")),
    Kind("header ends in a delimiter, CR", "field", raw(b"trip_id,service_date,\rZZQ1,2026-02-01\r")),
    Kind("header ends in a tab", "field", raw(b"trip_id\tservice_date\t\nZZQ1\t2026-02-01\n")),
    Kind("header begins with a delimiter", "pandas", lambda: text(["," + r for r in records()], "," + HEADER)),
    Kind("header with a hole", "duckdb", lambda: text(records(), HEADER.replace("region", ""))),
    Kind("header of blank names", "rvl", lambda: text(records(), "," * 9)),
    Kind("header names in blanks", "duckdb", lambda: text(records(), " , ".join(NAMES)), reads=COUNT),
    Kind("header name twice", "duckdb", lambda: text([r + ",x" for r in records()], HEADER + ",notes")),
    Kind("header name of the id twice", "duckdb", lambda: text([r + ",x" for r in records()], HEADER + ",trip_id")),
    Kind("header names that collide", "duckdb", lambda: text([r + ",x,y" for r in records()],
                                                               HEADER + ",notes_1,notes")),
    Kind("header names in another case", "rvl", lambda: text(records(), HEADER.upper())),
    Kind("one column", "papaparse", lambda: text([t[0] for t in map(trip, range(COUNT))], "trip_id")),
    Kind("one column with blank lines", "papaparse", raw(b"a\nb\n\n\nc\nd\ne\n")),
    Kind("400,000 columns", "field", lambda: b"trip_id,service_date" + b",a" * WIDE + b"\nZZQ1,2026-02-01\n" * 50),
    Kind("400,000 columns without names", "field", lambda: b"," * WIDE + b"\n" + b"1,2\n" * 50),
    Kind("400,000 columns and half-open quotes", "field",
         lambda: b"trip_id,service_date" + b",a" * WIDE + b"\n" + b'x","y\n' * 20_000),
    Kind("10,000 columns after ours", "clickhouse", lambda: text(
        [r + ",1" * 10_000 for r in records(50)], HEADER + "".join(f",c{n}" for n in range(10_000))), reads=50),
    Kind("record of 100,000 delimiters", "duckdb", lambda: line("," * 100_000), reads=COUNT),
    Kind("records of delimiters", "duckdb", lambda: line("," * 9), reads=COUNT),
    Kind("header name of 500 KB", "duckdb", lambda: text([r + ",x" for r in records()], HEADER + "," + "n" * 500_000)),
    Kind("header of 2 MB", "duckdb", lambda: text([r + ",x" for r in records()], HEADER + "," + "n" * 2_000_000)),
    Kind("first line of 2 MB, no line end", "duckdb", raw(b"x" * 2_000_000)),
    Kind("last record cut in a field", "clickhouse", lambda: text(records(), last="")[:-25], reads=COUNT),
    Kind("last record cut in quotes", "clickhouse", lambda: text(ALL_QUOTED, last="")[:-5]),
    Kind("header again after each 50 records", "duckdb",
         lambda: b"".join(text(records()[at:at + 50]) for at in range(0, COUNT, 50))),
    Kind("row of units below the header", "pandas", lambda: line("-,-,-,-,UTC,UTC,USD,mi,-,-", 0, instead=False),
         reads=COUNT + 1),
    Kind("titles above the header", "duckdb", lambda: b"Trips of a week\nMade up\n\n" + text(records())),
    Kind("title with quotes above the header", "pandas", lambda: b'"Trips, of a ""week""",,\n' + text(records())),
    Kind("no header", "duckdb", lambda: text(records(), None)),
    Kind("no header, one record", "duckdb", lambda: text(records(1), None)),
    Kind("sep= above the header", "rvl", lambda: b"sep=,\n" + text(records())),
    Kind("sum below the records", "pandas", lambda: text(records()) + b"Total,,,,,,24999.50,,,\n", reads=COUNT + 1),
    Kind("words below the records", "pandas", lambda: text(records()) + b"\n(200 rows)\n", reads=COUNT + 1),
    Kind("column of numbers without a name", "pandas",
         lambda: text([f"{n},{r}" for n, r in enumerate(records())], "," + HEADER), reads=COUNT),
]

DELIMITERS = [
    Kind("semicolons", "duckdb", lambda: text(records(delimiter=";"), HEADER.replace(",", ";")), reads=COUNT),
    Kind("semicolons and decimal commas", "pandas", lambda: text(
        [";".join(trip(n)).replace(".25;", ",25;").replace(".5;", ",5;") for n in range(COUNT)],
        HEADER.replace(",", ";")), reads=COUNT),
    Kind("tabs", "clickhouse", lambda: text(records(delimiter="\t"), HEADER.replace(",", "\t")), reads=COUNT),
    Kind("tabs in a .tsv", "clickhouse",
         lambda: text(records(delimiter="\t"), HEADER.replace(",", "\t")), "tsv", COUNT),
    Kind("commas in a .tsv", "clickhouse", lambda: text(records()), "tsv"),
    Kind("pipes", "duckdb", lambda: text(records(delimiter="|"), HEADER.replace(",", "|")), reads=COUNT),
    Kind("carets", "rvl", lambda: text(records(delimiter="^"), HEADER.replace(",", "^"))),
    Kind("blanks", "clickhouse", lambda: text(records(delimiter=" "), HEADER.replace(",", " "))),
    Kind("two-byte delimiter", "duckdb", lambda: text(records(delimiter="||"), HEADER.replace(",", "||"))),
    Kind("AAB delimiter", "duckdb", lambda: text(records(delimiter="AAB"), HEADER.replace(",", "AAB"))),
    Kind("delimiter of three UTF-8 bytes", "csv-test", lambda: text(records(delimiter="，"), HEADER.replace(",", "，"))),
    Kind("commas and semicolons, as many", "rvl", lambda: text(
        [r.replace(",", ";", 5) for r in records()], HEADER.replace(",", ";", 5))),
    Kind("delimiter that changes half-way", "duckdb", lambda: text(records()[:100] + records(delimiter=";")[100:])),
    Kind("header with commas, records with semicolons", "pandas", lambda: text(records(delimiter=";"))),
    Kind("comma and blank", "rust-csv", lambda: text(records(delimiter=", "), HEADER.replace(",", ", ")), reads=COUNT),
    Kind("NUL delimiter", "duckdb", lambda: text(records(delimiter="\0"), HEADER.replace(",", "\0"))),
]

COMMENTS = [
    Kind("comment above the header", "papaparse", lambda: b"# made up\n" + text(records())),
    Kind("three comments above the header", "papaparse", lambda: b"# a\n# b\n# c\n" + text(records())),
    Kind("comment between records", "duckdb", lambda: line("# made up", instead=False), reads=COUNT + 1),
    Kind("comment after a record", "duckdb", lambda: field("notes", "a note # made up"), reads=COUNT),
    Kind("comment after the header", "duckdb", lambda: text(records(), HEADER + " # made up")),
    Kind("comment with a quote", "duckdb", lambda: line('# made "up', instead=False)),
    Kind("comment with a quote at its start", "duckdb", lambda: line('"# made up', instead=False)),
    Kind("slashes as comment", "papaparse", lambda: b"// made up\n" + text(records())),
    Kind("comment at the end", "papaparse", lambda: text(records(), last="\n# made up"), reads=COUNT + 1),
    Kind("comments alone", "papaparse", raw(b"#a\n#b\n#c")),
    Kind("one comment", "papaparse", raw(b"#commented line")),
]

ENCODINGS = [
    Kind("UTF-8 mark", "papaparse", lambda: BOM + text(records()), reads=COUNT),
    Kind("UTF-8 mark twice", "pandas", lambda: BOM * 2 + text(records())),
    Kind("UTF-8 mark before a quoted header", "pandas",
         lambda: BOM + text(records(), ",".join(f'"{n}"' for n in NAMES)), reads=COUNT),
    Kind("UTF-8 mark in quotes", "pandas", lambda: b'"' + BOM + b'trip_id"' + text(records())[7:]),
    Kind("UTF-8 mark in a field", "rust-csv", lambda: field("notes", "\ufeffa"), reads=COUNT),
    Kind("UTF-8 mark before each record", "rust-csv", lambda: text(["\ufeff" + r for r in records()])),
    Kind("UTF-8 mark alone", "pandas", raw(BOM)),
    Kind("UTF-8 mark and a line feed", "pandas", raw(BOM + b"\n")),
    Kind("half a UTF-8 mark", "pandas", lambda: BOM[:2] + text(records())),
    Kind("two files with marks, joined", "rust-csv", lambda: (BOM + text(records())) * 2),
    Kind("UTF-16 little-endian", "clickhouse", encoded("utf-16-le", b"\xff\xfe"), reads=COUNT),
    Kind("UTF-16 big-endian", "clickhouse", encoded("utf-16-be", b"\xfe\xff"), reads=COUNT),
    Kind("UTF-16 little-endian without a mark", "json-suite", encoded("utf-16-le")),
    Kind("UTF-16 big-endian without a mark", "json-suite", encoded("utf-16-be")),
    Kind("UTF-16 with the other mark", "clickhouse", encoded("utf-16-le", b"\xfe\xff")),
    Kind("UTF-16 with an odd byte", "pandas", lambda: encoded("utf-16-le", b"\xff\xfe")() + b"x"),
    Kind("UTF-16 cut by a byte", "pandas", lambda: encoded("utf-16-le", b"\xff\xfe")()[:-1]),
    Kind("UTF-16 that loses a byte", "pandas",
         lambda: (lambda b: b[:5001] + b[5002:])(encoded("utf-16-le", b"\xff\xfe")())),
    Kind("UTF-16 with a lone surrogate", "json-suite", lambda: b"\xff\xfe" + field("notes", "a@b").decode().encode(
        "utf-16-le").replace(b"@\0", b"\x00\xd8")),
    Kind("UTF-16 with a surrogate at the end", "json-suite",
         lambda: encoded("utf-16-be", b"\xfe\xff")() + b"\xd8\x00"),
    Kind("UTF-16 mark alone", "pandas", raw(b"\xff\xfe")),
    Kind("UTF-16 mark and one byte", "pandas", raw(b"\xff\xfea")),
    Kind("UTF-16 with CR", "clickhouse", lambda: b"\xff\xfe" + text(records(), end=CR).decode().encode("utf-16-le")),
    Kind("UTF-16 tabs", "clickhouse", lambda: b"\xff\xfe" + text(
        records(delimiter="\t"), HEADER.replace(",", "\t"), CRLF).decode().encode("utf-16-le"), "tsv", COUNT),
    Kind("UTF-16 in gzip", "clickhouse", lambda: gzip.compress(encoded("utf-16-le", b"\xff\xfe")()), "csv.gz", COUNT),
    Kind("UTF-32 little-endian", "clickhouse", encoded("utf-32-le", b"\xff\xfe\0\0")),
    Kind("UTF-32 big-endian", "clickhouse", encoded("utf-32-be", b"\0\0\xfe\xff")),
    Kind("Latin-1", "csv-spectrum", lambda: field("notes", "é").decode().encode("latin-1"), reads=COUNT),
    Kind("Windows-1252", "duckdb", lambda: field("notes", "€").decode().encode("cp1252"), reads=COUNT),
    Kind("Shift JIS", "papaparse", encoded("shift_jis", lines=[*records(100), ",".join(trip(100)[:-1] + ["表ソ能"])])),
    Kind("GB 18030", "duckdb", encoded("gb18030", lines=[*records(100), ",".join(trip(100)[:-1] + ["表𠀀"])])),
    Kind("EBCDIC", "duckdb", encoded("cp500")),
    Kind("UTF-7", "pandas", encoded("utf-7", lines=[*records(100), ",".join(trip(100)[:-1] + ["é+"])])),
    Kind("UTF-8 of many scripts", "csv-spectrum", lambda: field("notes", "ʤ表😀é"), reads=COUNT),
    Kind("bad UTF-8 in a field", "duckdb", lambda: field("notes", "@").replace(b"@", b"\xff\xfe\x80"), reads=COUNT),
    Kind("bad UTF-8 in quotes", "duckdb", lambda: field("notes", '"@"').replace(b"@", b"\xff\xfe"), reads=COUNT),
    Kind("bad UTF-8 in quotes with a line feed", "duckdb", lambda: field("notes", '"@\nb"').replace(b"@", b"\xff"),
         reads=COUNT),
    Kind("bad UTF-8 in the header", "duckdb", lambda: text(records()).replace(b"notes\n", b"n\xffotes\n")),
    Kind("bad UTF-8 in an id", "duckdb", lambda: text(records()).replace(b"ZZQ00100", b"ZZQ\xff0100"), reads=COUNT),
    Kind("bad UTF-8 in a date", "duckdb", lambda: field("completed_at", "@").replace(b"@", b"\xc3\x28"), reads=COUNT),
    Kind("bad UTF-8 in each record", "duckdb", lambda: text(records()).replace(b"made-up", b"made\x80up"), reads=COUNT),
    Kind("UTF-8 cut at the end", "json-suite", lambda: text(records(), last="é")[:-1], reads=COUNT),
    Kind("overlong UTF-8", "json-suite", lambda: field("notes", "@").replace(b"@", b"\xc0\xaf\xe0\x80\xaf"),
         reads=COUNT),
    Kind("overlong delimiter", "json-suite", lambda: text(records()).replace(b",", b"\xc0\xac", 40)),
    Kind("UTF-8 of six bytes", "json-suite", lambda: field("notes", "@").replace(b"@", b"\xfc\x83\xbf\xbf\xbf\xbf"),
         reads=COUNT),
    Kind("UTF-8 surrogates", "json-suite", lambda: field("notes", "\ud800"), reads=COUNT),
    Kind("decomposed letters in the header", "duckdb",
         lambda: text([r + ",x" for r in records()], HEADER + ",e\u0301")),
    Kind("zero-width blanks in the header", "rvl", lambda: text(records(), HEADER.replace("trip_id", "\u200btrip_id"))),
    Kind("no-break blanks in the header", "rvl", lambda: text(records(), HEADER.replace("cost", "\u00a0cost\u00a0"))),
    Kind("right-to-left marks", "duckdb", lambda: fields("notes", lambda n: f"\u202e{n}\u202c"), reads=COUNT),
]

BYTES = [
    Kind("NUL in a field", "duckdb", lambda: field("notes", "a\0b"), reads=COUNT),
    Kind("NUL in an id", "duckdb", lambda: field("trip_id", "ZZQ\0100"), reads=COUNT),
    Kind("NUL in an amount", "duckdb", lambda: field("cost", "1\0.25"), reads=COUNT),
    Kind("NUL in the header", "duckdb", lambda: text(records(), HEADER.replace("cost", "co\0st"))),
    Kind("NUL in quotes", "duckdb", lambda: field("notes", '"a\0b"'), reads=COUNT),
    Kind("NUL first", "pandas", lambda: b"\0" + text(records())),
    Kind("NUL after each field", "duckdb", lambda: text(records()).replace(b",", b"\0,")),
    Kind("NULs at the end", "field", lambda: text(records()) + bytes(4096)),
    Kind("NULs at the end, cut record", "field", lambda: text(records())[:-30] + bytes(8192)),
    Kind("NULs in the middle", "field", lambda: (lambda b: b[:6000] + bytes(4096) + b[10096:])(text(records()))),
    Kind("NULs alone", "pandas", raw(bytes(10_000))),
    Kind("one NUL", "pandas", raw(b"\0")),
    Kind("2 MB of NULs", "field", raw(bytes(2_000_000))),
    Kind("control-Z at the end", "rvl", lambda: text(records()) + b"\x1a"),
    Kind("terminal escapes in a field", "duckdb", lambda: field("notes", "\x1b[2J\x1b]0;a\x07"), reads=COUNT),
    Kind("terminal escapes in the header", "duckdb",
         lambda: text([r + ",x" for r in records()], HEADER + ",\x1b[31mz")),
    Kind("all control bytes", "duckdb", lambda: field("notes", "".join(
        chr(n) for n in range(1, 32) if n not in (10, 13))), reads=COUNT),
    Kind("all bytes from 128", "duckdb",
         lambda: field("notes", "@").replace(b"@", bytes(range(128, 256))), reads=COUNT),
    Kind("noise", "duckdb", lambda: noise(65_536)),
    Kind("noise after a header", "duckdb", lambda: text([]) + noise(65_536)),
    Kind("noise between records", "duckdb", lambda: text(records(100)) + noise(5000) + b"\n" + text(records(100))),
    Kind("noise of quotes, delimiters and line ends", "duckdb", lambda: bytes(
        random.Random(5).choices(b'",\r\n;\t|a1 \0\xff', k=20_000))),
    Kind("the same noise after a header", "duckdb", lambda: text([]) + bytes(
        random.Random(6).choices(b'",\r\n;\t|a1 \0\xff', k=20_000))),
    Kind("picture", "field", raw(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + noise(500))),
    Kind("zip archive", "pandas", zipped),
    Kind("zip archive named .gz", "pandas", zipped, "csv.gz"),
    Kind("program", "field", raw(b"\x7fELF\x02\x01\x01" + noise(3000))),
    Kind("PDF", "field", raw(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n" + noise(500))),
    Kind("page of an error", "field", raw(b"<!DOCTYPE html>\n<html><title>503</title><p>Try, again</p></html>\n")),
    Kind("XML", "field", raw(b'<?xml version="1.0"?>\n<trips><trip id="ZZQ1"/></trips>\n')),
    Kind("SQLite database", "field", raw(b"SQLite format 3\0" + noise(5000))),
    Kind("Parquet", "field", raw(b"PAR1" + noise(3000) + b"PAR1")),
    Kind("bzip2", "pandas", lambda: bz2.compress(text(records())), "csv.bz2"),
    Kind("xz", "clickhouse", lambda: lzma.compress(text(records())), "csv.xz"),
    Kind("zstd mark", "pandas", raw(b"\x28\xb5\x2f\xfd" + noise(300)), "csv.zst"),
    Kind("pointer to large-file storage", "field", raw(b"version https://example.org/spec/v1\nsize 12\n")),
]

VALUES = [
    Kind("amounts with exponents", "field",
         lambda: fields("cost", lambda n: "1e2" if n == 7 else "12.50"), reads=COUNT),
    Kind("huge exponents", "pandas",
         lambda: fields("cost", lambda n: ("1e400", "1e-400", "-1E+99")[n % 3]), reads=COUNT),
    Kind("infinities", "pandas",
         lambda: fields("cost", lambda n: ("inf", "-Infinity", "NaN", "-0")[n % 4]), reads=COUNT),
    Kind("amounts of 100 digits", "clickhouse", lambda: fields("cost", lambda n: "9" * 100), reads=COUNT),
    Kind("amounts at 64 bits", "clickhouse", lambda: fields("cost", lambda n: (
        "92233720368547758.07", "92233720368547758.08", "-92233720368547758.08")[n % 3]), reads=COUNT),
    Kind("miles at 64 bits", "clickhouse",
         lambda: fields("loaded_miles", lambda n: "92233720368547758.07"), reads=COUNT),
    Kind("sums beyond 64 bits", "clickhouse", lambda: fields("cost", lambda n: "90000000000000000"), reads=COUNT),
    Kind("amounts with leading blanks", "duckdb", lambda: fields("cost", lambda n: "   12.5"), reads=COUNT),
    Kind("days that are none", "duckdb", lambda: fields("unit_notified_at", lambda n: (
        "2026-02-30 08:00:00", "2026-13-01", "0000-00-00", "2026-02-01 25:61:61")[n % 4]), reads=COUNT),
    Kind("one time that is none", "duckdb", lambda: field("completed_at", "2026-02-01 24:60:00"), reads=COUNT),
    Kind("years far away", "duckdb", lambda: fields("unit_notified_at", lambda n: (
        "9999-12-31 23:59:59", "0001-01-01 00:00:00", "1600-02-29 00:00:00")[n % 3]), reads=COUNT),
    Kind("years of five digits", "duckdb", lambda: fields("unit_notified_at", lambda n: "99999-01-01"), reads=COUNT),
    Kind("offsets that are none", "duckdb", lambda: fields("unit_notified_at", lambda n: "2026-02-01T08:00:00+99:99"),
         reads=COUNT),
    Kind("other orders of day and month", "duckdb", lambda: fields("unit_notified_at", lambda n: (
        "01/02/2026 08:00", "02-01-26", "2026.02.01")[n % 3]), reads=COUNT),
    Kind("words for nothing", "pandas", lambda: fields("cost", lambda n: ("NULL", "NA", "\\N", "#N/A")[n % 4]),
         reads=COUNT),
    Kind("words for nothing as ids", "pandas", lambda: fields("trip_id", lambda n: ("NULL", "NA", "")[n % 3]),
         reads=COUNT),
    Kind("ids of blanks", "pandas", lambda: field("trip_id", "   "), reads=COUNT),
    Kind("id of 900 KB", "duckdb", lambda: field("trip_id", "Z" * 900_000), reads=COUNT),
    Kind("one id 20,000 times", "field", lambda: fields("trip_id", lambda n: "ZZQ1", 20_000), reads=20_000),
    Kind("each record twice", "papaparse", lambda: text(records() * 2), reads=2 * COUNT),
    Kind("formulas", "field", lambda: fields("notes", lambda n: "=cmd|' /C a'!A0"), reads=COUNT),
    Kind("2,000 regions", "duckdb", lambda: fields("region", lambda n: f"region {n}", 2000), reads=2000),
    Kind("regions of 10 KB", "duckdb", lambda: fields("region", lambda n: "r" * 10_000), reads=COUNT),
    Kind("mixed types in a column", "clickhouse",
         lambda: fields("loaded_miles", lambda n: ("1", "x", "true", "[1]")[n % 4]),
         reads=COUNT),
    Kind("missing id in each tenth record", "duckdb", lambda: fields("trip_id", lambda n: f"ZZQ{n}" if n % 10 else "")),
]

GZIP = [
    Kind("gzip", "gzip", lambda: members(text(records())), "csv.gz", COUNT),
    Kind("gzip of two members", "gzip", lambda: members(text(records()), "\n".join(records()).encode()), "csv.gz",
         2 * COUNT),
    Kind("gzip of 2,000 members", "gzip", lambda: b"".join(
        members(text(records())[at:at + 9]) for at in range(0, len(text(records())), 9)), "csv.gz", COUNT),
    Kind("gzip with empty members", "gzip",
         lambda: members(b"", text(records())[:5000], b"", b"", text(records())[5000:],
                                                            b""), "csv.gz", COUNT),
    Kind("gzip of nothing", "gzip", lambda: members(b""), "csv.gz"),
    Kind("gzip members that part a quoted field", "gzip", lambda: (lambda b: members(
        b[:b.index(b'"') + 2], b[b.index(b'"') + 2:]))(field("notes", '"a, b"')), "csv.gz", COUNT),
    Kind("gzip cut in the middle", "gzip", lambda: (lambda b: b[:len(b) // 2])(members(text(records()))), "csv.gz"),
    Kind("gzip cut by one byte", "gzip", lambda: members(text(records()))[:-1], "csv.gz"),
    Kind("gzip cut before its trailer", "gzip", lambda: members(text(records()))[:-8], "csv.gz"),
    Kind("gzip, second member cut", "gzip", lambda: members(text(records()), text(records()))[:-20], "csv.gz"),
    Kind("gzip, second header cut", "gzip", lambda: members(text(records())) + b"\x1f\x8b", "csv.gz"),
    Kind("gzip header alone", "gzip", lambda: members(b"x")[:10], "csv.gz"),
    Kind("gzip mark alone", "gzip", raw(b"\x1f\x8b"), "csv.gz"),
    Kind("one byte of a gzip mark", "gzip", raw(b"\x1f"), "csv.gz"),
    Kind("gzip with a wrong checksum", "gzip", lambda: raw_member(text(records())), "csv.gz"),
    Kind("gzip with a wrong length", "gzip", lambda: members(text(records()))[:-4] + b"\1\2\3\4", "csv.gz"),
    Kind("gzip with a changed byte", "gzip", lambda: (lambda b: b[:900] + bytes([b[900] ^ 16]) + b[901:])(
        members(text(records()))), "csv.gz"),
    Kind("gzip with NULs after it", "gzip", lambda: members(text(records())) + bytes(512), "csv.gz"),
    Kind("gzip with noise after it", "gzip", lambda: members(text(records())) + noise(100), "csv.gz"),
    Kind("gzip with text after it", "gzip", lambda: members(text(records())) + text(records()), "csv.gz"),
    Kind("gzip of gzip", "gzip", lambda: members(members(text(records()))), "csv.gz"),
    Kind("gzip named .csv", "gzip", lambda: members(text(records())), "csv", COUNT),
    Kind("text named .gz", "gzip", lambda: text(records()), "csv.gz", COUNT),
    Kind("gzip with a name in its header", "gzip", lambda: gzip_header(8, b"trips.csv\0"), "csv.gz", COUNT),
    Kind("gzip with a name that never ends", "gzip", lambda: gzip_header(8, b"")[:10] + b"n" * 200_000, "csv.gz"),
    Kind("gzip with an extra field", "gzip", lambda: gzip_header(4, b"\4\0abcd"), "csv.gz", COUNT),
    Kind("gzip with an extra field that is cut", "gzip", lambda: gzip_header(4, b"")[:10] + b"\xff\xffab", "csv.gz"),
    Kind("gzip with reserved flags", "gzip", lambda: gzip_header(0xE0), "csv.gz"),
    Kind("gzip of another method", "gzip", lambda: b"\x1f\x8b\x07" + members(text(records()))[3:], "csv.gz"),
    Kind("gzip of 60 MB of blank lines", "gzip", lambda: members(text(records()), b"\n" * 60_000_000), "csv.gz", COUNT),
    Kind("gzip of 20 MB in quotes", "gzip", lambda: members(text(records()), b'"' + b"x" * 20_000_000), "csv.gz"),
    Kind("gzip of JSON lines", "gzip", lambda: members(ndjson()), "ndjson.gz", COUNT),
]

JSON = [
    Kind("JSON array", "json-suite", array, "json", COUNT),
    Kind("JSON lines", "json-suite", ndjson, "ndjson", COUNT),
    Kind("JSON array named .csv", "json-suite", array, "csv"),
    Kind("JSON lines named .csv", "json-suite", ndjson, "csv"),
    Kind("CSV named .json", "json-suite", lambda: text(records()), "json"),
    Kind("CSV named .ndjson", "json-suite", lambda: text(records()), "ndjson"),
    Kind("JSON lines, CRLF", "json-suite", lambda: ndjson(end="\r\n"), "ndjson", COUNT),
    Kind("JSON lines, blank lines", "json-suite", lambda: ndjson(end="\n\n \n"), "ndjson", COUNT),
    Kind("JSON lines, no line end at the end", "json-suite", lambda: ndjson()[:-1], "ndjson", COUNT),
    Kind("JSON lines, last line cut", "json-suite", lambda: ndjson()[:-20], "ndjson", COUNT),
    Kind("JSON lines, line of an array", "json-suite", lambda: ndjson('["ZZQ1", 1]'), "ndjson", COUNT + 1),
    Kind("JSON lines, line of a number", "json-suite", lambda: ndjson("17"), "ndjson", COUNT + 1),
    Kind("JSON lines, line of null", "json-suite", lambda: ndjson("null"), "ndjson", COUNT + 1),
    Kind("JSON lines, line of a cut word", "json-suite", lambda: ndjson("nul"), "ndjson"),
    Kind("JSON lines, two objects on a line", "json-suite", lambda: ndjson("{} {}"), "ndjson"),
    Kind("JSON lines with record separators", "json-suite",
         lambda: ndjson().replace(b'{"trip', b'\x1e{"trip'), "ndjson"),
    Kind("JSON lines with a mark", "clickhouse", lambda: BOM + ndjson(), "ndjson", COUNT),
    Kind("JSON lines in UTF-16", "clickhouse", lambda: b"\xff\xfe" + ndjson().decode().encode("utf-16-le"), "ndjson"),
    Kind("JSON lines in UTF-32", "clickhouse",
         lambda: b"\xff\xfe\0\0" + ndjson().decode().encode("utf-32-le"), "ndjson"),
    Kind("JSON array with a mark", "json-suite", lambda: BOM + array(), "json", COUNT),
    Kind("JSON array in UTF-16", "json-suite", lambda: b"\xfe\xff" + array().decode().encode("utf-16-be"), "json"),
    Kind("exponents", "field", lambda: ndjson(with_value("cost", "1e2"), with_value("loaded_miles", "2.5E+1", 301),
                                              with_value("cost", "12345E-2", 302)), "ndjson", COUNT + 3),
    Kind("huge exponents in JSON", "json-suite", lambda: ndjson(with_value("cost", "1e9999"), with_value(
        "cost", "-1e-9999", 301), with_value("cost", "0e99999999999999999999", 302)), "ndjson", COUNT + 3),
    Kind("100,000 digits", "json-suite", lambda: ndjson(with_value("cost", "1" * 100_000)), "ndjson", COUNT + 1),
    Kind("minus nothing", "json-suite", lambda: ndjson(with_value("cost", "-")), "ndjson"),
    Kind("leading zeros", "json-suite", lambda: ndjson(with_value("cost", "012")), "ndjson"),
    Kind("fraction without digits", "json-suite", lambda: ndjson(with_value("cost", "1.")), "ndjson"),
    Kind("hexadecimal number", "json-suite", lambda: ndjson(with_value("cost", "0x1F")), "ndjson"),
    Kind("NaN in JSON", "json-suite", lambda: ndjson(with_value("cost", "NaN")), "ndjson"),
    Kind("key twice", "json-suite", lambda: ndjson(member('"cost"', "1.25")), "ndjson", COUNT + 1),
    Kind("id twice", "json-suite", lambda: ndjson(member('"trip_id"', '"ZZQ9"')), "ndjson", COUNT + 1),
    Kind("key with an escape", "json-suite", lambda: ndjson(member(r'"trip\u005fid"', '"ZZQ9"')), "ndjson", COUNT + 1),
    Kind("key that is empty", "json-suite", lambda: ndjson(member('""', "1")), "ndjson", COUNT + 1),
    Kind("key without quotes", "json-suite", lambda: ndjson(member("a", "1")), "ndjson"),
    Kind("key that is a number", "json-suite", lambda: ndjson(member("1", "1")), "ndjson"),
    Kind("100,000 keys", "json-suite", lambda: ndjson("{" + ",".join(f'"k{n}":{n}' for n in range(100_000)) + "}"),
         "ndjson"),
    Kind("lone first surrogate", "json-suite", lambda: ndjson(with_value("notes", r'"\ud800"')), "ndjson"),
    Kind("lone second surrogate in an id", "json-suite", lambda: ndjson(with_value("trip_id", r'"\udc00a"')), "ndjson"),
    Kind("two first surrogates", "json-suite", lambda: ndjson(with_value("notes", r'"\ud800\ud800\n"')), "ndjson"),
    Kind("escape that is cut", "json-suite", lambda: ndjson(with_value("notes", r'"\u00"')), "ndjson"),
    Kind("escape that is none", "json-suite", lambda: ndjson(with_value("notes", r'"\a\x00"')), "ndjson"),
    Kind("escaped NUL in an id", "json-suite", lambda: ndjson(with_value("trip_id", r'"ZZ\u0000Q"')), "ndjson"),
    Kind("raw NUL in a string", "json-suite", lambda: ndjson(with_value("notes", '"a\0b"')), "ndjson"),
    Kind("raw control bytes in a string", "json-suite", lambda: ndjson(with_value("notes", '"a\x01\tb"')), "ndjson"),
    Kind("raw line feed in a string", "json-suite", lambda: array(with_value("notes", '"a\nb"')), "json"),
    Kind("bad UTF-8 in a string", "json-suite",
         lambda: ndjson(with_value("notes", '"@"')).replace(b'"@"', b'"\xff\xe0"'),
         "ndjson"),
    Kind("string that never ends", "json-suite", lambda: array('{"trip_id": "ZZQ1'), "json"),
    Kind("string of 2 MB", "json-suite", lambda: ndjson(with_value("notes", '"' + "n" * 2_000_000 + '"')), "ndjson"),
    Kind("string of 2 MB in an array", "json-suite", lambda: array(with_value("notes", '"' + "n" * 2_000_000 + '"')),
         "json"),
    Kind("string of backslashes", "json-suite", lambda: ndjson(with_value("notes", '"' + "\\\\" * 100_000 + '"')),
         "ndjson", COUNT + 1),
    Kind("single quotes in JSON", "json-suite", lambda: ndjson("{'trip_id': 'ZZQ1'}"), "ndjson"),
    Kind("comments in JSON", "json-suite", lambda: array("/* a */ {}"), "json"),
    Kind("array that never ends", "json-suite", lambda: array()[:-2], "json"),
    Kind("array cut in an object", "json-suite", lambda: array()[:-40], "json"),
    Kind("array with a comma too much", "json-suite", lambda: array()[:-2] + b",]", "json"),
    Kind("array with two commas", "json-suite", lambda: array("", ""), "json"),
    Kind("array without commas", "json-suite", lambda: array().replace(b",\n", b"\n"), "json"),
    Kind("array with semicolons", "json-suite", lambda: array().replace(b",\n", b";\n"), "json"),
    Kind("array closed twice", "json-suite", lambda: array() + b"]", "json"),
    Kind("array closed by a brace", "json-suite", lambda: array()[:-2] + b"}", "json"),
    Kind("array with text after it", "json-suite", lambda: array() + b"x", "json"),
    Kind("two arrays", "json-suite", lambda: array() + array(), "json"),
    Kind("array of arrays", "json-suite", lambda: b"[" + array() + b"]", "json"),
    Kind("array of numbers", "json-suite", raw(b"[1, 2, 3, null, true]"), "json"),
    Kind("array with nothing", "json-suite", raw(b"[]"), "json"),
    Kind("array of a blank", "json-suite", raw(b"[ ]"), "json"),
    Kind("object with nothing", "json-suite", raw(b"{}"), "json"),
    Kind("array in an object", "json-suite", lambda: b'{"data": {"trips": ' + array() + b"}}", "json"),
    Kind("two words", "json-suite", raw(b"null true"), "json"),
    Kind("one open bracket", "json-suite", raw(b"["), "json"),
    Kind("one open brace", "json-suite", raw(b"{"), "json"),
    Kind("one open string", "json-suite", raw(b'["'), "json"),
    Kind("one backslash in a string", "json-suite", raw(b'["\\'), "json"),
    Kind("100,000 open brackets", "json-suite", raw(b"[" * 100_000), "json"),
    Kind("100,000 open objects", "json-suite", raw(b'{"":' * 100_000), "json"),
    Kind("100,000 open brackets and objects", "json-suite", raw(b'[{"":' * 50_000), "json"),
    Kind("500 nested arrays", "json-suite", raw(b"[" * 500 + b"]" * 500), "json"),
    Kind("100,000 nested arrays", "json-suite", raw(b"[" * 100_000 + b"]" * 100_000), "json"),
    Kind("100,000 nested arrays in a field", "json-suite",
         lambda: ndjson(with_value("notes", "[" * 100_000 + "]" * 100_000)), "ndjson"),
    Kind("50,000 nested objects in a field", "json-suite",
         lambda: array(with_value("notes", '{"a":' * 50_000 + "1" + "}" * 50_000)), "json"),
    Kind("nested arrays that never end, in a field", "json-suite",
         lambda: ndjson(with_value("notes", "[" * 100_000)), "ndjson"),
    Kind("JSON mark and nothing", "json-suite", raw(BOM), "json"),
    Kind("JSON file that is empty", "json-suite", raw(b""), "json"),
    Kind("JSON file of blanks", "json-suite", raw(b" \n\t "), "json"),
    Kind("JSON file of NULs", "json-suite", raw(bytes(100)), "json"),
    Kind("JSON noise", "json-suite",
         lambda: bytes(random.Random(8).choices(b'{}[]",:\\u0 1e-\n\xff', k=20_000)), "json"),
    Kind("JSON noise in an array", "json-suite", lambda: b"[" + bytes(
        random.Random(9).choices(b'{}[]",:\\u0 1e-\n\xff', k=20_000)), "json"),
]

KINDS = QUOTES + LINES + WIDTHS + DELIMITERS + COMMENTS + ENCODINGS + BYTES + VALUES + GZIP + JSON


def mixture(seed):
    """Bytes of one kind with one to eight changes of the kind that fuzzers make, and their suffix."""
    chance = random.Random(seed)
    kind = chance.choice(KINDS)
    content = bytearray(kind.make()[:200_000])
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randint(0, len(content)), chance.choice((1, 1, 2, 8, 64, 512))
        change = chance.randrange(6)
        if change == 0:
            content[at:at + length] = b""
        elif change == 1:
            content[at:at] = chance.choices(b'",\r\n;\t|\\{}[]:1e-0 \0\xff\x1f\x8b', k=length)
        elif change == 2:
            content[at:at + length] = chance.randbytes(length)
        elif change == 3:
            content[at:at] = content[at:at + length * 8]
        elif change == 4:
            other = chance.choice(KINDS).make()[:50_000]
            start = chance.randint(0, len(other))
            content[at:at] = other[start:start + length * 8]
        else:
            del content[at:]
    return f"{kind.name}, changed (seed {seed})", bytes(content), kind.suffix
