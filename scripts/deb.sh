#!/bin/sh
# Packs the programs as a Debian package into .build/deb. They are linked with the Swift runtime, so the machine that they are
# installed on needs no Swift. Nothing of the package runs when it is installed or removed.
#
#   scripts/deb.sh             builds the programs for it, in .build/static; the other builds are not touched
#   scripts/deb.sh PROGRAM     packs a tripkpi that is already built, and the tripkpi-serve beside it
#   CHECK_DEB=FOLDER         another folder than .build/deb
set -eu
cd "$(dirname "$0")/.."
fail() { echo "deb: $*" >&2; exit 1; }
command -v dpkg-deb >/dev/null 2>&1 || fail "there is no dpkg-deb; make packages on Debian or a system made from it"
command -v objdump >/dev/null 2>&1 || fail "there is no objdump (Debian: binutils)"

program=${1:-}
if [ -z "$program" ]; then
    for product in tripkpi tripkpi-serve generate-manual; do
        swift build -c release --static-swift-stdlib --scratch-path .build/static --product "$product" >&2 </dev/null
    done
    program=.build/static/release/tripkpi
    GENERATE_MANUAL=$PWD/.build/static/release/generate-manual
    export GENERATE_MANUAL
fi
# The sources of what is linked, with their licences.
checkouts=.build/checkouts
[ "$program" != .build/static/release/tripkpi ] || checkouts=.build/static/checkouts
server=$(dirname "$(readlink -f "$program")")/tripkpi-serve
for each in "$program" "$server"; do
    [ -x "$each" ] || { echo "deb: there is no program at $each" >&2; exit 66; }
    if objdump -p "$each" | grep -q 'NEEDED *libswift'; then
        echo "deb: $each needs the Swift runtime of this machine: the package is for tests only" >&2
    fi
done
version=$("$program" --version)
architecture=$(dpkg --print-architecture)
# The same commit gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
into=${CHECK_DEB:-.build/deb}
package=$into/tripkpi_${version}_$architecture.deb
mkdir -p "$into"
umask 022
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"

DESTDIR=$stage PREFIX=/usr TRIPKPI=$program scripts/install.sh install >/dev/null
documents=$stage/usr/share/doc/tripkpi
gzip -9n "$stage"/usr/share/man/man1/*.1
mv "$documents/CHANGELOG.md" "$documents/changelog"
gzip -9n "$documents/changelog"
# Debian's place for the completions of zsh.
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"

# The licences of what is linked into the programs.
copyright() {
    echo "tripkpi is under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0)."
    echo
    echo "The programs contain the Swift runtime and Foundation, Copyright Apple Inc. and the Swift project authors, under the"
    echo "Apache License 2.0 with Runtime Library Exception (https://swift.org/LICENSE.txt; Debian:"
    echo "/usr/share/common-licenses/Apache-2.0), and ICU (https://www.unicode.org/license.txt). They also contain the libraries"
    echo "below. The synthetic data and the tables of public facts in /usr/share/tripkpi name their sources."
    for licence in "$checkouts"/*/LICENSE* "$checkouts"/*/NOTICE*; do
        [ -e "$licence" ] || continue
        folder=${licence%/*}
        printf '\n\n======== %s: %s\n\n' "${folder##*/}" "${licence##*/}"
        cat "$licence"
    done
}
copyright >"$documents/copyright"

# The newest version of each symbol of libc and libstdc++ that the programs call.
newest() { objdump -T "$program" "$server" | grep -o "$1_[0-9][0-9.]*" | sort -uV | tail -n 1 | cut -d _ -f 2; }
mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<END
Package: tripkpi
Version: $version
Section: utils
Priority: optional
Architecture: $architecture
Maintainer: tripkpi contributors <tripkpi@example.org>
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f 1)
Depends: libc6 (>= $(newest GLIBC)), libgcc-s1, libstdc++6 (>= $(dpkg-query -W -f '${Version}' libstdc++6 | cut -d - -f 1)), libsqlite3-0, libxlsxwriter4, zlib1g
Recommends: tzdata, libisal2
Description: monthly KPIs of ambulance trips, without patient data
 Turns the exports of dispatch, billing and trip-manifest systems into monthly
 KPIs, a dashboard feed and spreadsheets. It reads CSV, TSV, JSON and NDJSON.
 .
 The package has the programs, their profiles, rules and schemas, manual pages,
 shell completions and units of systemd. It enables no unit and makes no user:
 /usr/share/doc/tripkpi/docs/nightly.md has the first night.
END
(cd "$stage" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2 >DEBIAN/md5sums)
find "$stage" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$stage" "$package" >/dev/null
echo "$package"
