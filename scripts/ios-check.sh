#!/usr/bin/env bash
# Type-checks for the iOS target what only a phone runs, without an SDK of Apple's: docs/design/ios-check.md.
# Arguments: versions of iOS (18.0 26.0). CLIPFEED_IOS_SOURCES: another folder with Kit/Sources and App, for seeded mistakes.
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

# Targets in the order in which they import each other, each with its folder.
targets=(KeychainKit:Kit/Sources/KeychainKit SignInKit:Kit/Sources/SignInKit DeviceKit:Kit/Sources/DeviceKit PlayerKit:Kit/Sources/PlayerKit TransferKit:Kit/Sources/TransferKit CaptureKit:Kit/Sources/CaptureKit RemoteNotices:Kit/Sources/RemoteNotices Screens:Kit/Sources/Screens Clipfeed:App/Clipfeed)

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

for version in "${versions[@]}"; do
  echo "== iOS $version"
  ours=${CLIPFEED_IOS_WORK:-$work}/$version
  rm -rf "$ours"
  mkdir -p "$ours" "$work/cache-$version"
  for target in "${targets[@]}"; do
    name=${target%%:*} folder=$sources/${target#*:}
    [ -d "$folder" ] || continue
    mapfile -t files < <(find "$folder" -name '*.swift' | sort)
    # -emit-sil, not -typecheck: initialisation, returns, exclusive access and regions are told by passes over SIL.
    swift-frontend -emit-sil -o /dev/null -emit-module-path "$ours/$name.swiftmodule" -module-name "$name" \
      -target "arm64-apple-ios$version" -clang-target x86_64-unknown-linux-gnu -enable-objc-interop -parse-as-library \
      -swift-version 6 -strict-concurrency=complete -warnings-as-errors -package-name kit \
      -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
      -enable-upcoming-feature InternalImportsByDefault \
      -I "$ours" -I "$work/modules" -I ios/Declarations -I "$usr/lib/swift" -plugin-path "$usr/lib/swift/host/plugins" \
      -vfsoverlay "$work/headers.yaml" -Xcc -ivfsoverlay -Xcc "$work/headers.yaml" \
      -Xcc -fmodule-map-file=/usr/include/module.modulemap \
      -Xcc -fmodule-map-file=ios/Kit/.build/checkouts/FlyingFox/CSystemLinux/include/module.modulemap -Xcc -Xclang -Xcc -fbuiltin-headers-in-system-modules \
      -module-cache-path "$work/cache-$version" "${files[@]}"
    echo "$name: ${#files[@]} files"
  done
done
