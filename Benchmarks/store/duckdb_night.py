"""DuckDB's night: an export into a table with a unique key, and the cells of the months once more.

    duckdb_night.py STORE.duckdb EXPORT.csv --months touched|all|none [--threads 2]

The key is DuckDB's own 64-bit hash of (trip_id, leg_id): quicker than text, and good enough for a race. The newest
version stays. Cells are those of `duckdb_peer.py`, with exact p50 and p90; they are printed with --months all.
"""
import argparse
import pathlib
import sys

import duckdb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import peer_cells  # noqa: E402, puts Tests/Tools on the path
import duckdb_kpis  # noqa: E402
import duckdb_peer  # noqa: E402

VERSION = ["version_at", "version_number"]
FIGURES = ["status", "month", "region", "type", "sourcing", "cents", "loaded_h", "unloaded_h"]
COLUMNS = VERSION + FIGURES + [f"{event}_s" for event in duckdb_kpis.EVENTS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("export")
    parser.add_argument("--months", choices=["touched", "all", "none"], default="touched")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    connection = duckdb.connect(options.store)
    connection.execute(f"set threads = {options.threads}; set preserve_insertion_order = false")
    names = duckdb_kpis.columns_sql(peer_cells.header(options.export))
    reader = (f"read_csv('{options.export}', auto_detect = false, header = true, delim = ',', quote = '\"', "
              f"escape = '\"', new_line = '\\n', columns = {names})")
    script = duckdb_kpis.canonical_sql(reader)
    # As in duckdb_peer: equal versions are exact copies, so no place in the file; views, so that it is one pass.
    script = script.replace(", row_number() over () as place", "").replace("select place, ", "select ")
    script = script.replace(", place desc", "").replace("create temp table", "create temp view")
    script = script.replace("create temp view trip as", "create temp table night as")
    connection.execute(script)
    connection.execute(f"create table if not exists trips as select hash(trip_id, leg_id) as key, {', '.join(COLUMNS)} "
                       "from night limit 0")
    # After a backfill the index is made once; from then on it is there.
    is_new = connection.execute("select count(*) from trips").fetchone()[0] == 0
    values = f"insert into trips select hash(trip_id, leg_id), {', '.join(COLUMNS)} from night"
    if is_new:
        connection.execute(values)
        connection.execute("alter table trips add primary key (key)")
    else:
        connection.execute(
            f"{values} on conflict (key) do update set {', '.join(f'{c} = excluded.{c}' for c in COLUMNS)} "
            "where (excluded.version_at, excluded.version_number) > (trips.version_at, trips.version_number)")
    if options.months != "none":
        touched = " where month in (select distinct month from night)" if options.months == "touched" else ""
        connection.execute(f"create temp view trip as select * from trips{touched}")
        cells = duckdb_peer.cells_of(connection)
        peer_cells.answer((m, r, t, cell) for (m, r, t), cell in cells.items())
    connection.close()


if __name__ == "__main__":
    main()
