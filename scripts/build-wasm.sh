#!/usr/bin/env bash
# Builds web/core.wasm (the feed) and web/studio.wasm (recording, looks) from core/Sources with the
# toolchain's own Embedded Swift.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

build=core/.build-wasm
# From Debian: malloc and memcpy (wasi-libc), 128-bit multiplication for overflow checks (compiler-rt).
libraries=(/usr/lib/wasm32-wasi/libc.a
  /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi/libclang_rt.builtins-wasm32.a)
for library in "${libraries[@]}"; do
  [ -f "$library" ] || { echo "build-wasm: $library is missing; run 'make doctor'" >&2; exit 1; }
done
mkdir -p "$build" web

flags=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -Osize
  -parse-as-library -swift-version 6 -warnings-as-errors -Xfrontend -disable-stack-protector
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -I "$build")

# Size first, but for the module that plays out hundreds of futures per decision.
speed() { if [ "$1" = Lookahead ]; then echo -O; fi; }

# In the order of their imports, as core/Package.swift says them.
objects=()
feed=(CoreTypes FeedPager PlayerPool Lookahead Prefetch EnergyBudget MediaCache Composer Session
  Wire ComposerWire SessionWire)
studio=(Recording Looks StudioWire)
for module in "${feed[@]}" "${studio[@]}"; do
  swiftc "${flags[@]}" $(speed "$module") -module-name "$module" -emit-module -emit-module-path "$build/$module.swiftmodule" \
    -c core/Sources/"$module"/*.swift -o "$build/$module.o"
  objects+=("$build/$module.o")
done

# A door and what it needs of the modules, as one file. 64 KiB of stack first, so that an overflow
# traps instead of overwriting data. No import is allowed: the module can do nothing but compute.
link() { # door, product
  swiftc "${flags[@]}" -enable-experimental-feature Extern -module-name "$1" \
    -c core/Sources/"$1"/*.swift core/Sources/WasmRuntime/*.swift -o "$build/$1.o"
  "$(dirname "$(command -v swiftc)")/wasm-ld" --no-entry --export-memory --gc-sections --strip-all \
    --stack-first -z stack-size=65536 "$build/$1.o" "${objects[@]}" "${libraries[@]}" -o "$build/$2"
  mv "$build/$2" "web/$2"
  echo "web/$2: $(stat -c %s "web/$2") bytes, $(gzip -9c "web/$2" | wc -c) gzipped"
}
link CoreWasm core.wasm
link StudioWasm studio.wasm
