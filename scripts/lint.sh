#!/usr/bin/env bash
# What needs no test run: formatting, who imports whom, what core links, sizes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

echo "== formatting"
git ls-files -co --exclude-standard '*.swift' | xargs swift format lint --strict --parallel
echo "== import boundaries"
bash scripts/check-imports.sh
echo "== the wire's names and numbers"
bash scripts/wire-protocol.sh --check && echo ok
echo "== tables and their owners"
bash scripts/check-tables.sh
echo "== packages have one version each"
bash scripts/check-pins.sh
echo "== numbers from outside"
bash scripts/check-numbers.sh
bash scripts/check-text.sh
echo "== words of names, and the width of comments"
bash scripts/check-names.sh
echo "== sentences in other languages"
bash scripts/check-words.sh
echo "== the Xcode project"
bash scripts/ios-project.sh --check
echo "== core links no Foundation"
bash scripts/check-linkage.sh
echo "== sizes"
bash scripts/check-budget.sh
