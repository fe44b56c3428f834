#!/usr/bin/env bash
# The iPhone app as far as Linux can tell (docs/design/ios-check.md): what its Kit does without a framework of Apple's, that
# the rest fits the declared interfaces of iOS, and that project, lists and texts are as they must be. Nothing runs on a phone.
# --checks and --tests: only one of both. Checks compute and wait for nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

checks() {
  for package in Kit Tools; do
    swift build --build-tests --package-path "ios/$package" 2>&1 | bash scripts/lib/progress.sh
  done
  bash scripts/ios-check.sh
  bash scripts/ios-project.sh --parsers
}
tests() {
  bash scripts/ios-tests.sh 2>&1 | bash scripts/lib/progress.sh
  swift test --package-path ios/Tools 2>&1 | bash scripts/lib/progress.sh
}
case ${1:-} in
  --checks) checks ;;
  --tests) tests ;;
  *)
    tests
    checks
    ;;
esac
