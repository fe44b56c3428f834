#!/usr/bin/env bash
# Holds the sizes in benchmarks/budget.txt: a file that grows past its budget is a decision, made
# by changing that file on purpose.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f web/core.wasm ] && [ -f web/studio.wasm ] && [ -f web/upload.wasm ] && [ -f web/activity.wasm ] || bash scripts/build-wasm.sh

status=0
while read -r limit name pattern; do
  case "$limit" in '#'* | '') continue ;; esac
  # shellcheck disable=SC2086
  size=$(cat $pattern | gzip -9 | wc -c)
  echo "$name: $size of $limit bytes gzipped"
  [ "$size" -le "$limit" ] || { echo "$name is over its budget (benchmarks/budget.txt)" >&2; status=1; }
done <benchmarks/budget.txt
exit "$status"
