#!/usr/bin/env bash
# Draws what a device shows of the page once it is installed: icons from web/icon.svg, and pictures of the page itself with the demo
# clips, which are ours. Needs a built server.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/temporary.sh
. scripts/lib/python.sh
"$python" scripts/lib/web_pictures.py "$clipfeed" web
