#!/bin/sh
# What `make gallery` runs: pictures of the terminal, of every sheet of the workbooks and of the dashboard page, from the
# shipped synthetic exports, into docs/gallery. What cannot be made on this machine is said and left as it is.
set -eu
cd "$(dirname "$0")/.."
scripts/bootstrap.sh gallery
into=docs/gallery
mkdir -p "$into"
swift build -c release --product tripkpi >/dev/null </dev/null
tripkpi=$(swift build -c release --show-bin-path)/tripkpi
python=$PWD/.build/venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=1760000000
export SOURCE_DATE_EPOCH
mkdir "$work/inbox"
chmod 700 "$work"
TRIPKPI_DATA=$PWD/data
TRIPKPI_RULES=sample
TRIPKPI_STORE=$work/store/tripkpi.sqlite
TRIPKPI_REPORTS=$work/published
TRIPKPI_INBOX=$work/inbox
TRIPKPI_AUDIT_LOG=$work/audit.jsonl
TRIPKPI_RELEASE_APPROVAL=never
export TRIPKPI_RELEASE_APPROVAL TRIPKPI_DATA TRIPKPI_RULES TRIPKPI_STORE TRIPKPI_REPORTS TRIPKPI_INBOX TRIPKPI_AUDIT_LOG

# Two nights: the second brings corrected costs, and a month is restated.
cp data/samples/sample.csv.gz "$work/inbox/trips-20251001.csv.gz"
"$tripkpi" run --quiet
gzip -dc data/samples/sample.csv.gz | awk -F, '
    NR == 1 { print }
    $5 == "completed" && $8 ~ /^2025-06-1/ && $23 ~ /^[0-9.]+$/ && NF == 25 && !/"/ {
        OFS = ","; $3 = "2025-10-02 08:00:00"; $4 = 9; $23 = $23 + 40; print
    }' >"$work/inbox/trips-20251003.csv"
"$tripkpi" run --quiet

picture() {
    file=$1
    shift
    "$python" Tests/Tools/terminal_picture.py "$into/$file" "$@"
}
picture terminal-report.svg -- "$tripkpi" report --quiet
picture terminal-month.svg -- "$tripkpi" report --month 2025-03 --quiet

"$tripkpi" report --quiet --output "$work/kpi.xlsx"
"$tripkpi" report --quiet --accessible --output "$work/accessible.xlsx"
"$python" Tests/Tools/workbook_pictures.py "$work/kpi.xlsx" "$into" kpi
"$python" Tests/Tools/workbook_pictures.py "$work/accessible.xlsx" "$into" accessible --only Cover --only Comparisons
if "$tripkpi" --help | grep -q "^  costs "; then
    "$tripkpi" costs --quiet --output "$work/costs.xlsx"
    "$python" Tests/Tools/workbook_pictures.py "$work/costs.xlsx" "$into" costs
else
    echo "gallery: this program has no costs command; its pictures are left as they are" >&2
fi

page=$work/published/staff/current/dashboard.html
if [ -e "$page" ] && [ -e Tests/Tools/dashboard_pictures.py ]; then
    mkdir "$work/page"
    "$python" Tests/Tools/dashboard_pictures.py "$page" "$work/page" dashboard >/dev/null ||
        echo "gallery: the dashboard page could not be drawn (chromium? scripts/bootstrap.sh test)" >&2
    for view in 1280-top 1280-dark-top 320-top; do
        [ ! -e "$work/page/dashboard-$view.png" ] || cp "$work/page/dashboard-$view.png" "$into/"
    done
else
    echo "gallery: no dashboard page; its pictures are left as they are" >&2
fi
du -sh "$into" >&2
