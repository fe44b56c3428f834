#!/usr/bin/env bash
# Writes ios/Clipfeed.xcodeproj. With --check it changes nothing and fails where the project, its property lists, pictures or
# texts are not as they must be. With --parsers it also has two parsers of other people read them (installs one from PyPI).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

swift build --package-path ios/Tools --product ProjectGeneration 2>&1 | bash scripts/lib/progress.sh
check=()
[ -z "${1:-}" ] || check=(--check)
ios/Tools/.build/debug/ProjectGeneration ios "${check[@]}"
[ -n "${1:-}" ] || exit 0
plists=(ios/App/Info.plist ios/App/Clipfeed.entitlements ios/App/Clipfeed/PrivacyInfo.xcprivacy)
"$(dirname "$(readlink -f "$(command -v swiftc)")")/plutil" -lint -s ios/Clipfeed.xcodeproj/project.pbxproj "${plists[@]}"
[ "$1" = --parsers ] || exit 0

venv=ios/.build-check/venv
if ! cmp -s ios/Tools/Tests/Parsers/requirements.txt "$venv/requirements.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r ios/Tools/Tests/Parsers/requirements.txt
  cp ios/Tools/Tests/Parsers/requirements.txt "$venv/requirements.txt"
fi
"$venv/bin/python" ios/Tools/Tests/Parsers/read_project.py ios/Clipfeed.xcodeproj "${plists[@]}"
