#!/usr/bin/env bash
# A phone without glass: the Kit as a program against a real server with demo clips: other players on its proxy, a
# start without a network, and an evening over each link. Options go to `phone evening`: --swipes N,
# --link wifi|4g|3g|dying|all, --seed N, --pace X.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/phone-server.sh

echo "== the same frames and cues from the proxy as from the server's HLS"
"$phone" frames --server "$url" --data "$temporary/frames"
echo "== killed in the middle of an evening, and started again"
"$phone" kills --server "$url" --data "$temporary/killed" --count 10
echo "== evenings"
"$phone" evening --server "$url" --data "$temporary/phone" "$@"
echo "== the clips of a visit, the next day and without a network"
"$phone" evening --server "$url" --data "$temporary/visit" --link wifi --swipes 8 --leaves-every 8
"$phone" start --server "$url" --data "$temporary/visit"
