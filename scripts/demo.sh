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
export=data/samples/sample.csv
into=reports/demo
[ -f "$export" ] || { echo "demo: $export is missing; this checkout is not whole" >&2; exit 66; }
mkdir -p "$into"
"$tripkpi" scan "$export"
"$tripkpi" scan "$export" --quiet --format json >"$into/kpi-summary.json"
"$tripkpi" scan "$export" --quiet --output "$into/kpi.xlsx" >/dev/null
cat >&2 <<END

Written, from the same numbers:
  $into/kpi-summary.json   what the dashboard reads (data/contract describes it)
  $into/kpi.xlsx           the workbook for finance
Next: open the workbook, then run it on your own export:
  $tripkpi scan YOUR-EXPORT.csv
The README says what every number means and which ones are hidden, and why.
END
