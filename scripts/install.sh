#!/bin/sh
# Installs what `make` has built, or takes it away again. Nothing is started, and no settings, keys or data are touched.
# Manual pages and shell completions are made by this script, from the program that it installs.
#
#   scripts/install.sh install     below $DESTDIR$PREFIX (PREFIX=/usr/local)
#   scripts/install.sh uninstall
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-}
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
share=$root/share/tripkpi
documents=$root/share/doc/tripkpi
units=$root/lib/systemd/system

fail() { echo "install: $*" >&2; exit 1; }
case "$prefix" in /*) ;; *) fail "PREFIX must be an absolute path, not '$prefix'" ;; esac

# Copies a folder's files, and the folders in it, for everyone to read.
copy_folder() {
    find "$1" -type f ! -name '.*' | while read -r file; do
        install -D -m 0644 "$file" "$2/${file#"$1"/}"
    done
}

# Symbols and debugging information are three quarters of a program.
strip_program() {
    for strip in strip llvm-strip; do
        if command -v "$strip" >/dev/null 2>&1; then
            "$strip" "$1" || fail "$strip cannot strip $1"
            return
        fi
    done
    echo "install: there is no strip (Debian: binutils); the programs keep their symbols" >&2
}

# The pages beside the data that they link: share/doc/tripkpi/data leads to share/tripkpi.
install_documents() {
    copy_folder docs "$documents/docs"
    for page in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE; do install -m 0644 "$page" "$documents/$page"; done
    ln -sfn ../../tripkpi "$documents/data"
}

# Made before anything is installed: what can fail comes first.
make_pages() {
    pages=$(mktemp -d)
    trap 'rm -rf "$pages"' EXIT
    TRIPKPI=$program
    export TRIPKPI
    scripts/pages.sh man "$pages/man"
    scripts/pages.sh completions "$pages/completions"
}

install_pages() {
    for page in "$pages"/man/*.1; do install -D -m 0644 "$page" "$root/share/man/man1/${page##*/}"; done
    install -D -m 0644 "$pages/completions/tripkpi.bash" "$root/share/bash-completion/completions/tripkpi"
    install -D -m 0644 "$pages/completions/tripkpi.zsh" "$root/share/zsh/site-functions/_tripkpi"
    install -D -m 0644 "$pages/completions/tripkpi.fish" "$root/share/fish/vendor_completions.d/tripkpi.fish"
}

install_all() {
    program=${TRIPKPI:-.build/release/tripkpi}
    # What `tripkpi serve` starts lies beside it.
    server=$(dirname "$(readlink -f "$program")")/tripkpi-serve
    for each in "$program" "$server"; do
        [ -x "$each" ] || { echo "install: there is no program at $each; run make" >&2; exit 66; }
    done
    make_pages
    install -D -m 0755 "$program" "$root/bin/tripkpi"
    install -D -m 0755 "$server" "$root/bin/tripkpi-serve"
    for name in tripkpi tripkpi-serve; do strip_program "$root/bin/$name"; done
    copy_folder data "$share"
    # A page about the checkout, which would be taken for that of the program.
    rm -f "$share/README.md"
    # These are installed where the machine looks for them.
    rm -f "$share"/systemd/tripkpi*
    copy_folder queries "$share/queries"
    # cron knows few folders.
    sed "s#^PATH=/usr/local/bin:#PATH=$prefix/bin:#" data/cron/tripkpi >"$share/cron/tripkpi"
    for unit in data/systemd/tripkpi*; do
        name=${unit##*/}
        install -d "$units"
        # The unit names the program where it will be, not where this installation is prepared.
        sed "s#/usr/local/bin/tripkpi#$prefix/bin/tripkpi#" "$unit" >"$units/$name"
        chmod 0644 "$units/$name"
    done
    # The pages that the alerts name.
    for rules in data/prometheus/*.yml; do
        sed "s#/usr/local/share/#$prefix/share/#" "$rules" >"$share/prometheus/${rules##*/}"
    done
    install_documents
    install_pages
    echo "Installed below $root. Next: $prefix/bin/tripkpi doctor"
}

uninstall_all() {
    rm -rf "$share" "$documents"
    rm -f "$root/bin/tripkpi" "$root/bin/tripkpi-serve" "$units/tripkpi.service" "$units/tripkpi.timer" "$units/tripkpi-failure@.service" \
        "$units/tripkpi@.service" "$units/tripkpi-serve.service" "$units/tripkpi-digest@.service" \
        "$units/tripkpi-digest.timer" \
        "$root"/share/man/man1/tripkpi.1 "$root"/share/man/man1/tripkpi.*.1 \
        "$root/share/bash-completion/completions/tripkpi" "$root/share/zsh/site-functions/_tripkpi" \
        "$root/share/fish/vendor_completions.d/tripkpi.fish"
    echo "Removed from $root. Settings, keys, store and reports are still where they were."
}

case "$wanted" in
install) install_all ;;
uninstall) uninstall_all ;;
*) echo "install: say install or uninstall" >&2; exit 64 ;;
esac
