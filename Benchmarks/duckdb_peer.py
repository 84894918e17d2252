"""DuckDB: one pass of read_csv or read_json with told columns, then GROUP BY CUBE. Versions by a window; ties are exact
copies, so the place in the file is not asked for."""
import duckdb

import peer_cells  # puts Tests/Tools on the path
import duckdb_kpis

options = peer_cells.arguments()
connection = duckdb.connect()
connection.execute(f"set threads = {options.threads}; set preserve_insertion_order = false")
names = duckdb_kpis.columns_sql(peer_cells.header(options.file))
if ".csv" in options.file:
    reader = (f"read_csv('{options.file}', auto_detect = false, header = true, delim = ',', quote = '\"', "
              f"escape = '\"', new_line = '\\n', columns = {names})")
else:
    reader = f"read_json('{options.file}', format = 'newline_delimited', columns = {names})"
script = duckdb_kpis.canonical_sql(reader, versions=options.versions, roster=options.roster)
script = script.replace(", row_number() over () as place", "").replace("select place, ", "select ")
script = script.replace(", place desc", "").replace("create temp table", "create temp view")
script = script.replace("create temp view trip", "create temp table trip")
cells = duckdb_kpis.run(connection, script, duckdb_kpis.quick_rank)
peer_cells.answer((m, r, t, row) for (m, r, t), row in cells.items())
