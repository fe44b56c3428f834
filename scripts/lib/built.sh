# Sourced by scripts that need a built product: "$clipfeed" is the server's program, the newer one
# of release and debug, and web/core.wasm is there. Nothing is built here.
clipfeed=${CLIPFEED_SERVER:-}
if [ -z "$clipfeed" ]; then
  for build in release debug; do
    candidate=server/.build/$build/clipfeed
    [ -x "$candidate" ] || continue
    if [ -z "$clipfeed" ] || [ "$candidate" -nt "$clipfeed" ]; then clipfeed=$candidate; fi
  done
fi
if [ -z "$clipfeed" ]; then
  echo "The server is not built. Type: swift build --package-path server --product clipfeed" >&2
  exit 1
fi
if [ ! -f web/core.wasm ]; then
  echo "web/core.wasm is not built. Type: make wasm" >&2
  exit 1
fi
export CLIPFEED_SERVER=$clipfeed
