#!/usr/bin/env bash
# Who may import whom. A line of scripts/boundaries.txt: module: what it may import | the reason.
# CLIPFEED_IOS_SOURCES: as scripts/ios-check.sh has it.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
while IFS= read -r twice; do
  echo "scripts/boundaries.txt says twice what $twice may import" >&2
  status=1
done < <(grep -oE '^[^#:]+' scripts/boundaries.txt | sort | uniq -d)
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
done < <(find core/Sources contract/Sources server/Sources simulator/Sources ranking/Sources "${CLIPFEED_IOS_SOURCES:-ios}/Kit/Sources" -mindepth 1 -maxdepth 1 -type d | sort)

# Tests of a module by itself know no instance. Options are of the composition root by nature, and it has tests
# of its own.
. scripts/lib/server-tests.sh
for folder in server/Tests/*/; do
  name=$(basename "$folder")
  [[ $name. =~ $beside_servers ]] && continue
  known='ServerTesting|Composition'
  [[ $name != OptionsTests && $name != CompositionTests ]] || known=ServerTesting
  if grep -rnE --include='*.swift' "import ($known)\$" "$folder" >&2; then
    echo "$name is for tests of a module by itself: what needs an instance belongs to EndToEndTests" >&2
    status=1
  fi
done
[ "$status" -eq 0 ] && echo "ok"
exit "$status"
