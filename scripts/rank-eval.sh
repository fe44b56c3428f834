#!/usr/bin/env bash
# The ranker on public data sets: KuaiRand-Pure (../shared/data/kuairand-pure or --kuairand DIR), and splits in LightGCN's format
# (--gowalla DIR, --ml1m DIR, --tiktok DIR). See benchmarks/README.md, and `scripts/rank-eval.sh --help` for all options.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
options=() kuairand=../shared/data/kuairand-pure
while [ $# -gt 0 ]; do
  case $1 in
    --kuairand) kuairand=${2:?--kuairand needs a folder} && shift ;;
    *) options+=("$1") ;;
  esac
  shift
done
swift build -c release --package-path ranking --product rank-eval 2>&1 | bash scripts/lib/progress.sh >&2
if [[ " ${options[*]-} " != *" --help "* ]] && [ -d "$kuairand" ]; then
  # Its tables are Parquet, which Swift has no reader for.
  python=ranking/.build/python/bin/python
  if ! cmp -s ranking/Tools/requirements.txt ranking/.build/python/requirements.txt; then
    echo "Installing the Python package that reads Parquet (ranking/.build/python)…" >&2
    rm -rf ranking/.build/python
    python3 -m venv ranking/.build/python
    "$python" -m pip install --quiet --disable-pip-version-check -r ranking/Tools/requirements.txt
    cp ranking/Tools/requirements.txt ranking/.build/python/requirements.txt
  fi
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  "$python" ranking/Tools/kuairand.py "$kuairand" "$temporary"
  options+=(--kuairand "$temporary")
fi
ranking/.build/release/rank-eval "${options[@]}"
