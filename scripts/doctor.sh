#!/usr/bin/env bash
# Says what this machine has and lacks. Changes nothing; exit status 1 if `make run` would not work.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh

status=0
if message=$(. scripts/lib/swift.sh 2>&1); then
  echo "ok       swift: $(. scripts/lib/swift.sh; swift --version 2>/dev/null | head -1)"
else
  echo "missing  $message"
  status=1
fi
report() { # purpose, packages…
  local purpose=$1 missing
  shift
  missing=$(missing_packages "$@" | tr '\n' ' ')
  if [ -z "${missing// /}" ]; then
    echo "ok       packages to $purpose"
  else
    echo "missing  to $purpose: $missing(make installs them)"
    return 1
  fi
}
report run "${run_packages[@]}" || status=1
report test "${test_packages[@]}" || true
if [ -x server/.build/release/clipfeed ]; then
  server/.build/release/clipfeed doctor --data var --web web || status=1
else
  echo "note     the server is not built yet: make run builds it"
fi
exit $status
