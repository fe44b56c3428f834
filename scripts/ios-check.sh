#!/usr/bin/env bash
# Type-checks for the iOS target what only a phone runs, without an SDK of Apple's: docs/design/ios-check.md.
# Arguments: versions of iOS (18.0 26.0). For a seeded mistake, after a run without one: CLIPFEED_IOS_SOURCES is another folder
# with Kit/Sources and App, CLIPFEED_IOS_CHANGED the one file there that differs, CLIPFEED_IOS_WORK where its modules go. Only
# what that file can touch is compiled: alone, its module as context, if CLIPFEED_IOS_STEP is "file" (most mistakes are told
# there, in a part of the time), else its module and those that import it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(18.0 26.0)
sources=${CLIPFEED_IOS_SOURCES:-ios}
work=ios/.build-check
# Only this compiler's modules are known to be read after the change of their target.
pinned=6.3.1
swift --version 2>/dev/null | grep -q "Swift version $pinned " || {
  echo "Swift $pinned is needed; this is $(swift --version 2>/dev/null | head -1)" >&2
  exit 1
}
usr=$(cd "$(dirname "$(readlink -f "$(command -v swiftc)")")/.." && pwd)

# The package's targets for the phone in the order in which they import each other, and the app: each with its folder.
names=$(perl -0777 -ne '/let apple: \[Target\] = \[\n(.*?)\n  \]/s or die "no targets for the phone\n"; my $list = $1;
  print "$1\n" while $list =~ /\.target\(\s*name: "(\w+)"/g' ios/Kit/Package.swift)
mapfile -t targets < <({
  sed 's/.*/& &/' <<<"$names"
  cd ios/Kit/Sources
  grep -roE "import ($(paste -sd'|' <<<"$names"))\$" --include='*.swift' $names | sed -E 's#^([^/]+)/.*import (.*)#\2 \1#' | sort -u
} | tsort | sed 's#.*#&:Kit/Sources/&#')
targets+=(Clipfeed:App/Clipfeed)

if [ -z "${CLIPFEED_IOS_SOURCES:-}" ]; then
  echo "== declarations"
  swift build --package-path ios/Tools --product DeclarationCheck 2>&1 | bash scripts/lib/progress.sh
  ios/Tools/.build/debug/DeclarationCheck ios/Declarations
  echo "== modules of ours that Linux runs, and those of the compiler, for iOS"
  swift build --package-path ios/Kit 2>&1 | bash scripts/lib/progress.sh
  rm -rf "$work/modules"
  mkdir -p "$work/modules"
  # A module records the target that it was compiled for. Another of the same length makes no byte move.
  for module in "$usr"/lib/swift/linux/*.swiftmodule ios/Kit/.build/debug/Modules/*.swiftmodule; do
    file=$module
    [ -d "$module" ] && file=$module/x86_64-unknown-linux-gnu.swiftmodule
    [ -f "$file" ] || continue
    perl -0777 -pe 's/x86_64-unknown-linux-gnu/arm64-apple-ios15.00.000/g or die "$ARGV: no target found to change\n"' \
      "$file" >"$work/modules/$(basename "$module")"
  done
  for needed in Swift Foundation Playback; do
    [ -f "$work/modules/$needed.swiftmodule" ] || { echo "no module $needed was found" >&2; exit 1; }
  done
  cat >"$work/headers.yaml" <<YAML
{ "version": 0, "case-sensitive": "true", "roots": [ { "type": "directory", "name": "/usr/include", "contents": [
  { "type": "file", "name": "module.modulemap", "external-contents": "$usr/lib/swift/linux/x86_64/glibc.modulemap" },
  { "type": "file", "name": "SwiftGlibc.h", "external-contents": "$usr/lib/swift/linux/x86_64/SwiftGlibc.h" } ] } ] }
YAML
fi

# Name of the module, then files and options. $version, and $ours before others' modules.
compile() {
  # -emit-sil, not -typecheck: initialisation, returns, exclusive access and regions are told by passes over SIL.
  swift-frontend -emit-sil -o /dev/null -module-name "$1" \
    -target "arm64-apple-ios$version" -clang-target x86_64-unknown-linux-gnu -enable-objc-interop -parse-as-library \
    -swift-version 6 -strict-concurrency=complete -warnings-as-errors -package-name kit \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -enable-upcoming-feature InternalImportsByDefault \
    -I "$ours" -I "$work/$version" -I "$work/modules" -I ios/Declarations -I "$usr/lib/swift" \
    -plugin-path "$usr/lib/swift/host/plugins" \
    -vfsoverlay "$work/headers.yaml" -Xcc -ivfsoverlay -Xcc "$work/headers.yaml" \
    -Xcc -fmodule-map-file=/usr/include/module.modulemap \
    -Xcc -fmodule-map-file=ios/Kit/.build/checkouts/FlyingFox/CSystemLinux/include/module.modulemap -Xcc -Xclang -Xcc -fbuiltin-headers-in-system-modules \
    -module-cache-path "$work/cache-$version" "${@:2}"
}

# A target with its module.
check() {
  local name=${1%%:*} folder=$sources/${1#*:} files
  [ -d "$folder" ] || return 0
  mapfile -t files < <(find "$folder" -name '*.swift' | sort)
  compile "$name" -emit-module-path "$ours/$name.swiftmodule" "${files[@]}"
  echo "$name: ${#files[@]} files"
}

if [ -n "${CLIPFEED_IOS_CHANGED:-}" ]; then
  changed=$CLIPFEED_IOS_CHANGED own=
  for target in "${targets[@]}"; do
    case $changed in "${target#*:}"/*) own=$target ;; esac
  done
  [ -n "$own" ] || { echo "error: $changed is of none of the phone's targets" >&2; exit 1; }
  rm -rf "$CLIPFEED_IOS_WORK"
  mapfile -t others < <(find "$sources/${own#*:}" -name '*.swift' ! -path "$sources/$changed" | sort)
  for version in "${versions[@]}"; do
    ours=$CLIPFEED_IOS_WORK/$version
    mkdir -p "$ours"
    if [ "${CLIPFEED_IOS_STEP:-}" = file ]; then
      compile "${own%%:*}" -primary-file "$sources/$changed" "${others[@]}"
      continue
    fi
    check "$own"
    # As others see it nothing has changed: they cannot differ.
    if cmp -s "$ours/${own%%:*}.swiftmodule" "$work/$version/${own%%:*}.swiftmodule"; then continue; fi
    touched=${own%%:*} isBehind=
    for target in "${targets[@]}"; do
      if [ -n "$isBehind" ] && grep -rqE "import ($touched)\$" --include='*.swift' "$sources/${target#*:}"; then
        check "$target"
        touched="$touched|${target%%:*}"
      fi
      [ "$target" != "$own" ] || isBehind=yes
    done
  done
  exit 0
fi

for version in "${versions[@]}"; do
  echo "== iOS $version"
  ours=$work/$version
  rm -rf "$ours"
  mkdir -p "$ours" "$work/cache-$version"
  for target in "${targets[@]}"; do check "$target"; done
done
