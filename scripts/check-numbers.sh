#!/usr/bin/env bash
# Whole numbers from outside are made by SafeInteger and Int(clamping:). The compiler sees to it where Platform is imported
# (server/Sources/Platform/Text/NumberTraps.swift); here is what it does not see: server files that make an Int of text or of a
# rounded Double without that import. (Demo draws pictures and knows nothing from outside.)
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
while read -r file; do
  grep -q '^\(public \|internal \|package \)\?import Platform$' "$file" && continue
  case "$file" in server/Sources/Platform/* | server/Sources/Demo/*) continue ;; esac
  if grep -nE 'U?Int(8|16|32|64)?\([^)]*(rounded|Double\()|(flatMap|compactMap)(\(|[[:space:]]*\{[[:space:]]*)U?Int(64|32)?(\.init|\(\$0\))' "$file"; then
    echo "$file: import Platform, whose Int(clamping:) and SafeInteger do not trap" >&2
    status=1
  fi
done < <(git ls-files -co --exclude-standard 'server/Sources/*.swift')
[ "$status" -eq 0 ] && echo ok
exit "$status"
