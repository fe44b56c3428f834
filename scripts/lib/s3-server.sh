#!/usr/bin/env bash
# Runs a command beside a real S3 server: OpenStack Swift with its s3api, on free ports of loopback,
# in a folder of its own, gone when the command has ended.   bash scripts/lib/s3-server.sh COMMAND…
#
# The command finds in its environment CLIPFEED_TEST_S3_ENDPOINT, _BUCKET, _REGION, _ACCESS_KEY,
# _SECRET_KEY, and _DOMAIN, under which buckets are also known by host name (virtual-host style).
set -euo pipefail
[ $# -gt 0 ] || { echo "s3-server.sh: say which command to run beside the server" >&2; exit 2; }
. "$(dirname "${BASH_SOURCE[0]}")/held-ports.sh"
for program in swift-{proxy,object,container,account}-server memcached; do
  command -v "$program" >/dev/null && continue
  echo "s3-server.sh: $program is missing; make test installs it" >&2
  exit 1
done

# Swift keeps what it knows of an object in extended attributes, which not every file system has.
# Memory comes first where there is enough: Swift waits for the disk at every write.
keeps_attributes() {
  /usr/bin/python3 - "$1" 2>/dev/null <<'PYTHON'
import os, shutil, sys, tempfile
assert shutil.disk_usage(sys.argv[1]).free > 1 << 30
with tempfile.NamedTemporaryFile(dir=sys.argv[1]) as file:
    os.setxattr(file.name, "user.swift.metadata", b"x" * 1024)
PYTHON
}
home=
for place in /dev/shm "${TMPDIR:-/tmp}" /var/tmp "$PWD"; do
  keeps_attributes "$place" && home=$(mktemp -d "$place/clipfeed-s3.XXXXXX") && break
done
[ -n "$home" ] || {
  echo "s3-server.sh: no folder with 1 GB free takes user extended attributes (/dev/shm, /tmp, here);" \
    "set TMPDIR to one that does (ext4, xfs, btrfs, tmpfs of Linux 6.6 or later)" >&2
  exit 1
}
servers=()
stop() {
  [ "${#servers[@]}" -eq 0 ] || kill "${servers[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

hold_ports 5
servers+=("$HOLDER_PID")
read -r proxy object container account cache <<<"${held_ports[*]}"
secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
domain=s3.clipfeed.test
mkdir -p "$home/disks/d1" "$home/run"

cat >"$home/swift.conf" <<CONF
[swift-hash]
swift_hash_path_suffix = clipfeed
[storage-policy:0]
name = only
default = yes
CONF
# A busy machine may take seconds for what takes milliseconds, and an update that is given up would be left to a
# daemon that does not run here: a listing would lack an object.
patience='node_timeout = 60
conn_timeout = 20
container_update_timeout = 60'
common() { # port
  cat <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
workers = 0
user = $(id -un)
swift_dir = $home
devices = $home/disks
mount_check = false
disable_fallocate = true
db_preallocation = off
eventlet_debug = false
$patience
CONF
}
for kind in object container account; do
  { common "${!kind}"
    printf '[pipeline:main]\npipeline = %s-server\n' "$kind"
    printf '[app:%s-server]\nuse = egg:swift#%s\n%s\n' "$kind" "$kind" "$patience"
    printf 'allow_versions = false\nrecon_cache_path = %s/run\n' "$home"; } >"$home/$kind.conf"
done
{ common "$proxy"
  cat <<CONF
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
$patience
recoverable_node_timeout = 60
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$cache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = $domain
cors_preflight_allow_origin = *
[filter:tempauth]
use = egg:swift#tempauth
user_clipfeed_tester = $secret .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
CONF
} >"$home/proxy.conf"

# Where each kind of thing lies: on the one disk. What swift-ring-builder does, in one process instead of nine.
rings() {
  /usr/bin/python3 - "$home" "object=$object" "container=$container" "account=$account" <<'PYTHON'
import sys
from swift.common.ring import RingBuilder
for kind, port in (pair.split("=") for pair in sys.argv[2:]):
    ring = RingBuilder(part_power=2, replicas=1, min_part_hours=0)
    ring.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "d1", "weight": 1.0})
    ring.rebalance()
    ring.get_ring().save(f"{sys.argv[1]}/{kind}.ring.gz")
PYTHON
}

as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(-u root)
memcached -l 127.0.0.1 -p "$cache" -U 0 -m 32 -t 1 "${as_user[@]}" >"$home/cache.log" 2>&1 &
servers+=($!)
start() { # kind
  "swift-$1-server" "$home/$1.conf" >"$home/$1.log" 2>&1 &
  servers+=($!)
}
start object
start container
start account
rings
start proxy

export CLIPFEED_TEST_S3_ENDPOINT=http://127.0.0.1:$proxy CLIPFEED_TEST_S3_REGION=us-east-1
export CLIPFEED_TEST_S3_ACCESS_KEY=clipfeed:tester CLIPFEED_TEST_S3_SECRET_KEY=$secret
export CLIPFEED_TEST_S3_BUCKET=clipfeed-test CLIPFEED_TEST_S3_DOMAIN=$domain
# It answers once the account can be signed in to, and a container can be made in it.
ready() {
  local address=$CLIPFEED_TEST_S3_ENDPOINT token
  token=$(curl -sf -m 20 -H 'X-Auth-User: clipfeed:tester' -H "X-Auth-Key: $secret" -D - -o "$home/auth" \
    "$address/auth/v1.0" | tr -d '\r' | awk 'tolower($1) == "x-auth-token:" { print $2 }') || return 1
  # The parts of an upload lie in a container of their own, and both answer browsers of any origin.
  for name in "$CLIPFEED_TEST_S3_BUCKET" "$CLIPFEED_TEST_S3_BUCKET%2Bsegments"; do
    curl -sf -m 20 -X PUT -H "X-Auth-Token: $token" -H 'X-Container-Meta-Access-Control-Allow-Origin: *' \
      -H 'X-Container-Meta-Access-Control-Expose-Headers: Content-Range' \
      -o "$home/made" "$address/v1/AUTH_clipfeed/$name" || return 1
  done
}
for ((tries = 0; ; tries++)); do
  ready && break
  for server in "${servers[@]}"; do
    kill -0 "$server" 2>/dev/null && [ "$tries" -lt 600 ] && continue
    echo "s3-server.sh: the S3 server did not start:" >&2
    tail -n 20 "$home"/*.log >&2
    exit 1
  done
  sleep 0.1
done
# Not exec: the servers are stopped after it.
"$@"
