#!/usr/bin/env bash
# The core must pull in neither Foundation nor anything else beyond the standard library: it runs
# in a browser and on a phone. Asks the compiler's own link instructions in every object.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

swift build --package-path core 2>&1 | bash scripts/lib/progress.sh
# The standard library and what the compiler links into every module by itself.
allowed='-lswift(SwiftOnoneSupport|Core|_Concurrency|_StringProcessing|_RegexParser)'
count=0
status=0
while IFS= read -r object; do
  count=$((count + 1))
  found=$(swift-autolink-extract "$object" -o - 2>/dev/null | tr ' ' '\n' | grep -E '^-l' \
    | grep -vE "^$allowed\$" | sort -u | tr '\n' ' ') || true
  [ -z "$found" ] && continue
  echo "$object wants $found: core must link nothing but the standard library" >&2
  status=1
done < <(find -L core/.build/debug -path '*.build/*.o' -not -path '*Test*')
[ "$count" -gt 0 ] || { echo "check-linkage: no object of core found" >&2; exit 1; }
[ "$status" -eq 0 ] && echo "ok ($count objects)"
exit "$status"
