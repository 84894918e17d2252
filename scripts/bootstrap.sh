#!/bin/sh
# Installs what the build or the tests need and this machine lacks. Says nothing if nothing is missing.
#
#   scripts/bootstrap.sh build    C libraries and pkg-config (the Swift toolchain is presumed)
#   scripts/bootstrap.sh test     the same, the Python that the cross-checks run in (.build/venv), and chromium for the
#                                 checks of dashboard.html
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
has_header zlib.h || need zlib1g-dev
has_header sqlite3.h || need libsqlite3-dev
has_header xlsxwriter.h || need libxlsxwriter-dev
case "$wanted" in
build) ;;
test | office | gallery)
    # Debian splits the part of Python that fills a new environment into a package of its own.
    python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || { need python3; need python3-venv; }
    ;;
*) fail "what is '$wanted'? Say build, test, office or gallery" ;;
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

[ "$wanted" != build ] || exit 0
# Not every system has it, and all but one check do without.
if ! command -v chromium >/dev/null 2>&1 && ! command -v chromium-browser >/dev/null 2>&1; then
    missing=" chromium"
    (install_missing) || echo "bootstrap: there is no chromium; Tests/Tools/check_dashboard.py will check nothing" >&2
fi
requirements=Tests/Tools/requirements.txt
if ! cmp -s "$requirements" .build/venv/requirements.txt; then
    echo "bootstrap: making .build/venv for the cross-checks" >&2
    mkdir -p .build
    rm -rf .build/venv
    python3 -m venv .build/venv
    .build/venv/bin/pip install --quiet --disable-pip-version-check -r "$requirements" </dev/null >&2
    # Last, so that an interrupted install is made again.
    cp "$requirements" .build/venv/requirements.txt
fi
