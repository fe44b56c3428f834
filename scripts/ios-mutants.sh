#!/usr/bin/env bash
# Puts typical mistakes into the iPhone's sources, declarations and project, one at a time (ios/mutants.txt), and looks
# whether the checks tell them. Those that get through stand in ios/mutants-missed.txt, each with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

bash scripts/ios-check.sh >"$copy/check.log" 2>&1 || { cat "$copy/check.log"; exit 1; }
swift build --package-path ios/Tools 2>&1 | bash scripts/lib/progress.sh
mkdir -p "$copy/Kit/Sources"
cp -r ios/App ios/Declarations ios/Clipfeed.xcodeproj "$copy"
for target in PlayerKit Screens; do
  [ ! -d "ios/Kit/Sources/$target" ] || cp -r "ios/Kit/Sources/$target" "$copy/Kit/Sources"
done
PATH="$(dirname "$(readlink -f "$(command -v swiftc)")"):$PATH" ios/Tools/.build/debug/MutantRun "$PWD" ios/mutants.txt ios/mutants-missed.txt "$copy"
