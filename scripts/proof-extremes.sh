#!/usr/bin/env bash
# Every route with every header, parameter, cookie and JSON field that code reads, each holding numbers and letters at their
# ends, against the newest build; on files and on a bucket, with and without nginx. Minutes. `make test` sends a part.
set -euo pipefail
cd "$(dirname "$0")/.."
CLIPFEED_PROOF=extremes exec bash scripts/wire-tests.sh -k extremes -s "$@"
