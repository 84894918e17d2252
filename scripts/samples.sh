#!/bin/sh
# Makes the sample outputs of reports/sample again, from the synthetic export of data/samples: the same bytes on every machine.
#
#   scripts/samples.sh            into reports/sample
#   scripts/samples.sh FOLDER     elsewhere; `make test` compares that with reports/sample
set -eu
cd "$(dirname "$0")/.."
into=${1:-reports/sample}
program=${TRIPKPI:-.build/release/tripkpi}
[ -x "$program" ] || { echo "samples: there is no program at $program; run make" >&2; exit 66; }
export=data/samples/sample.csv.gz
# Outputs for staff are recorded: not in the user's log.
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
TRIPKPI_AUDIT_LOG=$log/audit.jsonl
# Settings of this machine must not show.
XDG_CONFIG_HOME=$log
TRIPKPI_CONFIG=$log/tripkpi.yaml
cat >"$TRIPKPI_CONFIG" <<'SETTINGS'
rules: sample
regions: [North, South, East, West]
trip_types: [Emergency, Routine]
targets:
  - {measure: inHouseShare, value: 55%}
  - {measure: response.p90, trip_type: Emergency, value: "20:00"}
  - {measure: costPerTrip, region: North, value: 550}
SETTINGS
events="--events data/samples/events.json --events-profile data/samples/safepassage.yaml"
SOURCE_DATE_EPOCH=1759363200
LC_ALL=C.UTF-8
export TRIPKPI_AUDIT_LOG XDG_CONFIG_HOME TRIPKPI_CONFIG SOURCE_DATE_EPOCH LC_ALL
for audience in release staff; do
    folder=$into/$audience
    mkdir -p "$folder"
    for name in kpi-summary.json kpi-cells.csv month.md month.xlsx dashboard.html; do
        # shellcheck disable=SC2086 # words
        "$program" scan "$export" $events --audience "$audience" --quiet --output "$folder/$name"
    done
    # shellcheck disable=SC2086 # words
    "$program" scan "$export" $events --audience "$audience" --quiet --format table --output "$folder/month.txt"
    # shellcheck disable=SC2086 # words
    "$program" scan "$export" $events --audience "$audience" --quiet --long --output "$folder/month-long.txt" --format table
    # shellcheck disable=SC2086 # words
    "$program" scan "$export" $events --audience "$audience" --quiet --brief --output "$folder/brief.md"
    # shellcheck disable=SC2086 # words
    "$program" scan $events --audience "$audience" --quiet --format csv --output "$folder/events.csv"
    "$program" costs "$export" --audience "$audience" --quiet --output "$folder/costs.xlsx"
done
# shellcheck disable=SC2086 # words
"$program" scan "$export" $events --audience release --quiet --accessible --output "$into/release/month-accessible.xlsx"
chmod 644 "$into"/release/* "$into"/staff/*
