#!/usr/bin/env bash
# Random bytes, guided by which code they reach (libFuzzer), into everything that reads bytes of strangers.
#
#   scripts/fuzz.sh [--seconds N] [TARGET…]     half an hour each of all targets, unless said otherwise
#
# What was reached is kept in .build-fuzz/corpus, so that the next run goes on from there. A finding ends its target; its bytes are in
# .build-fuzz/findings, and `FUZZ_TARGET=TARGET .build-fuzz/release/Fuzz FILE` reads them again.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
need_packages "${run_packages[@]}" "${test_packages[@]}"

seconds=1800
if [ "${1:-}" = --seconds ]; then
  seconds=$2
  shift 2
fi
all=(archives boxes captions doors headers identity json passkeys pictures playlists probe ranges texts tokens)
targets=("${@:-${all[@]}}")
build=.build-fuzz
swift build -c release --package-path fuzz --scratch-path "$build" --sanitize=fuzzer -Xswiftc -enable-testing 2>&1 |
  bash scripts/lib/progress.sh

# NB: Swift's own tracer would take a trap before libFuzzer sees it, and seconds for it.
export SWIFT_BACKTRACE=enable=no
status=0
mkdir -p "$build/findings"
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target log=$build/$target.log
  mkdir -p "$corpus"
  printf '%-10s ' "$target"
  # 5 s for one input is a finding: the longest that any takes is milliseconds.
  if FUZZ_TARGET=$target "$build/release/Fuzz" "$corpus" "fuzz/seeds/$target" \
    -max_total_time="$seconds" -max_len=65536 -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$build/findings/$target-" >"$log" 2>&1; then
    runs=$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")
    edges=$(grep -ao 'cov: [0-9]*' "$log" | tail -1)
    echo "$runs inputs, $edges edges, $(find "$corpus" -type f | wc -l) kept, nothing found"
  else
    status=1
    echo "FOUND: $(grep -aE 'SUMMARY|Fatal error' "$log" | head -2 | tr '\n' ' ')"
    grep -a 'Test unit written' "$log" || tail -5 "$log"
  fi
done
exit "$status"
