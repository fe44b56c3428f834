#!/usr/bin/env bash
# A phone without glass: the Kit as a program against a real server with demo clips, once over each link, with kills in
# between. Options go to `phone evening`: --swipes N, --link wifi|4g|3g|dying|all, --seed N, --pace X.
# CLIPFEED_PHONE_URL names a server that runs already.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
. scripts/lib/packages.sh

need_packages ffmpeg curl gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad \
  gstreamer1.0-libav
swift build --package-path ios/Kit --product phone
phone=ios/Kit/.build/debug/phone
temporary=$TMPDIR/phone
mkdir "$temporary"
server=
finish() {
  local status=$?
  set +e
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
  rm -rf "$temporary"
  (exit "$status")
  end_temporary
}
trap finish EXIT
url=${CLIPFEED_PHONE_URL:-}
if [ -z "$url" ]; then
  . scripts/lib/built.sh
  port=$((20000 + RANDOM % 20000))
  url=http://127.0.0.1:$port
  "$clipfeed" serve --data "$temporary/server" --web web --host 127.0.0.1 --port "$port" --demo >"$temporary/server.log" 2>&1 &
  server=$!
  echo "Drawing demo clips (some minutes)…"
  until grep -q 'clips are there' "$temporary/server.log"; do
    kill -0 "$server" || { tail -5 "$temporary/server.log" >&2; exit 1; }
    sleep 1
  done
fi

echo "== the same frames from the proxy as from the server's HLS"
"$phone" frames --server "$url"
echo "== killed in the middle of an evening, and started again"
"$phone" evening --server "$url" --data "$temporary/phone" --link 4g --swipes 1000 --seed 9 &
victim=$!
sleep 15
kill -9 $victim
wait $victim 2>/dev/null || true
"$phone" evening --server "$url" --data "$temporary/phone" --link 4g --swipes 6 --seed 10
echo "== evenings"
"$phone" evening --server "$url" --data "$temporary/phone" "$@"
