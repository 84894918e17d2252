#!/bin/sh
# Writes the files of this folder again: sh data/samples/make-samples.sh [path of tripkpi]
set -eu
cd "$(dirname "$0")"
tripkpi=${1:-../../.build/release/tripkpi}
# usage: make FILE ROWS MONTHS OPTIONS…
make() {
    file=$1 rows=$2 months=$3
    shift 3
    "$tripkpi" sample --rows "$rows" --seed 470 --months "$months" --from 2023-10 --fields kpi --output "$file" "$@"
}
make sample.csv 300 6 --messy --format csv
make sample.csv.gz 15600 24 --format csv --gzip
make sample.tsv 60 2 --messy --format tsv --shuffled
make sample.ndjson 60 2 --messy --format ndjson --shuffled
make sample.json 60 2 --messy --format json --shuffled
make sample-utf16.csv 60 2 --messy --format csv --shuffled --encoding utf-16
make sample-windows-1252.csv 60 2 --messy --format csv --shuffled --encoding windows-1252
