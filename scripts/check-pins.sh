#!/usr/bin/env bash
# Every package is asked for by one version. Package.resolved is not committed, so a range would be whatever is newest on the
# day of a build, on each machine another.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
while IFS=: read -r file line text; do
  grep -q 'exact: "' <<<"$text" && continue
  echo "$file:$line: must say exact: and one version:$text" >&2
  status=1
done < <(git ls-files -co --exclude-standard '*Package.swift' | xargs grep -nE '\.package\([^)]*(url|id):')
[ "$status" -eq 0 ] && echo "ok"
exit "$status"
