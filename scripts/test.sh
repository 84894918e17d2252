#!/bin/sh
# What `make test` runs: format, build, Swift tests, cross-checks. Every part runs even if one before it failed, and the
# last line counts them all: N passed, N failed.
set -u
cd "$(dirname "$0")/.."
passed=0
failed=0

tally() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# One part that is either right or wrong.
part() {
    name=$1
    shift
    echo "== $name"
    if "$@" </dev/null; then tally 1 0; else tally 0 1 && echo "FAILED: $name" >&2; fi
}

# The same flags as in the demo, so that nothing is built twice; `swift test` by itself would build everything again with others.
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
    tests=$(attribute tests) failures=$(attribute failures) skips=$(attribute skipped)
    if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then failures=1; fi
    [ "$skips" -eq 0 ] || echo "$skips tests were skipped; .build/test.log says why"
    tally $((tests - failures - skips)) "$failures"
}

cross_checks() {
    TRIPKPI=$(swift build -c release --show-bin-path)/tripkpi
    # Internal answers are written down; not in the checkout.
    TRIPKPI_AUDIT_LOG=$PWD/.build/test-audit.jsonl
    export TRIPKPI TRIPKPI_AUDIT_LOG
    for check in Tests/Tools/check_*.py; do
        [ -e "$check" ] || continue
        echo "== $check"
        output=$(.build/venv/bin/python "$check" </dev/null)
        status=$?
        printf '%s\n' "$output"
        counts=$(printf '%s\n' "$output" | sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
        # shellcheck disable=SC2086 # two numbers
        if [ -z "$counts" ]; then tally 0 1; else tally $counts; fi
        if [ "$status" -ne 0 ] && [ "${counts#* }" = 0 ]; then tally 0 1; fi
    done
}

mkdir -p .build
part "prepare" scripts/bootstrap.sh test
part "format" swift format lint --strict -r Sources Tests Package.swift
part "build" build
swift_tests
cross_checks
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
