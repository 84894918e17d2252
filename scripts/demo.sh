#!/bin/sh
# What `make demo` runs: from a fresh checkout to the first numbers.
set -eu
cd "$(dirname "$0")/.."
scripts/bootstrap.sh build
log=$(mktemp)
echo "Building (the first time takes some minutes) …" >&2
swift build -c release --product tripkpi >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    rm -f "$log"
    exit 1
}
rm -f "$log"
tripkpi=$(swift build -c release --show-bin-path)/tripkpi
into=reports/demo
export=data/samples/sample.csv.gz
mkdir -p "$into"

# The main job: two years of a made-up fleet.
"$tripkpi" scan "$export"
"$tripkpi" scan "$export" --quiet --output "$into/kpi-summary.json"
"$tripkpi" scan "$export" --quiet --output "$into/kpi.xlsx"

# One set of trips in four forms: one answer. (The set is small, so its numbers are for staff.)
echo 'The same trips in four forms give the same bytes:' >&2
for form in sample.tsv sample.ndjson sample.json sample-utf16.csv; do
    printf '%-18s' "$form" >&2
    SOURCE_DATE_EPOCH=0 "$tripkpi" scan "data/samples/$form" --audience staff --quiet --format json | sha256sum | cut -c 1-16 >&2
done
# The nightly job: an inbox, a store, and a published set for each audience. A second run finds nothing to do.
night=$into/nightly
rm -rf "$night"
mkdir -p "$night/inbox"
cp "$export" "$night/inbox/"
echo >&2
echo 'The nightly job on the same export:' >&2
for _ in 1 2; do
    "$tripkpi" run --inbox "$night/inbox" --store "$night/store/tripkpi.sqlite" --reports "$night/published"
done
"$tripkpi" verify --reports "$night/published" --store "$night/store/tripkpi.sqlite"
cat >&2 <<END

Written, from the same numbers:
  (from $export: synthetic; the people in it are invented)
  $into/kpi-summary.json   what the dashboard reads (data/contract describes it)
  $into/kpi.xlsx           the same as a workbook; finance has its own: tripkpi costs
  $night/published/release/current for anybody: a link to the current set, in groups of 11 or more trips and patients
  $night/published/staff/current   for the health system's own people: every figure, exact; $night/store holds the trips
  Each has dashboard.html, the same figures as a page: open it in a browser
Next: open the workbook, then run it on your own export:
  $tripkpi scan YOUR-EXPORT.csv
docs/kpis.md defines every number. docs/privacy.md says which ones the release does not contain, and why.
END
