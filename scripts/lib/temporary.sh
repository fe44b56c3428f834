# A temporary folder of its own for whatever follows, removed at the end. What a test leaves in it fails the script: on
# somebody's machine it would stay in /tmp. Sourced, as `. scripts/lib/temporary.sh`; not followed by `exec`.
# Not counted: what the tools themselves keep there (SwiftPM, pytest's last runs, a browser's sound).
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/clipfeed-tests.XXXXXX")
# Databases run as users of their own.
chmod 711 "$TMPDIR"
export TMPDIR

leftovers() {
  find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*' ! -name 'swift-generated*' ! -name 'pytest-of-*' ! -name '_*.lock' ! -name 'pulse-*' \
    -printf '%f\n' | sort
}

end_temporary() {
  local status=$? left
  left=$(leftovers)
  rm -rf "$TMPDIR"
  if [ -n "$left" ]; then
    echo "these stayed in the temporary folder:" >&2
    echo "$left" | head -20 >&2
    [ "$status" -ne 0 ] || status=1
  fi
  exit "$status"
}
trap end_temporary EXIT
