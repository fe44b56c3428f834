#!/usr/bin/env bash
# Uploads of the phone against a real server, with one mishap each: the app is killed with -9 before every single thing it does, the
# server is killed or stands still in the middle, the device has no room, the file is gone. Each has to become one clip with the file's
# bytes. An argument: how many steps between two kills (1: every step; 20 is the short version). CLIPFEED_SERVER names the server's program.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
. scripts/lib/packages.sh
. scripts/lib/built.sh

stride=${1:-1} seed=${CLIPFEED_SEED:-1}
need_packages ffmpeg curl jq
swift build --package-path ios/Kit --product uploads 2>&1 | bash scripts/lib/progress.sh
uploads=ios/Kit/.build/debug/uploads
work=$TMPDIR/uploads
mkdir "$work"
port=$((20000 + RANDOM % 20000)) server=
url=http://127.0.0.1:$port

start_server() {
  "$clipfeed" serve --data "$work/server" --web web --host 127.0.0.1 --port "$port" >>"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do curl -fsS -o /dev/null "$url/readyz" 2>/dev/null && return; sleep 0.1; done
  tail -5 "$work/server.log" >&2
  exit 1
}
finish() {
  local status=$?
  set +e
  [ -z "$server" ] || { kill -CONT "$server"; kill -9 "$server"; wait "$server"; } 2>/dev/null
  rm -rf "$work"
  (exit "$status")
  end_temporary
}
trap finish EXIT

ffmpeg -v error -f lavfi -i testsrc=size=160x284:rate=15:duration=1 -c:v libx264 -pix_fmt yuv420p "$work/base.mp4"
# The same pictures in other bytes: a box that players skip, of so many KiB.
film() {
  local size=$(($1 * 1024))
  {
    cat "$work/base.mp4"
    printf "%08x66726565" $((size + 8)) | xxd -r -p
    head -c "$size" < <(openssl enc -aes-128-ctr -nosalt -K "$(printf '%032x' "$3")" -iv "$(printf '%032x' "$seed")" </dev/zero 2>/dev/null)
  } >"$2"
}

films=0 clips=
# film's KiB, mishap, step, smaller film's KiB: whatever happens, one more clip.
upload() {
  local size=$1 mishap=$2 at=$3 small=${4:-} status=0 tries=0 said=
  films=$((films + 1))
  film "$size" "$work/film.mp4" "$films"
  local options=(--server "$url" --data "$work/phone")
  [ -z "$small" ] || { film "$small" "$work/small.mp4" "1$films"; options+=(--small "$work/small.mp4"); }
  "$uploads" "${options[@]}" --file "$work/film.mp4" --mishap "$mishap" --at "$at" --process "$server" >"$work/said" 2>&1 &
  local app=$!
  # Not told: that what was killed is dead.
  {
    while kill -0 $app; do
      kill -0 "$server" || { wait "$server" || true; start_server; }
      if [ "$(cut -d' ' -f3 "/proc/$server/stat")" = T ]; then sleep 2; kill -CONT "$server"; fi
      sleep 0.05
    done
    wait $app || status=$?
  } 2>/dev/null
  while [ "$status" -ne 0 ] && [ $tries -lt 3 ]; do
    tries=$((tries + 1)) status=0
    # NB: a file that was not in the queue yet, or is gone from it, is chosen again by its person.
    "$uploads" "${options[@]}" --file "$work/film.mp4" --again "$work/film.mp4" >"$work/said" 2>&1 || status=$?
  done
  said=$(tail -1 "$work/said")
  [ "$status" -eq 0 ] || { echo "$mishap at $at of $size KiB: $said"; exit 1; }
  clips+=" $(cut -d' ' -f2 <<<"$said")"
  [ -z "$(find "$work/phone" -mindepth 1 -maxdepth 1 ! -name uplink)" ] || { echo "$mishap at $at left files"; exit 1; }
  steps=$(sed -n 's/.* after \([0-9]*\) steps/\1/p' <<<"$said")
}

start_server
upload 2500 none 0
all=$steps
echo "undisturbed: $all steps"
for ((at = 0; at <= all; at += stride)); do upload 2500 kill "$at"; done
echo "killed before each of $((all / stride + 1)) steps"
upload 10500 none 0 700
all=$steps
for ((at = 0; at <= all; at += stride)); do upload 10500 kill "$at" 700; done
echo "killed before each of $((all / stride + 1)) steps with a smaller file made first"
for mishap in kill-server stop-server no-room lose-file; do
  for ((at = 2; at < 14; at += 3 * stride)); do upload 2500 "$mishap" "$at"; done
  echo "$mishap"
done

# As many clips as films, each another one, and of each the bytes of its film.
wanted=$(wc -w <<<"$clips") distinct=$(tr ' ' '\n' <<<"$clips" | sed '/^$/d' | sort -u | wc -l)
cursor= listed=0
while :; do
  page=$(curl -fsS "$url/api/v1/feed?limit=50${cursor:+&cursor=$cursor}")
  listed=$((listed + $(jq '.items | length' <<<"$page")))
  cursor=$(jq -r '.next_cursor // empty' <<<"$page")
  [ -n "$cursor" ] || break
done
echo "$films films, $distinct clips, $listed in the feed"
[ "$films" -eq "$wanted" ] && [ "$films" -eq "$distinct" ] && [ "$films" -eq "$listed" ]
