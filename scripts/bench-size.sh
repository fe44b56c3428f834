#!/usr/bin/env bash
# Bytes of what every viewer downloads before the first frame, as they are and after gzip -9.
set -euo pipefail
cd "$(dirname "$0")/../web"
[ -f core.wasm ] || { echo "web/core.wasm is not built. Type: make wasm" >&2; exit 1; }
printf '| part | files | bytes | gzip -9 |\n| --- | ---: | ---: | ---: |\n'
sum=0 packed=0
# The files that the budget names.
files() { sed -n "s/^[0-9]* $1 //p" ../benchmarks/budget.txt | sed 's/web\///g'; }
row() {
  local name=$1 raw=0 small=0 file
  shift
  # Each file by itself, as it is sent.
  for file in "$@"; do
    raw=$((raw + $(wc -c <"$file")))
    small=$((small + $(gzip -9 -c "$file" | wc -c)))
  done
  printf '| %s | %d | %d | %d |\n' "$name" $# $raw $small
  sum=$((sum + raw)) packed=$((packed + small))
}
row core.wasm core.wasm
# shellcheck disable=SC2046
row JavaScript $(files JavaScript)
# shellcheck disable=SC2046
row CSS $(files CSS)
row HTML index.html
printf '| all | | %d | %d |\n' $sum $packed
