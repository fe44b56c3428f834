#!/usr/bin/env bash
# Who may import whom. A line of scripts/boundaries.txt: module: what it may import | the reason.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
while IFS= read -r folder; do
  module=$(basename "$folder")
  rule=$(grep -E "^$module:" scripts/boundaries.txt) || {
    echo "$folder: has no line in scripts/boundaries.txt; say there what $module may import, and why" >&2
    status=1
    continue
  }
  allowed=$(sed -E 's/^[^:]*:([^|]*)\|.*/\1/' <<<"$rule")
  reason=${rule#*|}
  while IFS=: read -r file line import; do
    name=$(awk '{ print $NF }' <<<"$import")
    case " $allowed " in *" $name "*) continue ;; esac
    echo "$file:$line: $module must not import $name:$reason" >&2
    status=1
  done < <(grep -rnE '^[[:space:]]*(@[a-zA-Z_]+(\([^)]*\))?[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]' \
    --include='*.swift' "$folder" || true)
done < <(find core/Sources contract/Sources server/Sources simulator/Sources ios/Kit/Sources -mindepth 1 -maxdepth 1 -type d | sort)
[ "$status" -eq 0 ] && echo "ok"
exit "$status"
