#!/usr/bin/env bash
# Kills the phone without glass with -9 at a hundred random moments of its evenings and starts it again: its disk holds the
# server's bytes and nothing else, the last feed and drafts come back, and no start fails. Other numbers: --count N --seed N.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/phone-server.sh
"$phone" kills --server "$url" --data "$temporary/phone" "$@"
