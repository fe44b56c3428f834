# Sourced: builds the phone without glass, and has a server with demo clips for it: the one of CLIPFEED_PHONE_URL, or one
# that is started here and stopped at the end. Afterwards: "$phone" is the program, "$url" the server, "$temporary" a
# folder that is gone at the end. The folder of CLIPFEED_PHONE_DATA keeps a server's clips for the next run.
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
. scripts/lib/packages.sh

need_packages ffmpeg curl mpv chromium strace gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good \
  gstreamer1.0-plugins-bad gstreamer1.0-libav
swift build --package-path ios/Kit --product phone 2>&1 | bash scripts/lib/progress.sh
phone=ios/Kit/.build/debug/phone
temporary=$TMPDIR/phone
mkdir "$temporary"
phone_server=
finish_phone() {
  local status=$?
  set +e
  [ -z "$phone_server" ] || { kill "$phone_server" && wait "$phone_server"; } 2>/dev/null
  rm -rf "$temporary"
  (exit "$status")
  end_temporary
}
trap finish_phone EXIT
url=${CLIPFEED_PHONE_URL:-}
if [ -z "$url" ]; then
  . scripts/lib/built.sh
  data=${CLIPFEED_PHONE_DATA:-$temporary/server}
  echo "Demo clips (some minutes to draw, once for each folder)…"
  "$clipfeed" demo --data "$data" >"$temporary/demo.log" 2>&1 || { tail -5 "$temporary/demo.log" >&2; exit 1; }
  port=$((20000 + RANDOM % 20000))
  url=http://127.0.0.1:$port
  "$clipfeed" serve --data "$data" --web web --host 127.0.0.1 --port "$port" >"$temporary/server.log" 2>&1 &
  phone_server=$!
  until curl -sf -o "$temporary/ready" "$url/readyz"; do
    kill -0 "$phone_server" || { tail -5 "$temporary/server.log" >&2; exit 1; }
    sleep 0.2
  done
fi
