#!/bin/sh
# Installs what the build or the tests need and this machine lacks. Says nothing if nothing is missing.
#
#   scripts/bootstrap.sh build    C libraries, pkg-config and binutils (the Swift toolchain is presumed); ISA-L if there is one
#   scripts/bootstrap.sh test     the same, the Python that the cross-checks run in (.build/venv), and the programs that some
#                                 of them use: chromium, curl, dbus, jq, strace, systemd-analyze, promtool (.build/tools)
#   scripts/bootstrap.sh spark    what the build needs, Java 17 and Spark (.build/spark-venv)
#   scripts/bootstrap.sh office   the same, and LibreOffice Calc, which recalculates workbooks for some cross-checks
#   scripts/bootstrap.sh gallery  the same, and poppler-utils, which makes pictures of the printed workbooks
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-build}

fail() { echo "bootstrap: $*" >&2; exit 1; }

command -v swift >/dev/null 2>&1 || fail "there is no Swift; install 6.2 or newer: https://www.swift.org/install"

missing=""
need() { missing="$missing $1"; }
# Asks the compiler, because a header may come from elsewhere than a Debian package.
has_header() { printf '#include <%s>\n' "$1" | clang -E -x c - >/dev/null 2>&1; }

command -v make >/dev/null 2>&1 || need make
command -v pkg-config >/dev/null 2>&1 || need pkg-config
command -v strip >/dev/null 2>&1 || need binutils
has_header zlib.h || need zlib1g-dev
has_header sqlite3.h || need libsqlite3-dev
has_header xlsxwriter.h || need libxlsxwriter-dev
case "$wanted" in
build) ;;
test | office | gallery | spark)
    # Debian splits the part of Python that fills a new environment into a package of its own.
    python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || { need python3; need python3-venv; }
    ;;
*) fail "what is '$wanted'? Say build, test, spark, office or gallery" ;;
esac
if [ "$wanted" = gallery ] && ! command -v pdftoppm >/dev/null 2>&1; then need poppler-utils; fi
case "$wanted" in
office | gallery) command -v soffice >/dev/null 2>&1 || need libreoffice-calc-nogui ;;
esac

install_missing() {
    command -v apt-get >/dev/null 2>&1 ||
        fail "missing:$missing (Debian names). Install them with this system's package manager and run this again"
    as=""
    if [ "$(id -u)" -ne 0 ]; then
        as="sudo"
        # Without a terminal sudo must not ask for a password: it would wait for ever.
        [ -t 0 ] || as="sudo -n"
        { command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; } ||
            fail "missing:$missing. As root, run: apt-get update && apt-get install -y --no-install-recommends$missing"
    fi
    echo "bootstrap: installing$missing" >&2
    log=$(mktemp)
    apt="$as env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300"
    # shellcheck disable=SC2086 # the words are meant to be split
    if ! $apt install -y --no-install-recommends $missing </dev/null >"$log" 2>&1; then
        # The usual cause is a machine whose package lists were never fetched, or are old.
        { $apt update && $apt install -y --no-install-recommends $missing; } </dev/null >"$log" 2>&1 || {
            cat "$log" >&2
            rm -f "$log"
            fail "could not install$missing; what apt-get said is above"
        }
    fi
    rm -f "$log"
}
[ -z "$missing" ] || install_missing

# Three to four times as fast as zlib, where it is to be had; the build looks for its header.
if ! has_header isa-l/igzip_lib.h; then
    missing=" libisal-dev"
    (install_missing) || echo "bootstrap: there is no libisal-dev; zlib will inflate gzip" >&2
fi

[ "$wanted" != build ] || exit 0
# Programs of single checks. Not every system has them: a check that lacks one is counted as skipped.
has() { command -v "$1" >/dev/null 2>&1; }
want() {
    missing=" $1"
    (install_missing) || echo "bootstrap: there is no $1; $2 will be skipped" >&2
}
has java || want openjdk-17-jre-headless "the check of the Spark job"
venv() {
    if ! cmp -s "$2" "$1/requirements.txt"; then
        echo "bootstrap: making $1 $3" >&2
        mkdir -p .build
        rm -rf "$1"
        python3 -m venv "$1"
        "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2" </dev/null >&2 || return 1
        # Last, so that an interrupted install is made again.
        cp "$2" "$1/requirements.txt"
    fi
}
if has java; then
    venv .build/spark-venv spark/requirements.txt "with Spark" || echo "bootstrap: there is no Spark; its check will be skipped" >&2
fi
[ "$wanted" != spark ] || exit 0

has chromium || has chromium-browser || want chromium "the checks of dashboard.html"
has jq || want jq "a check of the log"
has strace || want strace "the check of injected faults"
has systemd-analyze || want systemd "the checks of the systemd units"
has dbus-daemon || want dbus "the units under systemd"
has curl || want curl "the digest by mail and chat"

# Debian's package also starts a server, so promtool is taken out of the package and nothing is installed.
fetch_promtool() {
    has apt-get && has dpkg-deb || return 1
    mkdir -p .build/tools
    packed=$(mktemp -d)
    (cd "$packed" && apt-get download -qq prometheus) >/dev/null 2>&1 &&
        dpkg-deb --fsys-tarfile "$packed"/prometheus_*.deb | tar -xO ./usr/bin/promtool >.build/tools/promtool.part &&
        chmod 0755 .build/tools/promtool.part && .build/tools/promtool.part --version >/dev/null 2>&1
    fetched=$?
    rm -rf "$packed"
    if [ "$fetched" -ne 0 ]; then
        rm -f .build/tools/promtool.part
        return 1
    fi
    mv .build/tools/promtool.part .build/tools/promtool
}
update_lists() { if [ "$(id -u)" -eq 0 ]; then apt-get update; else sudo -n apt-get update; fi >/dev/null 2>&1; }
if ! has promtool && [ ! -x .build/tools/promtool ]; then
    echo "bootstrap: fetching promtool into .build/tools" >&2
    fetch_promtool || { update_lists && fetch_promtool; } ||
        echo "bootstrap: there is no promtool; the checks of the metrics will be skipped" >&2
fi
venv .build/venv Tests/Tools/requirements.txt "for the cross-checks"
