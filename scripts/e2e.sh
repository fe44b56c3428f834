#!/usr/bin/env bash
# The tests in real browsers (Chromium; then WebKit and Firefox), against the real server with real clips. Builds neither.
# Arguments go to pytest: scripts/e2e.sh -k keyboard
# Without any, tests marked `long` are left out; CLIPFEED_PROOF=browser asks for all.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/temporary.sh
. scripts/lib/python.sh
bash scripts/web-shell.sh
[ $# -gt 0 ] || [ "${CLIPFEED_PROOF:-}" = browser ] || set -- -m "not long"
# Two at a time, a file each: a page mostly waits. Nothing that a test changes is shared.
"$python" -m pytest -q -p no:cacheprovider -n 2 --dist loadfile web/tests/browser "$@" || status=$?
# 5: a name that only the other folder knows.
[ "${status:-0}" -eq 0 ] || [ "$status" -eq 5 ] || exit "$status"
# One at a time: of two that WebKit's driver starts together one may never come.
# A browser that ends by itself is tried again: it is the driver's word for a page's process that is gone, not a test's.
xvfb-run -a "$python" -m pytest -q -p no:cacheprovider --reruns 2 --only-rerun "page crash or hang" web/tests/engines "$@" ||
  others=$?
[ "${others:-0}" -eq 5 ] && exit "${status:-0}"
exit "${others:-0}"
