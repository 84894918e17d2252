#!/bin/sh
# What `make demo` runs: from a fresh checkout to the first numbers.
set -eu
cd "$(dirname "$0")/.."
scripts/bootstrap.sh build

# Builds, and shows the compiler's last step and the time: on a terminal as one line that is rewritten, elsewhere as a line
# every half minute. After an error the whole output is shown, and kept in the log.
log=.build/demo-build.log
build() {
    mkdir -p .build
    echo "Building (the first time takes some minutes) …" >&2
    began=$(date +%s)
    told=$began
    swift build -c release --product tripkpi >"$log" 2>&1 </dev/null &
    compiler=$!
    # A command in the background does not get the terminal's interrupt.
    trap 'kill "$compiler" 2>/dev/null; exit 130' INT
    trap 'kill "$compiler" 2>/dev/null; exit 143' TERM
    while kill -0 "$compiler" 2>/dev/null; do
        now=$(date +%s)
        step=$(grep -E '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1)
        if [ -t 2 ]; then
            printf '\r\033[K%.78s' "$((now - began)) s  $step" >&2
        elif [ -n "$step" ] && [ $((now - told)) -ge 30 ]; then
            told=$now
            echo "$((now - began)) s  $step" >&2
        fi
        sleep 1
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    trap - INT TERM
    status=0
    wait "$compiler" || status=$?
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        echo "The build failed; the lines above are in $log" >&2
        exit "$status"
    fi
}
build
tripkpi=$(swift build -c release --show-bin-path)/tripkpi
into=reports/demo
export=data/samples/sample.csv.gz
mkdir -p "$into"

# Files for staff are recorded: here in the demo's folder, not in the user's log.
TRIPKPI_AUDIT_LOG=$into/audit.jsonl
export TRIPKPI_AUDIT_LOG
# The trips end on 30 September 2025. The reports are dated 2 October, so that the data are not old.
SOURCE_DATE_EPOCH=1759363200
export SOURCE_DATE_EPOCH

# The main job: two years of a made-up fleet. The messages name every reading that failed: see them with `tripkpi scan`.
"$tripkpi" scan "$export" --rules sample --quiet
"$tripkpi" scan "$export" --rules sample --quiet --output "$into/kpi-summary.json"
"$tripkpi" scan "$export" --rules sample --quiet --output "$into/kpi.xlsx"

# One set of trips in four forms: one answer.
echo 'The same trips in four forms give the same bytes:' >&2
first=
for form in sample.tsv sample.ndjson sample.json sample-utf16.csv; do
    "$tripkpi" scan "data/samples/$form" --rules sample --quiet --format json >"$into/form.json"
    digest=$(sha256sum <"$into/form.json" | cut -c 1-16)
    printf '%-18s%s\n' "$form" "$digest" >&2
    : "${first:=$digest}"
    [ "$digest" = "$first" ] || { echo "demo: $form gives other figures than the first form" >&2; exit 70; }
done
rm -f "$into/form.json"
unset TRIPKPI_AUDIT_LOG

# The nightly job: an inbox, a store, and a published set for each audience. A person approves the first release. A second run
# finds nothing to do.
night=$into/nightly
rm -rf "$night"
mkdir -p "$night/inbox"
cp "$export" "$night/inbox/"
echo >&2
echo 'The nightly job on the same export:' >&2
"$tripkpi" run --rules sample --inbox "$night/inbox" --store "$night/store/tripkpi.sqlite" --reports "$night/published"
"$tripkpi" publish --rules sample --store "$night/store/tripkpi.sqlite" --reports "$night/published" --approve 'A user of the demo'
"$tripkpi" run --rules sample --inbox "$night/inbox" --store "$night/store/tripkpi.sqlite" --reports "$night/published"
"$tripkpi" verify --reports "$night/published" --store "$night/store/tripkpi.sqlite"
cat >&2 <<END

Written, from the same numbers:
  (from $export: synthetic; the people in it are invented)
  $into/kpi-summary.json   what the dashboard reads (data/contract describes it), for staff: every figure, exact
  $into/kpi.xlsx           the same as a workbook; finance has its own: tripkpi costs
  $night/published/release/current for anybody: a link to the current set, in groups of 11 or more trips and patients
  $night/published/staff/current   for the health system's own people: every figure, exact; $night/store holds the trips
  Each has dashboard.html, the same figures as a page: open it in a browser
Next: open the workbook, then run it on your own export. Nothing of it may be published unless you add --release:
  $tripkpi scan YOUR-EXPORT.csv
docs/kpis.md defines every number. docs/privacy.md says which ones the release does not contain, and why.
END
