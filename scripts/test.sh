#!/bin/sh
# What `make test` runs: format, build, Swift tests, cross-checks. Every part runs even if one before it failed. The last
# line counts them all: N passed, N failed. Before it, what was skipped is counted and named.
set -u
cd "$(dirname "$0")/.."
passed=0
failed=0
# A name and a reason a line.
skipped=$(mktemp)
# Of the cross-checks: what each says, and the processes at work.
checks=$(mktemp -d)
trap 'rm -rf "$skipped" "$checks"' EXIT
# Programs in the background do not get Ctrl-C.
stop() {
    trap - INT TERM
    # shellcheck disable=SC2046 # numbers
    kill $workers $(cat "$checks"/*.pid 2>/dev/null) 2>/dev/null
    exit 130
}
workers=
trap stop INT TERM

tally() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# One part that is either right or wrong.
part() {
    name=$1
    shift
    echo "== $name"
    started=$(date +%s)
    if "$@" </dev/null; then tally 1 0; else tally 0 1 && echo "FAILED: $name" >&2; fi
    echo "($(($(date +%s) - started)) s)"
}

# The same flags as in the demo, so that nothing is built twice; `swift test` by itself would build everything again with others.
# The index of what was built is how the tests are found.
build() {
    swift build -c release --build-tests >.build/build.log 2>&1 </dev/null || {
        grep -E 'error:' -A 5 .build/build.log >&2 || tail -n 40 .build/build.log >&2
        return 1
    }
    if grep -E "^$PWD/(Sources|Tests)/.*warning:" .build/build.log >&2; then
        echo "the build has warnings; fix them" >&2
        return 1
    fi
}

attribute() { sed -n "s/.*<testsuite .* $1=\"\([0-9]*\)\".*/\1/p" "$results" | head -n 1; }

swift_tests() {
    echo "== Swift tests"
    results=.build/test-results-swift-testing.xml
    rm -f "$results"
    swift test -c release --skip-build --xunit-output .build/test-results.xml </dev/null >.build/test.log 2>&1
    status=$?
    # On one line a test, without the starts and the suites.
    grep -E '^(✘|↳|➜|warning|error)|Fatal error|Test run with' .build/test.log | grep -vE 'Target Platform|Testing Library' || true
    if [ ! -s "$results" ]; then
        echo "FAILED: the tests ended without a result; the end of .build/test.log:" >&2
        tail -n 40 .build/test.log >&2
        tally 0 1
        return
    fi
    tests=$(attribute tests)
    if [ "${tests:-0}" -eq 0 ]; then
        echo "FAILED: no Swift test was run" >&2
        tally 0 1
        return
    fi
    failures=$(attribute failures) skips=$(attribute skipped)
    if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then failures=1; fi
    sed -n 's/^➜ *Test \(.*\) skipped: "\(.*\)"$/\1: \2/p; s/^➜ *Test \(.*\) skipped\.$/\1/p' .build/test.log >>"$skipped"
    tally $((tests - failures - skips)) "$failures"
}

# Runs a check. What it says is printed when it ends, so that two at a time do not mix.
run_check() {
    name=$(basename "$1" .py)
    started=$(date +%s)
    # Internal answers are written down; not in the checkout, and each check has a log of its own.
    TRIPKPI=$program TRIPKPI_AUDIT_LOG=$checks/$name.audit.jsonl "$python" "$1" </dev/null >"$checks/$name.out" 2>"$checks/$name.err" &
    echo $! >"$checks/$name.pid"
    wait $!
    echo $? >"$checks/$name.status"
    rm "$checks/$name.pid"
    # One at a time says what it has to say.
    until mkdir "$checks/speaking" 2>/dev/null; do sleep 0.1; done
    cat "$checks/$name.err" >&2
    echo "== $1"
    cat "$checks/$name.out"
    echo "($(($(date +%s) - started)) s)"
    rmdir "$checks/speaking"
}

# The longest, in this order: they begin first, so that none of them runs by itself at the end.
longest="spark install backup faults dashboard reports costs api failed_reads injections queries attack verify trips_page"

# Runs a check that is there and that no other worker has taken.
take() {
    [ -e "$1" ] && mkdir "$checks/$(basename "$1").taken" 2>/dev/null && run_check "$1"
}

# Takes one check of the folder after the other.
check_worker() {
    for long in $longest; do take "$folder/check_$long.py"; done
    for check in "$folder"/check_*.py; do take "$check"; done
}

# So many more workers.
begin_workers() {
    for _ in $(seq "$1"); do
        check_worker &
        workers="$workers $!"
    done
}

# Begins with half of the checks that may run at a time, beside the Swift tests, of which the last ones use one processor.
begin_checks() {
    folder=$1
    program=${TRIPKPI:-$(swift build -c release --show-bin-path)/tripkpi}
    python=.build/venv/bin/python
    [ -x "$python" ] || python=python3
    # One for each processor, two at least: most wait for programs that they start. Each may need a gigabyte.
    most=$(nproc)
    [ "$most" -ge 2 ] || most=2
    [ "$most" -le 4 ] || most=4
    begin_workers $((most / 2))
}

# A check prints a line `skipped: NAME: REASON` for each thing that it leaves out, and `N passed, N failed` as its last line.
finish_checks() {
    set -- "$folder"/check_*.py
    begin_workers $((most - most / 2))
    # shellcheck disable=SC2086 # numbers
    wait $workers
    workers=
    if [ ! -e "$1" ]; then
        echo "FAILED: there is no check in $folder" >&2
        tally 0 1
        return
    fi
    for check; do
        name=$(basename "$check" .py)
        status=$(cat "$checks/$name.status")
        sed -n "s#^skipped: #$check: #p" "$checks/$name.out" >>"$skipped"
        counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$checks/$name.out")
        if [ -z "$counts" ]; then
            echo "FAILED: the last line of $check is not \`N passed, N failed\`" >&2
            tally 0 1
        else
            # shellcheck disable=SC2086 # two numbers
            tally $counts
        fi
        if [ "$status" -ne 0 ] && [ "${counts#* }" = 0 ]; then tally 0 1; fi
        # Nothing checked and nothing named is a check that cannot fail.
        if [ "$counts" = "0 0" ] && ! grep -q '^skipped: ' "$checks/$name.out"; then
            echo "FAILED: $check checked nothing" >&2
            tally 0 1
        fi
    done
}

finish() {
    echo "$(grep -c . "$skipped") skipped"
    sed 's/^/  /' "$skipped"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

mkdir -p .build
# A folder of checks: only these are run (Tests/RepositoryTests/TestCountsTests.swift).
if [ -n "${1:-}" ]; then
    begin_checks "$1"
    finish_checks
    finish
    exit
fi
# Another program than the one that is built here would be tested.
unset TRIPKPI
part "prepare" scripts/bootstrap.sh test
part "format" swift format lint --strict -r Sources Tests Package.swift
part "build" build
begin_checks Tests/Tools
swift_tests
finish_checks
finish
