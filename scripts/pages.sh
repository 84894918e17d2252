#!/bin/sh
# Writes the manual pages or the shell completions of the built program (or of the program that TRIPKPI names) to a folder.
#
#   scripts/pages.sh man FOLDER
#   scripts/pages.sh completions FOLDER
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-}
folder=${2:-}
[ -n "$folder" ] || { echo "pages: say what, and the folder: scripts/pages.sh man .build/man" >&2; exit 64; }
# SwiftPM keeps this link to what it built last, so that a user without a toolchain (root, say) can install it.
built=.build/release
program=${TRIPKPI:-$built/tripkpi}
[ -x "$program" ] || { echo "pages: there is no program at $program; run make" >&2; exit 66; }
# An absolute path: the generator of manual pages runs the program.
program=$(cd "$(dirname "$program")" && pwd)/${program##*/}
mkdir -p "$folder"

# The generator comes with the parser of the command line, and is built once.
man() {
    generator=${GENERATE_MANUAL:-$built/generate-manual}
    if [ ! -x "$generator" ]; then
        command -v swift >/dev/null 2>&1 || {
            echo "pages: the manual pages are not built and there is no swift; run \`make man\` as the user who built the program" >&2
            exit 69
        }
        swift build -c release --product generate-manual >&2 </dev/null
    fi
    day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F 2>/dev/null || date -u +%F)
    "$generator" "$program" --multi-page --date "$day" --output-directory "$folder"
}

completions() {
    for shell in bash zsh fish; do "$program" --generate-completion-script "$shell" >"$folder/tripkpi.$shell"; done
}

case "$wanted" in
man) man ;;
completions) completions ;;
*) echo "pages: say man or completions" >&2; exit 64 ;;
esac
