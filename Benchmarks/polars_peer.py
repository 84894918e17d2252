"""Polars: a lazy scan with all columns as text, parsed by expressions on the streaming engine, then eight group-bys."""
import os

import peer_cells

options = peer_cells.arguments()
os.environ["POLARS_MAX_THREADS"] = str(options.threads)
import polars as pl  # noqa: E402  (reads the variable when imported)

C = pl.col


def frame():
    schema = {name: pl.String for name in peer_cells.header(options.file)}
    if ".csv" in options.file:
        return pl.scan_csv(options.file, schema=schema)
    schema["sequence"] = pl.Int64
    return pl.scan_ndjson(options.file, schema=schema)


def seconds(column):
    return C(column).str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False, time_unit="ms")


def hundredths(text):
    """Cents or hundredths of miles without floating point."""
    whole = text.str.extract(r"(\d+)(?:\.|$)", 1).cast(pl.Int64)
    part = text.str.extract(r"\.(\d{1,2})$", 1).fill_null("0").str.pad_end(2, "0").cast(pl.Int64)
    return whole * 100 + part


def miles(column):
    valid = C(column).str.contains(peer_cells.MILES) & ~C(column).str.starts_with("-")
    return pl.when(valid).then(hundredths(C(column)))


lazy = frame().with_columns(
    [seconds(f"{e}_at").alias(e) for e in peer_cells.EVENTS]
    + [C("service_date").str.to_datetime("%Y-%m-%d", strict=False, time_unit="ms").alias("service"),
       C("status").fill_null("completed"), C("leg_id").fill_null("")])
lazy = lazy.with_columns(pl.coalesce(peer_cells.EVENTS + ["service"]).alias("local"))
lazy = lazy.filter(C("trip_id").is_not_null() & C("local").is_not_null()
                   & C("status").is_in(["completed", "cancelled", "no_show", "void"]))
if options.versions:
    lazy = lazy.sort("updated_at", C("sequence").cast(pl.Int64)).unique(["trip_id", "leg_id"], keep="last",
                                                                       maintain_order=False)
roster = pl.read_csv(options.roster, schema_overrides={"from": pl.String, "to": pl.String})
listed = pl.lit(None, pl.String)
for row in roster.iter_rows(named=True):
    hit = C("provider_id") == row["provider_id"]
    if row["from"]:
        hit = hit & (C("local").dt.date() >= pl.lit(row["from"]).str.to_date())
    if row["to"]:
        hit = hit & (C("local").dt.date() <= pl.lit(row["to"]).str.to_date())
    listed = pl.when(hit).then(pl.lit(row["sourcing"])).otherwise(listed)
money = C("cost").str.replace_all(r"[$,()]", "")
sign = pl.when(C("cost").str.starts_with("(") | C("cost").str.starts_with("-")).then(-1).otherwise(1)


def token(word):
    return C("hcpcs_modifiers").str.contains(rf"(?:^|[ ,;]){word}(?:$|[ ,;])").fill_null(False)


lazy = lazy.filter(C("status") != "void").select(
    C("local").dt.strftime("%Y-%m").alias("month"), "status",
    pl.when(C("region").is_in(["North", "South", "East", "West"])).then("region").otherwise(pl.lit("Unassigned"))
    .alias("region"),
    pl.when(C("trip_type").is_in(["Emergency", "Routine"])).then("trip_type").otherwise(pl.lit("Unassigned"))
    .alias("type"),
    pl.when(token("QN")).then(pl.lit("inHouse")).when(token("QM")).then(pl.lit("contracted"))
    .when(C("contract_number").is_not_null() | C("invoice_number").is_not_null()).then(pl.lit("contracted"))
    .when(listed.is_not_null()).then(listed)
    .when(C("vehicle_id").str.starts_with("VA")).then(pl.lit("inHouse")).otherwise(pl.lit("unclassified"))
    .alias("sourcing"),
    pl.when(C("cost").str.contains(peer_cells.MONEY)).then(hundredths(money) * sign).alias("cents"),
    miles("loaded_miles").alias("loaded"), miles("unloaded_miles").alias("unloaded"),
    *[(C(end) - C(start)).dt.total_seconds().alias(name) for name, (start, end) in peer_cells.INTERVALS.items()])
done = C("status") == "completed"
lazy = lazy.with_columns(
    [pl.when(done & C(n).is_between(0, 86400)).then(C(n)).alias(n) for n in peer_cells.INTERVALS]
    + [pl.when(done).then(C(n)).alias(n) for n in ("cents", "loaded", "unloaded")])


def of(sourcing):
    return done & (C("sourcing") == sourcing)


measures = [
    done.sum().alias("trips"), (C("status") == "cancelled").sum().alias("cancelled"),
    (C("status") == "no_show").sum().alias("noshow"), of("inHouse").sum().alias("inhouse"),
    of("contracted").sum().alias("contracted"), of("unclassified").sum().alias("unclassified"),
    C("cents").sum(), C("cents").filter(of("inHouse")).sum().alias("inhouse_cents"),
    C("cents").filter(of("contracted")).sum().alias("contracted_cents"), C("cents").count().alias("costed"),
    C("loaded").sum(), C("unloaded").sum(), C("cents").filter(C("loaded") > 0).sum().alias("mile_cents"),
    C("loaded").filter(C("cents").is_not_null()).sum().alias("cost_miles")]
for name in peer_cells.INTERVALS:
    measures += [C(name).count().alias(f"{name}_used"), C(name).sum().alias(f"{name}_sum"),
                 C(name).quantile(0.5, "equiprobable").alias(f"{name}_p50"),
                 C(name).quantile(0.9, "equiprobable").alias(f"{name}_p90")]
trips = lazy.collect(engine="streaming")
rows = []
for mask in range(8):
    keys = [k for place, k in enumerate(("month", "region", "type")) if mask >> place & 1]
    table = trips.lazy().group_by(keys).agg(measures) if keys else trips.lazy().select(measures)
    for row in table.collect().iter_rows(named=True):
        rows.append((row.get("month", "All") if "month" in keys else "All",
                     row["region"] if "region" in keys else "All", row["type"] if "type" in keys else "All", row))
peer_cells.answer(rows)
