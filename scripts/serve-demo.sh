#!/bin/sh
# What `make serve-demo` runs: published sets of the sample, with trips, over HTTP on this machine alone. It prints a token and
# three lines to try. Ctrl-C ends it.
set -eu
cd "$(dirname "$0")/.."
scripts/bootstrap.sh build
echo "Building (the first time takes some minutes) …" >&2
for product in tripkpi tripkpi-serve; do swift build -c release --product "$product" >&2; done
tripkpi=$(swift build -c release --show-bin-path)/tripkpi
site=reports/demo/api
rm -rf "$site"
mkdir -p "$site/inbox"
cp data/samples/sample.csv.gz "$site/inbox/"
printf 'trips_feed: limited-data-set\nrules: sample\nrelease_approval: never\n' >"$site/tripkpi.yaml"
"$tripkpi" run --quiet --config "$site/tripkpi.yaml" --inbox "$site/inbox" --store "$site/store/tripkpi.sqlite" --reports "$site/published"
echo "The page of the release: $site/published/release/current/dashboard.html" >&2
exec "$tripkpi" serve --demo --reports "$site/published" --listen "${LISTEN:-127.0.0.1:8080}"
