#!/usr/bin/env bash
# Puts typical mistakes into the iPhone's sources, declarations and project, one at a time (ios/mutants.txt), and looks
# whether the checks tell them. Those that get through stand in ios/mutants-missed.txt, each with the reason.
# Arguments: which of them (7, 10-20, a piece of a name or of a file's path); none: all.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# Its modules are those of what a mistake cannot touch.
bash scripts/ios-check.sh >"$copy/check.log" 2>&1 || { cat "$copy/check.log"; exit 1; }
# Optimised: they run some hundred times.
swift build -c release --package-path ios/Tools 2>&1 | bash scripts/lib/progress.sh
PATH="$(dirname "$(readlink -f "$(command -v swiftc)")"):$PATH" ios/Tools/.build/release/MutantRun "$PWD" "$copy" "$@"
