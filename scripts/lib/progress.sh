# Shortens the output of `swift build`: its own progress line on a terminal, else every tenth step;
# warnings and errors always whole.
if [ -t 1 ]; then exec cat; fi
awk '/^\[[0-9]+\/[0-9]+\]/ { if (n++ % 25 == 0) print; fflush(); next }
  /^(Fetching|Fetched|Computing|Computed|Creating|Working copy|Updating|Updated)/ { next }
  { print; fflush() }'
