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

# begin_stage NAME: what is there now and was not before is of the stage until here. It fails nothing: what runs beside may have
# something there for a while. What is still there at the end is said with the stage after which it was seen first.
stage=
declare -A seen_after=()
note_left() {
  local name
  while IFS= read -r name; do
    [ -z "$name" ] || [ -n "${seen_after["$name"]:-}" ] || seen_after["$name"]=$stage
  done < <(leftovers)
}

begin_stage() {
  [ -z "$stage" ] || note_left
  stage=$1
}

end_temporary() {
  local status=$? left name
  left=$(leftovers)
  rm -rf "$TMPDIR"
  if [ -n "$left" ]; then
    echo "these stayed in the temporary folder:" >&2
    while IFS= read -r name; do
      echo "$name${stage:+ (seen first after: ${seen_after["$name"]:-$stage})}"
    done < <(head -20 <<<"$left") >&2
    [ "$status" -ne 0 ] || status=1
  fi
  exit "$status"
}
trap end_temporary EXIT
