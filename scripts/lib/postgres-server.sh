#!/usr/bin/env bash
# Runs a command beside a real PostgreSQL server, on a free port of loopback, in a folder of its own, gone when the
# command has ended.   bash scripts/lib/postgres-server.sh COMMAND…
#
# The command finds in its environment CLIPFEED_TEST_POSTGRES (the address of an empty database, as a role that may make
# others), CLIPFEED_TEST_POSTGRES_ROOT (the certificate that vouches for the server's, whose name is localhost), and
# CLIPFEED_TEST_POSTGRES_CONTROL, a program: `… stop` (as a crash does), `… start`.
set -euo pipefail
[ $# -gt 0 ] || { echo "postgres-server.sh: say which command to run beside the server" >&2; exit 2; }
. "$(dirname "${BASH_SOURCE[0]}")/held-ports.sh"
bin=
for folder in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin; do
  [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ] && bin=$folder
done
[ -n "$bin" ] || { echo "postgres-server.sh: PostgreSQL is missing; make test installs it" >&2; exit 1; }

# Memory comes first where there is enough: the tests make a database each.
home=
for place in /dev/shm "${TMPDIR:-/tmp}" /var/tmp; do
  [ "$(df -Pk "$place" 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 2097152 ] 2>/dev/null || continue
  home=$(mktemp -d "$place/clipfeed-pg.XXXXXX") && break
done
[ -n "$home" ] || { echo "postgres-server.sh: no folder with 2 GB free" >&2; exit 1; }
# PostgreSQL does not run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$home"
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
# What the data is worth to nobody is not kept through a power cut; it is through a kill.
control() {
  # shellcheck disable=SC2086
  "${as[@]}" "$bin/pg_ctl" -D "$home/data" -l "$home/log" -s "$@"
}
stop() {
  control stop -m immediate >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

# PostgreSQL is stopped and started again meanwhile.
hold_ports 1
port=${held_ports[0]}
secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
chmod 755 "$home"
printf '%s' "$secret" >"$home/secret"
# A root of its own, so that trust in it is not trust in the server's key.
{
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj '/CN=clipfeed test root' \
    -keyout "$home/root.key" -out "$home/root.crt"
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=localhost' \
    -addext 'subjectAltName=DNS:localhost' -keyout "$home/server.key" -out "$home/server.csr"
  printf 'subjectAltName=DNS:localhost' >"$home/names"
  openssl x509 -req -in "$home/server.csr" -CA "$home/root.crt" -CAkey "$home/root.key" -CAcreateserial -days 2 \
    -extfile "$home/names" -out "$home/server.crt"
} >"$home/openssl.log" 2>&1 || { cat "$home/openssl.log" >&2; exit 1; }
chmod 600 "$home/server.key"
chmod 644 "$home/root.crt" "$home/server.crt"
[ ${#as[@]} -eq 0 ] || chown postgres "$home"/*

(cd "$home" && "${as[@]}" "$bin/initdb" -D "$home/data" -U clipfeed -A scram-sha-256 --pwfile="$home/secret" \
  -E UTF8 --locale=C.UTF-8 --no-sync >"$home/initdb.log" 2>&1) || { cat "$home/initdb.log" >&2; exit 1; }
cat >>"$home/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$home'
max_connections = 1000
shared_buffers = 64MB
fsync = off
full_page_writes = off
autovacuum_naptime = 10min
ssl = on
ssl_cert_file = '$home/server.crt'
ssl_key_file = '$home/server.key'
# Deadlocks are rare, and each test that has one waits for this long.
deadlock_timeout = 200ms
CONF
cat >"$home/control" <<CONTROL
#!/usr/bin/env bash
set -e
cd "$home"
# The server outlives its starter, and must not hold open what others wait for the end of.
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "\$fd" -le 2 ] || eval "exec \$fd>&-"
done
case \$1 in
  stop) exec ${as[@]+"${as[*]}"} "$bin/pg_ctl" -D "$home/data" -s -m immediate stop ;;
  start) exec ${as[@]+"${as[*]}"} "$bin/pg_ctl" -D "$home/data" -l "$home/log" -s -w start ;;
esac
CONTROL
chmod 755 "$home/control"
"$home/control" start || { tail -n 20 "$home/log" >&2; exit 1; }
export CLIPFEED_TEST_POSTGRES="postgres://clipfeed:$secret@localhost:$port/postgres"
export CLIPFEED_TEST_POSTGRES_ROOT=$home/root.crt CLIPFEED_TEST_POSTGRES_CONTROL=$home/control
# Not exec: the server is stopped after it.
"$@"
