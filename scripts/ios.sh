#!/usr/bin/env bash
# The iPhone app as far as Linux can tell (docs/design/ios-check.md): what its Kit does without a framework of Apple's, that
# the rest fits the declared interfaces of iOS, and that project, lists and texts are as they must be. Nothing runs on a phone.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

bash scripts/ios-tests.sh 2>&1 | bash scripts/lib/progress.sh
swift test --package-path ios/Tools 2>&1 | bash scripts/lib/progress.sh
bash scripts/ios-check.sh
bash scripts/ios-project.sh --parsers
