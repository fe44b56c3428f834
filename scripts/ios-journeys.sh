#!/usr/bin/env bash
# The iPhone app's models against a real server of their own, with three drawn clips. Builds the Kit and no server.
# Arguments go to swift test. CLIPFEED_URL names a server that runs already (with --proxies 1).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
temporary=$TMPDIR/journeys
mkdir "$temporary" "$temporary/clips"
server=
finish() {
  local status=$?
  set +e
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
  [ "$status" -eq 0 ] || [ ! -f "$temporary/server.log" ] || tail -5 "$temporary/server.log" >&2
  rm -rf "$temporary"
  (exit "$status")
  end_temporary
}
trap finish EXIT
draw() {
  ffmpeg -v error -f lavfi -i "testsrc2=s=180x320:r=25:d=1,hue=h=$1" -f lavfi -i "sine=f=$((220 + $1)):d=1" \
    -c:v libx264 -preset ultrafast -c:a aac "$2"
}
# For tests that upload.
export CLIPFEED_CLIP=$temporary/new.mp4
draw 60 "$CLIPFEED_CLIP"
if [ -z "${CLIPFEED_URL:-}" ]; then
  . scripts/lib/built.sh
  for hue in 0 120 240; do draw "$hue" "$temporary/clips/$hue.mp4"; done
  "$clipfeed" import "$temporary/clips" --data "$temporary/data" >"$temporary/server.log" 2>&1
  # One proxy: what a test says of its address counts, so that each person has limits of their own.
  "$clipfeed" serve --data "$temporary/data" --web web --host 127.0.0.1 --port 0 --proxies 1 >"$temporary/server.log" 2>&1 &
  server=$!
  until CLIPFEED_URL=$(grep -om1 'running: http://[^ ]*' "$temporary/server.log"); do
    kill -0 "$server" || exit 1
    sleep 0.1
  done
  export CLIPFEED_URL=${CLIPFEED_URL#running: }
fi
swift test --package-path ios/Kit --filter JourneyTests "$@"
