#!/usr/bin/env bash
# The tests in a real browser, against the real server with real clips. Builds neither.
# Arguments go to pytest: scripts/e2e.sh -k keyboard
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/temporary.sh
. scripts/lib/python.sh
"$python" -m pytest -q -p no:cacheprovider web/tests/browser "$@"
