# Sourced behind temporary.sh: what computes, beside tests that mostly wait. It gets only the processor time that nothing else
# wants (idle.sh), so that no test waits for it, and prints nothing until it is asked for.
#   beside NAME COMMAND…        begins it
#   behind FIRST NAME COMMAND…  begins it once FIRST has ended
#   await NAME                  waits for it, prints what it said, and fails if it failed
#   look_beside                 awaits those that have ended: a build that failed is told before the next hour of tests
declare -A beside_pids=()

beside() {
  local name=$1
  shift
  # A session of its own, so that all of it can be ended at once.
  setsid bash scripts/lib/idle.sh "$@" >"$TMPDIR/beside $name.log" 2>&1 </dev/null &
  beside_pids[$name]=$!
}

behind() {
  local first=${beside_pids[$1]}
  shift
  # NB: one that has ended is a zombie until it is awaited.
  beside "$1" bash -c 'while state=$(ps -o stat= --pid "$1") && [[ $state != Z* ]]; do sleep 1; done; shift; exec "$@"' \
    behind "$first" "${@:2}"
}

# Somebody waits for it now: it gets as much as any other program of this machine. Only root may say so.
hurry() {
  local look task
  {
    echo 0 >"/proc/$1/autogroup"
    # What is asked for the first time may be beginning another.
    for look in first second; do
      for task in $(ps -o pid= --sid "$1"); do chrt --all-tasks --other --pid 0 "$task"; done
    done
  } >/dev/null 2>&1 || true
}

await() {
  local name=$1 status=0
  # Looked at and shown before.
  [ -n "${beside_pids[$name]:-}" ] || return 0
  hurry "${beside_pids[$name]}"
  wait "${beside_pids[$name]}" || status=$?
  unset 'beside_pids[$name]'
  printf '\n=== beside: %s (%d s so far)\n' "$name" "$SECONDS"
  cat "$TMPDIR/beside $name.log"
  rm -f "$TMPDIR/beside $name.log"
  return "$status"
}

look_beside() {
  local name
  for name in "${!beside_pids[@]}"; do
    kill -0 "${beside_pids[$name]}" 2>/dev/null || await "$name" || exit
  done
}

end_beside() {
  local status=$? name
  set +e
  for name in "${!beside_pids[@]}"; do
    # All of its session: a build's compilers are in groups of their own, and would go on writing to the folder.
    while pkill --runstates DRS --session "${beside_pids[$name]}" 2>/dev/null; do sleep 0.1; done
    wait "${beside_pids[$name]}" 2>/dev/null
    rm -f "$TMPDIR/beside $name.log"
  done
  (exit "$status")
  end_temporary
}
trap end_beside EXIT
