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
export=$into/trips.csv
mkdir -p "$into"
# A year of a made-up fleet: enough trips that most cells can be shown.
"$tripkpi" sample --rows 30000 --seed 470 --from 2024-10 --months 12 --output "$export"
"$tripkpi" scan "$export"
"$tripkpi" scan "$export" --quiet --output "$into/kpi-summary.json"
"$tripkpi" scan "$export" --quiet --output "$into/kpi.xlsx"
cat >&2 <<END

Written, from the same numbers:
  $export          the export itself: synthetic, nobody in it exists
  $into/kpi-summary.json   what the dashboard reads (data/contract describes it)
  $into/kpi.xlsx           the workbook for finance
Next: open the workbook, then run it on your own export:
  $tripkpi scan YOUR-EXPORT.csv
The README says what every number means and which ones are hidden, and why.
END
