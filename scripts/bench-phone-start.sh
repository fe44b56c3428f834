#!/usr/bin/env bash
# A start of the iPhone's host with no network: from an empty process to the first frame of a clip that the last visit
# left on disk. Counts what is read of the app's own folder, by the system's calls.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/phone-server.sh
echo "== the visit before"
"$phone" evening --server "$url" --data "$temporary/phone" --link wifi --swipes 8
echo "== the start"
"$phone" start --server "$url" --data "$temporary/phone"
# A file for each thread: in one, calls of several would interrupt each other's lines.
strace -ff -y -qq -e trace=openat,read,pread64,getdents64,statx,newfstatat -o "$temporary/calls" \
  "$phone" start --server "$url" --data "$temporary/phone" >"$temporary/start.log"
awk -v folder="$temporary/phone" 'index($0, folder) == 0 || / = -1 / { next }
  /^openat\(/ && !/O_DIRECTORY/ && !/O_WRONLY/ { opens++ }
  /^(read|pread64)\(/ { if ($NF > 0) { reads++; bytes += $NF } }
  /^getdents64\(/ { lists++ }
  /^(statx|newfstatat)\(/ { looks++ }
  END {
    print "| files opened | reads | kB read | folder listings | stats |\n| ---: | ---: | ---: | ---: | ---: |"
    printf "| %d | %d | %d | %d | %d |\n", opens, reads, bytes / 1000, lists, looks
  }' "$temporary"/calls.*
