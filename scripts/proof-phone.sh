#!/usr/bin/env bash
# A thousand swipes on each link, all four links at once, each a phone without glass of its own: no black start, memory
# flat from swipe 100 on, cache within its budget, every byte accounted for once, nothing fetched that the core did not
# ask for. Other numbers: --swipes N --pace X --seed N. Where the machine is too slow for so many decoders, they come
# late ("decoders late"), which is no fault of the host's.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/phone-server.sh
pids=()
for link in wifi 4g 3g dying; do
  "$phone" evening --server "$url" --data "$temporary/$link" --link "$link" --swipes 1000 --pace 0.3 "$@" \
    >"$temporary/$link.log" 2>&1 &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
for link in wifi 4g 3g dying; do grep -v '^|' "$temporary/$link.log"; done
# The tables of all four as one.
awk '/^\| link/ { table = $0; if (!(table in heads)) { heads[table] = 1; order[++count] = table } }
  /^\| ---/ { rules[table] = $0; next }
  /^\| / && !/^\| link/ { rows[table] = rows[table] "\n" $0 }
  END { for (n = 1; n <= count; n++) print "\n" order[n] "\n" rules[order[n]] rows[order[n]] }' \
  "$temporary"/{wifi,4g,3g,dying}.log
exit "$status"
