#!/usr/bin/env bash
# Writes what the built server is made of (clipfeed.cdx.json, or the file named), as CycloneDX 1.6: Swift packages with their
# versions and revisions, the system's packages that its program loads, those of the ffmpeg that it runs, and those that
# are in the WebAssembly of the web client. Builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/built.sh
file=${1:-clipfeed.cdx.json}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
state=server/.build/workspace-state.json
[ -f "$state" ] || { echo "There is no $state: build the server first (make run)" >&2; exit 1; }
distribution=$(. /etc/os-release; echo "$ID-${VERSION_ID:-0}")

# Packages that hold the shared libraries of a program, and the program itself: role, name, version, architecture, distribution.
packages_of() {
  local role=$1 program=$2
  # dpkg knows a file by the path under which it was packed, on one side of /usr's merge: it is asked for both.
  { echo "$program"; ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'; } |
    awk '{ print; if (/^\/usr\//) print substr($0, 5); else print "/usr" $0 }' |
    { xargs dpkg-query -S 2>/dev/null || true; } | sed 's/: .*//' | sort -u |
    xargs -r dpkg-query -W -f "$role\t\${Package}\t\${Version}\t\${Architecture}\t$distribution\n"
}
{
  packages_of linked "$clipfeed"
  packages_of media "$(command -v ffmpeg)"
  dpkg-query -W -f "wasm\t\${Package}\t\${Version}\t\${Architecture}\t$distribution\n" wasi-libc libclang-rt-14-dev-wasm32
  printf 'toolchain\tswift\t%s\t\t\n' "$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')"
} | sort -t "$(printf '\t')" -k2,2 -k1,1 -s | awk -F '\t' '!seen[$2]++' >"$work/packages"
swift package --package-path server show-dependencies --format json 2>/dev/null >"$work/tree"
version=$(git describe --tags --always --dirty 2>/dev/null || echo unknown)
swift -swift-version 6 scripts/lib/sbom.swift "$state" "$work/tree" "$work/packages" "$version" >"$work/sbom"
mv "$work/sbom" "$file"
echo "$file: $(grep -c '"bom-ref"' "$file") components"
