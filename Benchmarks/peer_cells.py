"""What all peers share: the arguments and the form of the answer, one JSON list of whole numbers a cell."""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Tools"))
INTERVALS = {
    "duration": ("unit_notified", "completed"), "response": ("unit_notified", "on_scene"),
    "turnout": ("unit_notified", "en_route"), "scene": ("on_scene", "left_scene"),
    "transport": ("left_scene", "arrived"), "turnaround": ("arrived", "completed"),
}
EVENTS = ["unit_notified", "en_route", "on_scene", "left_scene", "arrived", "completed", "requested"]
COUNTS = ["trips", "cancelled", "noshow", "inhouse", "contracted", "unclassified", "cents", "inhouse_cents",
          "contracted_cents", "costed", "loaded", "unloaded", "mile_cents", "cost_miles"]
# Of --job minimal, for each month, region, trip type and sourcing of completed trips.
MINIMAL = ["trips", "cents", "loaded", "duration_used", "duration_sum", "response_used", "response_p50", "response_p90"]
COLUMNS = COUNTS + [f"{name}_{part}" for name in INTERVALS for part in ("used", "sum", "p50", "p90")]
MONEY = r"^(-?\$?|\(\$?)([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]{1,2})?\)?$"
MILES = r"^-?[0-9]+(\.[0-9]{1,2})?$"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--job", choices=["whole", "minimal"], default="whole",
                        help="the whole KPI table, or counts, sums and two intervals by month, region, trip type and sourcing")
    parser.add_argument("--versions", action="store_true", help="keep the last version of each trip only")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--roster", default=str(ROOT / "data/rules/sample-providers.csv"))
    return parser.parse_args()


def header(path):
    """Column names of a CSV file, or of the first object of an NDJSON file or of a JSON array with an object a line."""
    import gzip
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
        line = file.readline().rstrip("\r\n")
        if line.startswith("["):
            line = (line[1:] or file.readline()).rstrip(",\r\n")
    return list(json.loads(line)) if line.startswith("{") else line.split(",")


def answer_minimal(rows):
    """`rows`: {name: number} with month, region, type and sourcing."""
    keys = ("month", "region", "type", "sourcing")
    groups = [[row[key] for key in keys] + [None if row[name] is None else int(row[name]) for name in MINIMAL] for row in rows]
    json.dump(sorted(groups, key=lambda group: group[:4]), sys.stdout)


def answer(rows):
    """`rows`: (month, region, type, {column: number}) with `All` where summed. A percentile over none is null."""
    cells = []
    for month, region, trip_type, values in rows:
        numbers = [None if values[c] is None else int(values[c]) for c in COLUMNS]
        cells.append([month, region, trip_type] + numbers)
    cells.sort(key=lambda cell: cell[:3])
    json.dump(cells, sys.stdout)
