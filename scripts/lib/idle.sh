#!/usr/bin/env bash
# Runs a command with the processor time that nothing else wants: less than that of conversions, which the server gives a
# niceness of 19. Where the system refuses that, the least that a niceness can say.   bash scripts/lib/idle.sh COMMAND…
set -euo pipefail
# The processor may be shared among sessions first, and by priority within one.
{ echo 19 >/proc/self/autogroup; } 2>/dev/null || true
chrt --idle --pid 0 $$ 2>/dev/null || renice -n 19 -p $$ >/dev/null
"$@" 2>&1 | bash scripts/lib/progress.sh
