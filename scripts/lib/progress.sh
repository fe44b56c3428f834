# Shortens the output of `swift build` and `swift test`: every 25th step of the build; warnings and errors always
# whole. What failed is told once more at the end, where it is looked for.
awk '/^\[[0-9]+\/[0-9]+\]/ { if (n++ % 25 == 0) print; fflush(); next }
  /^(Fetching|Fetched|Computing|Computed|Creating|Working copy|Updating|Updated)/ { next }
  { failure = /^✘/ || (failure && /^↳/); if (failure) failures = failures "\n" $0; print; fflush() }
  END { if (failures != "") print "\nFailed:" failures }'
