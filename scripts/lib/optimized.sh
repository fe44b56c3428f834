# Sourced by benchmarks of a server: CLIPFEED_SERVER is its optimized build, made here unless the caller names one.
if [ -z "${CLIPFEED_SERVER:-}" ]; then
  swift build --package-path server -c release --product clipfeed 2>&1 | bash scripts/lib/progress.sh >&2
  export CLIPFEED_SERVER=server/.build/release/clipfeed
fi
